"""The console command ``lass0``: hands over to the compiled program that lies beside the package."""

import os
import sys
from pathlib import Path


def main():
    import lass0

    for folder in lass0.__path__:
        program = Path(folder) / "bin" / "lass0"
        if program.exists():
            os.execv(program, ["lass0", *sys.argv[1:]])
    sys.exit("lass0: the program is not where the package was installed; please install it again")
