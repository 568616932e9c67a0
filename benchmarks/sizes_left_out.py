#!/usr/bin/env python3
"""Whether `lass0 cv` of two classes finds the same model without the sizes that it leaves out.

Once lambda is chosen, `lass0 cv` searches in full only sizes that may be the answer; `--model` makes
it search all. Six kinds of simulated problems, from few columns to many more than rows.

    benchmarks/sizes_left_out.py [--lass0 build/bin/lass0] [--seeds 8] [--first-seed 100]
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

KINDS = [  # rows, columns, true columns, correlation, its kind, variance of the log odds
    (200, 30, 6, 0.8, "ar1", 4),
    (120, 60, 5, 0.6, "equal", 3),
    (300, 300, 8, 0.9, "ar1", 4),
    (150, 400, 5, 0.5, "equal", 6),
    (400, 100, 15, 0.9, "ar1", 2),
    (250, 1200, 8, 0.7, "ar1", 5),
]


def run(lass0, *arguments):
    done = subprocess.run(
        [lass0, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def draw(lass0, kind, seed, file):
    n, p, k, rho, correlation, snr = kind
    size = ["--n", n, "--p", p, "--k", k, "--seed", seed]
    columns = ["--rho", rho, "--correlation", correlation, "--snr", snr]
    run(lass0, "simulate", "--family", "binomial", *size, *columns, "--output", file)


def chosen(lass0, file, *options):
    start = time.perf_counter()
    of_data = [file, "--target", "y", "--family", "binomial", "--format", "json", "--threads", 1]
    result = json.loads(run(lass0, "cv", *of_data, *options))
    seconds = time.perf_counter() - start
    model = result["model"]
    return (result["chosen"]["lambda"], result["chosen"]["ridge"], model["support"]), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lass0", default="build/bin/lass0")
    parser.add_argument("--seeds", type=int, default=8, help="problems of each kind [8]")
    parser.add_argument("--first-seed", type=int, default=100)
    given = parser.parse_args()
    same, problems, seconds_of_some, seconds_of_all = 0, 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.csv"
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            for kind in KINDS:
                draw(given.lass0, kind, seed, file)
                some, seconds = chosen(given.lass0, file)
                seconds_of_some += seconds
                every, seconds = chosen(given.lass0, file, "--model", Path(folder) / "model.json")
                seconds_of_all += seconds
                problems += 1
                same += some == every
                if some != every:
                    print(f"different: {kind}, seed {seed}: {some} and {every}")
    print(
        f"{problems} problems: the same model in {same}; {seconds_of_some:.1f} s, with all sizes "
        f"{seconds_of_all:.1f} s"
    )


if __name__ == "__main__":
    main()
