#!/usr/bin/env python3
"""Speed and memory of `lass0 moments` on large files: moments.py LASS0 FOLDER [MEGABYTES].

Writes a CSV file of 100 columns and NPY files of 200 and 1000 columns, of this many megabytes each (2000 by default), into
FOLDER, unless they are there. Prints the wall time, the CPU seconds, the rate and the peak memory of each run, with the load
average: where others use the machine, the CPU seconds are what can be compared.
"""

import os
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

DISTINCT_ROWS = 1000  # of the files, which repeat them in a random order


def write_csv(path: Path, size: int, columns: int) -> None:
    rng = random.Random(1)
    lines = [
        ",".join(f"{rng.gauss(3, 1):.15g}" for _ in range(columns)) + "\n"
        for _ in range(DISTINCT_ROWS)
    ]
    with path.open("w") as file:
        file.write(",".join([f"x{j + 1}" for j in range(columns - 1)] + ["y"]) + "\n")
        while file.tell() < size:
            rng.shuffle(lines)
            file.write("".join(lines))


def write_npy(path: Path, size: int, columns: int) -> None:
    rng = random.Random(1)
    rows = [
        struct.pack(f"<{columns}d", *(rng.gauss(3, 1) for _ in range(columns)))
        for _ in range(DISTINCT_ROWS)
    ]
    times = max(1, size // (8 * columns * DISTINCT_ROWS))
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({times * DISTINCT_ROWS}, {columns}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(times):
            rng.shuffle(rows)
            file.write(b"".join(rows))


def measure(program: str, path: Path, target: str, threads: int) -> None:
    output = path.with_suffix(".moments")
    command = [
        program,
        "moments",
        str(path),
        "--target",
        target,
        "--output",
        str(output),
        "--threads",
        str(threads),
    ]
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    size = path.stat().st_size / 1e6
    cpu = usage.ru_utime + usage.ru_stime
    print(
        f"{path.name}: {size:.0f} MB, {threads} threads: {wall:.2f} s, {size / wall:.0f} MB/s; {cpu:.2f} s of CPU, "
        f"{size / cpu:.0f} MB per CPU second; {usage.ru_maxrss / 1024:.0f} MiB; load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    folder.mkdir(parents=True, exist_ok=True)
    for write, name, columns, target in (
        (write_csv, "csv100.csv", 100, "y"),
        (write_npy, "npy200.npy", 200, "200"),
        (write_npy, "npy1000.npy", 1000, "1000"),
    ):
        path = folder / name
        if not path.exists():
            write(path, megabytes * 1_000_000, columns)
        for threads in (1, 2):
            measure(program, path, target, threads)


if __name__ == "__main__":
    main()
