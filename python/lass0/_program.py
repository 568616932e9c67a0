"""The console command ``lass0``: runs the compiled program in the package."""

import os
import sys
from pathlib import Path


def main():
    import lass0

    for folder in lass0.__path__:
        program = Path(folder) / "bin" / "lass0"
        if program.exists():
            os.execv(program, ["lass0", *sys.argv[1:]])
    sys.exit("lass0: the package has no program; install it again")
