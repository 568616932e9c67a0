"""Where things are, the private Python environment of the peers, and what the machine is. Standard
library only."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "build" / "bench"  # everything generated: environment, data, logs
RESULTS = ROOT / "benchmarks" / "results"  # of full runs, committed: each workload keeps its last
PROGRAM = ROOT / "build" / "bin" / "lass0"
SERVE = ROOT / "build" / "bin" / "peers" / "serve"
PAPER_DATA = Path(os.environ.get("LASS0_DATA") or ROOT.parent / "shared" / "data" / "paper")

VENV = BENCH / "venv"
NEEDED = ["numpy", "scipy"]
# One that can't be installed is named in the results.
PEERS = ["scikit-learn", "celer", "skglm", "adelie", "abess"]


def enter():
    """Continues in the private environment, which is made on first use."""
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not (VENV / "installed.json").exists():
        install(python)
    os.execv(python, [str(python), "-m", "peers", *sys.argv[1:]])


def install(python):
    print(f"bench: installing the peers from PyPI into {VENV.relative_to(ROOT)}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *NEEDED], check=True)
    failed = {}
    for peer in PEERS:  # one by one, so that one that can't be had does not take the others with it
        result = subprocess.run([*pip, "--prefer-binary", peer], capture_output=True, text=True)
        if result.returncode != 0:
            failed[peer] = (result.stderr.strip().splitlines() or ["pip failed"])[-1]
            print(f"bench: {peer} can't be installed: {failed[peer]}", file=sys.stderr)
    (VENV / "installed.json").write_text(json.dumps({"failed": failed}))


def install_failure(peer):
    """Why pip could not install this peer; None when it could."""
    return json.loads((VENV / "installed.json").read_text())["failed"].get(peer)


def child_environment(threads):
    """The environment of every rival: the same number of threads for all of them."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "benchmarks"), PYTHONWARNINGS="ignore")
    for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR", "VECLIB_MAXIMUM"):
        environment[f"{name}_NUM_THREADS"] = str(threads)
    return environment


def output_of(*command):
    try:
        result = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, cwd=ROOT
        )
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def commit():
    """The commit that is measured; results of other workloads are no change to it."""
    changed = output_of(
        *("git", "status", "--porcelain", "--untracked-files=no", "--", "."),
        *(":!benchmarks/results", ":!benchmarks/RESULTS.md"),
    )
    return (output_of("git", "rev-parse", "--short=12", "HEAD") or "unknown") + (
        "-dirty" if changed else ""
    )


def machine():
    """A few facts a reader needs to judge the times by."""
    cpu = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    memory = next(
        int(line.split()[1])
        for line in Path("/proc/meminfo").read_text().splitlines()
        if line.startswith("MemTotal")
    )
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    return {
        "processor": f"{cpu}, {os.cpu_count()} cores",
        "memory": f"{memory / 2**20:.0f} GiB",
        "system": f"{system}, Linux {platform.release()}",
        "load average at the start": ", ".join(f"{load:.2f}" for load in os.getloadavg()),
    }
