"""Regenerates the paper's Table 1 and Figure 1, the grid of Hastie, Tibshirani and Tibshirani and the
comparison with proven optima: CSV files, a page and figures. `make reproduce` builds what it needs.

    run.py [--output FOLDER] [--tiny | --full] [EXPERIMENT ...]

The paper's data are looked for in LASS0_DATA, by default ../shared/data/paper beside the repository.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "bin" / "lass0_paper"
VENV = ROOT / "build" / "reproduce" / "venv"
EXPERIMENTS = ["table1", "figure1", "htt", "htt_cv", "choice", "nothing", "optimum"]
NEED_DATA = {"table1", "choice", "nothing", "optimum"}


def python_with_matplotlib():
    """A private environment, made on first use; None where matplotlib can't be had."""
    python = VENV / "bin" / "python"
    if not (VENV / "installed").exists():
        print("reproduce: installing matplotlib from PyPI for the figures", file=sys.stderr)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
            subprocess.run([*pip, "matplotlib"], check=True)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"reproduce: no figures, matplotlib can't be installed: {error}", file=sys.stderr)
            return None
        (VENV / "installed").touch()
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--tiny", action="store_true", help="seconds, to see that all works")
    parser.add_argument("--full", action="store_true", help="all of the grid, more seeds: hours")
    parser.add_argument("--no-figures", action="store_true")
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=" ".join(EXPERIMENTS))
    options = parser.parse_args()
    for name in options.experiments:
        if name not in EXPERIMENTS:
            parser.error(f"{name} is none of {', '.join(EXPERIMENTS)}")

    data = Path(os.environ.get("LASS0_DATA") or ROOT.parent / "shared" / "data" / "paper")
    options.output.mkdir(parents=True, exist_ok=True)
    size = ["--tiny"] if options.tiny else ["--full"] if options.full else []
    for name in options.experiments or EXPERIMENTS:
        if name in NEED_DATA and not data.is_dir():
            print(
                f"reproduce: {name} is left out: there is no folder {data} with the paper's data; "
                "set LASS0_DATA to it",
                file=sys.stderr,
            )
            continue
        started = time.time()
        command = [str(options.program), name, str(options.output / f"{name}.csv"), *size]
        if name in NEED_DATA:
            command += ["--data", str(data)]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit(f"reproduce: {name} failed")
        print(f"reproduce: {name} took {time.time() - started:.0f} s", file=sys.stderr)

    scripts = Path(__file__).parent
    subprocess.run([sys.executable, str(scripts / "page.py"), str(options.output)], check=True)
    python = None if options.no_figures else python_with_matplotlib()
    if python:
        subprocess.run([str(python), str(scripts / "figures.py"), str(options.output)], check=True)
    print(f"reproduce: {options.output / 'README.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
