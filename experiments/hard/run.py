"""Runs the experiments on hard problems: CSV files, a page and a figure. `make hard` builds what it needs.

    run.py [--output FOLDER] [--tiny] [EXPERIMENT ...]

What lass0 0.1.1 found on the same data is stored in results/.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
VENV = ROOT / "build" / "hard" / "venv"
PACKAGES = ["numpy", "abess==0.4.11", "matplotlib"]  # abess: the one that benchmarks/RESULTS.md has
COMMANDS = {"phase": ["phase"], "settings": ["settings", "lambdas"], "cv": ["cv"]}
WITH_ABESS = ["phase", "settings"]


def python_with_packages():
    """A private environment, made on first use; None where the packages can't be had."""
    python = VENV / "bin" / "python"
    if not (VENV / "installed").exists():
        print("hard: installing abess and matplotlib from PyPI", file=sys.stderr)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
            subprocess.run([*pip, *PACKAGES], check=True)
        except (subprocess.CalledProcessError, OSError) as error:
            print(
                f"hard: no abess and no figure, the packages can't be installed: {error}",
                file=sys.stderr,
            )
            return None
        (VENV / "installed").touch()
    return python


def run(what, command):
    started = time.time()
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    command = [str(part) for part in command]
    if subprocess.run(command, check=False, env=environment).returncode != 0:
        sys.exit(f"hard: {what} failed")
    print(f"hard: {what} took {time.time() - started:.0f} s", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="results/; of a tiny run build/hard/tiny")
    parser.add_argument("--programs", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--tiny", action="store_true", help="seconds, to see that all works")
    parser.add_argument(
        "--no-packages", action="store_true", help="nothing from PyPI: no abess and no figure"
    )
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=" ".join(COMMANDS))
    options = parser.parse_args()
    for name in options.experiments:
        if name not in COMMANDS:
            parser.error(f"{name} is none of {', '.join(COMMANDS)}")

    names = options.experiments or list(COMMANDS)
    default = ROOT / "build" / "hard" / "tiny" if options.tiny else HERE / "results"
    output = options.output or default
    output.mkdir(parents=True, exist_ok=True)
    size = ["--tiny"] if options.tiny else []
    for name in names:
        for command in COMMANDS[name]:
            program = options.programs / "lass0_hard"
            run(command, [program, command, output / f"{command}.csv", *size])
    python = None if options.no_packages else python_with_packages()
    if python:
        script, lass0 = HERE / "abess_rows.py", options.programs / "lass0"
        for name in [one for one in WITH_ABESS if one in names]:
            run(f"abess, {name}", [python, script, lass0, output, name])
        run("the figure", [python, HERE / "figures.py", output])
    run("the page", [sys.executable, HERE / "page.py", output])
    print(f"hard: {output / 'README.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
