"""The console command ``lass0``: runs the compiled program in the package. `moments` of Parquet and Arrow files is done in Python."""

import os
import sys
from pathlib import Path

_ARROW_FILES = (".parquet", ".pq", ".arrow", ".feather", ".ipc")


def main():
    import lass0

    arguments = sys.argv[1:]
    if arguments[:1] == ["moments"] and any(map(_is_arrow_file, _files(arguments[1:]))):
        from . import _moments_program

        sys.exit(_moments_program.main(arguments[1:]))
    for folder in lass0.__path__:
        program = Path(folder) / "bin" / "lass0"
        if program.exists():
            os.execv(program, ["lass0", *arguments])
    sys.exit("lass0: the package has no program; install it again")


def _files(arguments):
    """Those that are neither options nor their values: every option of `moments` but --help has one."""
    before = ["", *arguments[:-1]]
    for option, argument in zip(before, arguments):
        if not option.startswith("--") or "=" in option:
            yield argument


def _is_arrow_file(argument):
    return not argument.startswith("-") and argument.lower().endswith(_ARROW_FILES)
