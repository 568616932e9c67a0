"""Runs the experiments on evidence: CSV files and a page. `make evidence` builds what it needs.

    run.py [--output FOLDER] [--tiny] [EXPERIMENT ...]
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
EXPERIMENTS = ["intervals", "p_values"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="results/; of a tiny run build/evidence/tiny")
    parser.add_argument("--programs", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--tiny", action="store_true", help="seconds, to see that all works")
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=" ".join(EXPERIMENTS))
    options = parser.parse_args()
    for name in options.experiments:
        if name not in EXPERIMENTS:
            parser.error(f"{name} is none of {', '.join(EXPERIMENTS)}")

    default = ROOT / "build" / "evidence" / "tiny" if options.tiny else HERE / "results"
    output = options.output or default
    output.mkdir(parents=True, exist_ok=True)
    size = ["--tiny"] if options.tiny else []
    for name in options.experiments or EXPERIMENTS:
        started = time.time()
        command = [options.programs / "lass0_evidence", name, output / f"{name}.csv", *size]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"evidence: {name} failed")
        print(f"evidence: {name} took {time.time() - started:.0f} s", file=sys.stderr)
    subprocess.run([sys.executable, HERE / "page.py", output], check=True)
    print(f"evidence: {output / 'README.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
