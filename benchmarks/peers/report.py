"""Writes the report from the results of all workloads that have been run."""

import json

from . import workloads

INTRO = """# lass0 compared with other packages

Written by `make bench`; [README.md](README.md) describes the comparisons. Every rival runs alone, in
its own process, on the same data and with the same number of threads. The same code judges every
answer, and only right answers are timed. Times are the median of 3 runs (of more if these take less
than 0.1 s together) and exclude reading the data and compiling; "1 run" marks a long run, or a rival
that was stopped later. **time / lass0 above 1 means that lass0 is faster, below 1 that it is slower.**
Peak memory is that of the rival's whole process (interpreter, libraries and data). Test errors are in
units of the noise variance: 1 is the best possible. RSS is the residual sum of squares.
"""


def write(folder, path):
    """The report of all results in a folder."""
    results = []
    for name in workloads.ORDER:
        file = folder / f"{name}.json"
        if file.exists():
            results.append(json.loads(file.read_text()))
    path.write_text(
        "\n".join(
            [
                INTRO,
                *head(results),
                *summary(results),
                *(line for result in results for line in body(result)),
            ]
        )
    )


def head(results):
    """Machine, versions, commit: once where all results share them."""
    last = max(results, key=lambda result: result["date"])
    rules = last["rules"]
    lines = ["## Where and with what", ""]
    command = "make bench" if not last["quick"] else "make bench BENCH=--quick"
    lines += [
        f"- command: `{command}`; threads: {rules['threads']}; at most {rules['limit']:g} s for "
        "each run"
    ]
    lines += [f"- {what}: {value}" for what, value in last["machine"].items()]
    commits = {result["commit"] for result in results}
    if len(commits) == 1:
        lines += [f"- commit: {last['commit']}; {last['date']}"]
    else:
        lines += ["- each workload was run last at:"]
        lines += [f"  - {result['title']}: {origin(result, last)}" for result in results]
    there = {result["name"] for result in results}
    others = [name for name in workloads.ORDER if name not in there]
    if others and not last["quick"]:
        lines += [f"- not run yet: {', '.join(others)}"]
    lines += [
        "",
        *grid(
            ["rival", "version", ""],
            [[name, entry["version"], entry["note"]] for name, entry in last["versions"].items()],
        ),
    ]
    return lines + [""]


def origin(result, last):
    """The commit and the date of a result, and where it was not run as the last one."""
    parts = [result["commit"], result["date"]]
    limit = result["rules"]["limit"]
    if limit != last["rules"]["limit"]:
        parts.append(f"at most {limit:g} s for each run")
    processor = result["machine"]["processor"]
    if processor != last["machine"]["processor"]:
        parts.append(f"on {processor}")
    parts += [
        f"{name} {entry['version']}"
        for name, entry in result["versions"].items()
        if entry["version"] != last["versions"].get(name, entry)["version"]
    ]
    return ", ".join(parts)


def summary(results):
    rows = [
        [result["title"], table["title"], table["summary"]]
        for result in results
        for table in result["tables"]
    ]
    rows += [
        [result["title"], "-", f"skipped: {result['missing']}"]
        for result in results
        if result["missing"]
    ]
    return ["## In short", "", *grid(["workload", "comparison", "outcome"], rows), ""]


def body(result):
    lines = [
        f"## {result['title']}{' (scaled down)' if result['quick'] else ''}",
        "",
        f"{result['about']}.",
        "",
    ]
    if result["missing"]:
        lines += [f"Skipped: {result['missing']}.", ""]
    for table in result["tables"]:
        lines += [
            f"### {table['title']}",
            "",
            *(f"{note}\n" for note in table["notes"]),
            *grid(table["header"], table["rows"]),
            "",
        ]
        lines += [f"{table['summary']}.", ""] if table["summary"] else []
    return lines


def grid(header, rows):
    return ["| " + " | ".join(cells) + " |" for cells in (header, ["---"] * len(header), *rows)]
