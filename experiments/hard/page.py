"""page.py FOLDER: README.md with the tables, from the CSV files in the folder."""

import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

from rows import (
    BEFORE,
    METHODS,
    NAMES,
    beyond_the_limit,
    fits_as_well,
    is_true_support,
    ordered,
    read,
    read_phase,
    shares,
)

SAME = 1 + 1e-9  # equal but for rounding, as in experiments.hpp
SETTING = ["n", "p", "k", "rho", "snr"]


def table(header, rows, align):
    rule = {"l": "---", "r": "---:"}
    lines = [header, [rule[side] for side in align], *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def by_setting(rows):
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in SETTING)].append(row)
    return groups


def phase_page(rows):
    methods = [method for method in METHODS if any(row["method"] == method for row in rows)]
    correlations, ratios, sizes = (ordered(rows, key) for key in ("rho", "snr", "k"))
    first = rows[0]
    seeds = ordered(rows, "seed")
    text = (
        "## The phase diagram\n\n![How often the true support is found](phase.svg)\n\n"
        f"n = {first['n']}, p = {first['p']}; seeds {seeds[0]} to {seeds[-1]} in every cell. For each method and correlation, the table counts the data "
        "sets in which the method finds the true support, and those in which it finds a support of the true size whose residual sum of squares (RSS) is at most "
        "that of the true support (*fits as well*). A cell is inside the limit if, in more than half of its data sets, no method found a support of the true size "
        "with a lower RSS than the true support. SNR is the signal-to-noise ratio.\n\n"
    )
    beyond = beyond_the_limit(rows)
    all_cells = [(rho, snr, k) for rho in correlations for snr in ratios for k in sizes]
    inside = [cell for cell in all_cells if cell not in beyond]
    lines = []
    for method in methods:
        line = [NAMES[method]]
        for rho in correlations:
            for counts, chosen in ((is_true_support, inside), (fits_as_well, all_cells)):
                cells = shares(rows, counts)
                some = [cells[(method, *cell)] for cell in chosen if cell[0] == rho]
                found, total = (sum(part[i] for part in some) for i in (0, 1))
                line.append(f"{found} of {total}")
        lines.append(line)
    header = ["method"]
    for rho in correlations:
        header += [f"true support, inside the limit, correlation {rho}", "fits as well, all cells"]
    text += table(header, lines, "l" + "r" * (len(header) - 1)) + "\n"
    text += (
        "Data sets in which the true support is found, by method: "
        + ", ".join(NAMES[m] for m in methods)
        + ". "
        "Cells beyond the limit are in brackets.\n\n"
    )
    cells = shares(rows, is_true_support)
    for rho in correlations:
        lines = []
        for snr in reversed(ratios):
            line = [snr]
            for k in sizes:
                counts = " ".join(str(cells[method, rho, snr, k][0]) for method in methods)
                line.append(f"({counts})" if (rho, snr, k) in beyond else counts)
            lines.append(line)
        header = [f"correlation {rho}: SNR", *(f"k = {k}" for k in sizes)]
        text += table(header, lines, "l" + "r" * len(sizes)) + "\n"
    text += (
        "The next figure counts supports of the true size that fit at least as well as the true one. Beyond the limit this is easy: many supports do.\n\n"
        "![How often a support of the true size fits as well](phase-rss.svg)\n\n"
    )
    return text


def rss_by_size(rows):
    return {(row["seed"], row["size"]): float(row["rss"]) for row in rows}


def count_found(rows, rss):
    """Data sets in which the RSS of the true size is at most that of the true support."""
    at_truth = [row for row in rows if row["size"] == row["k"]]
    found = sum(
        rss[row["seed"], row["size"]] <= SAME * float(row["true_rss"])
        for row in at_truth
        if (row["seed"], row["size"]) in rss
    )
    return f"{found} of {len(at_truth)}"


def settings_page(folder):
    now = by_setting(read(folder, "settings"))
    before = by_setting(read(folder, f"settings-{BEFORE}"))
    abess = by_setting(read(folder, "settings-abess"))
    text = (
        "## The hard settings\n\n"
        "Found: the support of the true size has at most the RSS of the true support. Above abess: the number of sizes up to the true one at which "
        "the RSS of lass0 is higher than that of abess, and the largest excess. Seconds: time of the table of all sizes on one thread, median and maximum.\n\n"
    )
    header = ["n, p, true columns, correlation, SNR", f"found: lass0 {BEFORE}", "abess", "lass0"]
    header += [f"above abess: lass0 {BEFORE}", "lass0", f"seconds: lass0 {BEFORE}", "lass0"]
    lines = []
    for setting, rows in now.items():
        ours, rival = rss_by_size(rows), rss_by_size(abess.get(setting, []))
        theirs = before.get(setting, [])
        line = [", ".join(setting)]
        line.append(count_found(rows, rss_by_size(theirs)) if theirs else "-")
        line.append(count_found(rows, rival) if rival else "-")
        line.append(count_found(rows, ours))
        for one in (rss_by_size(theirs), ours):
            above = [one[at] / rival[at] - 1 for at in one if at in rival]
            worse = [excess for excess in above if excess > SAME - 1]
            most = f", by {100 * max(worse):.2f} %" if worse else ""
            line.append(f"{len(worse)} of {len(above)}{most}" if above else "-")
        for some in (theirs, rows):
            seconds = [float(row["seconds"]) for row in some if row["size"] == row["k"]]
            line.append(f"{median(seconds):.2f}, {max(seconds):.2f}" if seconds else "-")
        lines.append(line)
    return text + table(header, lines, "l" + "r" * 7) + "\n"


def lambdas_page(folder):
    text = (
        "### At a given lambda\n\n"
        "The objective of `fit --lambda` (start from the table) divided by that of `fit --lambda --start paper`, at lambda = noise² log p times 4, 2, 1 and 1/2: "
        "mean, lowest and highest ratio, and the number of problems in which it is above 1 (by more than 1e-9).\n\n"
    )
    lines = []
    for name, label in ((f"lambdas-{BEFORE}", f"lass0 {BEFORE}"), ("lambdas", "lass0")):
        for setting, rows in by_setting(read(folder, name)).items():
            ratios = [float(row["table"]) / float(row["paper"]) for row in rows]
            above = sum(ratio > SAME for ratio in ratios)
            numbers = [f"{value:.4f}" for value in (mean(ratios), min(ratios), max(ratios))]
            lines.append([", ".join(setting), label, *numbers, f"{above} of {len(ratios)}"])
    header = ["n, p, true columns, correlation, SNR", "version", "mean", "lowest", "highest"]
    return text + table([*header, "above the paper's start"], lines, "llrrrr") + "\n"


def cv_page(folder):
    rows = read(folder, "cv")
    for row in read(folder, f"cv-{BEFORE}"):
        rows.append({**row, "method": row["method"] + "-" + BEFORE})
    names = {
        f"lass0-{BEFORE}": f"lass0 {BEFORE}",
        f"lass0-full-{BEFORE}": f"lass0 {BEFORE}, full search in every fold",
        "lass0": "lass0",
        "lass0-full": "lass0, full search in every fold",
        "lasso": "Lasso",
        "truth": "least squares on the true columns",
    }
    first = rows[0]
    text = (
        "## Cross-validation near the limit\n\n"
        f"n = {first['n']}, p = {first['p']}, {first['k']} true columns, correlation {first['rho']}, SNR {first['snr']}; seeds {first['seed']} to {rows[-1]['seed']}. "
        "10-fold cross-validation chooses lambda by the lowest error. Risk: (b - beta)' Sigma (b - beta) / noise², which is 0 for the true coefficients.\n\n"
    )
    lines = []
    for method, label in names.items():
        chosen = [row for row in rows if row["method"] == method]
        if chosen:
            risks = [float(row["risk"]) for row in chosen]
            sizes = [int(row["size"]) for row in chosen]
            lines.append(
                [
                    label,
                    f"{mean(risks):.2f}",
                    f"{median(risks):.2f}",
                    f"{max(risks):.2f}",
                    f"{mean(sizes):.1f}",
                ]
            )
    header = ["method", "mean risk", "median risk", "highest risk", "mean size"]
    return text + table(header, lines, "lrrrr") + "\n"


def page(folder):
    text = (
        "# Hard problems: the numbers\n\n"
        "Written by `make hard` from the CSV files in this folder; [../README.md](../README.md) says what was run.\n\n"
    )
    phase = read_phase(folder)
    text += phase_page(phase) if phase else "phase has not been run.\n\n"
    if read(folder, "settings"):
        text += settings_page(folder) + lambdas_page(folder)
    else:
        text += "settings has not been run.\n\n"
    text += cv_page(folder) if read(folder, "cv") else "cv has not been run.\n\n"
    return text.rstrip("\n") + "\n"


if __name__ == "__main__":
    output = Path(sys.argv[1])
    (output / "README.md").write_text(page(output))
