#!/usr/bin/env python3
"""How often `lass0 path` finds the best support of a size, for targets of two classes.

Small problems are drawn with `lass0 simulate`, and every size is compared with what `--prove` shows
to be the best of all supports. Sizes that are not proven within the time limit are left out.

    benchmarks/optimal_sizes.py [--lass0 build/bin/lass0] [--problems 300] [--first-seed 1000]
"""

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path


def run(lass0, *arguments):
    done = subprocess.run(
        [lass0, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def draw(lass0, seed, file):
    choice = random.Random(seed)
    p = choice.randint(10, 15)
    run(
        lass0,
        "simulate",
        "--family",
        "binomial",
        "--n",
        choice.randint(80, 250),
        "--p",
        p,
        "--k",
        choice.randint(2, p // 2),
        "--rho",
        round(choice.uniform(0.2, 0.95), 3),
        "--correlation",
        choice.choice(["equal", "ar1"]),
        "--snr",
        round(choice.uniform(0.5, 5), 2),
        "--seed",
        seed,
        "--output",
        file,
    )


def deviances(lass0, file, *options):
    result = json.loads(
        run(
            lass0,
            "path",
            file,
            "--target",
            "y",
            "--family",
            "binomial",
            "--threads",
            1,
            "--format",
            "json",
            *options,
        )
    )
    return {step["k"]: step for step in result["steps"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lass0", default="build/bin/lass0")
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--first-seed", type=int, default=1000)
    options = parser.parse_args()
    found = {"full": 0, "quick": 0}
    sizes = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.csv"
        for seed in range(options.first_seed, options.first_seed + options.problems):
            draw(options.lass0, seed, file)
            proven = deviances(options.lass0, file, "--prove", "--time-limit", 60)
            tables = {
                effort: deviances(options.lass0, file, "--effort", effort) for effort in found
            }
            for k, step in proven.items():
                if k == 0 or not step["proven"]:
                    continue
                sizes += 1
                for effort, table in tables.items():
                    best = step["deviance"] * (1 + 1e-9)
                    found[effort] += k in table and table[k]["deviance"] <= best
    for effort, count in found.items():
        print(f"{effort}: {count} of {sizes} sizes, {100 * count / sizes:.2f} %")


main()
