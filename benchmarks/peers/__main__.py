"""python3 -m peers [--quick] [WORKLOAD...], in the folder benchmarks/; `make bench` does it."""

import argparse
import fcntl
import signal
import sys

from . import environment


def main():
    environment.enter()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(1)
    )  # so that the rival that is running is ended as well
    from . import measure, report, runner, workloads  # these need the private environment

    parser = argparse.ArgumentParser(
        prog="make bench", description="Compare lass0 with other packages"
    )
    parser.add_argument(
        "workloads",
        nargs="*",
        metavar="WORKLOAD",
        help=f"default: all of {' '.join(workloads.ORDER)}",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="use scaled-down data and write build/bench/RESULTS-quick.md",
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of every rival [1]")
    parser.add_argument(
        "--limit", type=float, help="most seconds of one run [120; 10 with --quick]"
    )
    parser.add_argument(
        "--rivals",
        nargs="+",
        metavar="RIVAL",
        help="run only these, to work on the benchmark itself",
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="write RESULTS.md from earlier results, without running anything",
    )
    options = parser.parse_args()
    unknown = [name for name in options.workloads if name not in workloads.ORDER]
    if unknown:
        parser.error(
            f"there is no workload {', '.join(unknown)}; there are: {', '.join(workloads.ORDER)}"
        )
    for program in (environment.PROGRAM, environment.SERVE):
        if not program.exists():
            sys.exit(
                f"{program.relative_to(environment.ROOT)} is missing: run this as `make bench`"
            )
    scale = ("quick" if options.quick else "full") + ("-some" if options.rivals else "")
    results = environment.RESULTS if scale == "full" else environment.BENCH / "results" / scale
    # The report that is committed comes from full runs of all rivals only.
    path = (
        environment.ROOT / "benchmarks" / "RESULTS.md"
        if scale == "full"
        else environment.BENCH / f"RESULTS-{scale}.md"
    )
    lock = open(environment.BENCH / "lock", "w")  # held to the end of the process
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("another benchmark is running here: two at a time would time each other")
    if not options.report:
        limit = options.limit or (10 if options.quick else 120)
        quick = {"repeats": 1, "enough": 0, "long": 1} if options.quick else {}
        rules = measure.Rules(options.threads, limit, **quick)
        everything = workloads.QUICK if options.quick else workloads.ORDER
        runner.run(options.workloads or everything, rules, options.quick, options.rivals, results)
    report.write(results, path)
    print(f"report: {path.relative_to(environment.ROOT)}")


if __name__ == "__main__":
    main()
