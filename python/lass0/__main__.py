"""``python -m lass0`` is the program ``lass0``."""

from ._program import main

if __name__ == "__main__":
    main()
