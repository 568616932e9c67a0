"""page.py FOLDER: the page README.md from the CSV files in the folder. Standard library only."""

import sys
from pathlib import Path

from rows import deviation, grouped, half_width, mean, read

# Table 1 of the paper: NRMSE of the Lasso and of Lass0, and their sizes, mean and sd.
PAPER = {
    "pyrimidines": ((101.4, 47.5), (103.1, 42.3), (16.1, 5.5), (7.6, 5.1)),
    "ailerons": ((42.2, 1.8), (42.5, 1.9), (24, 3.3), (6.9, 1.1)),
    "triazines": ((98.9, 14.5), (97.5, 19.7), (17.9, 9.2), (7.3, 6.6)),
    "stocks": ((36.1, 5.2), (36.4, 5.6), (8.5, 0.5), (7.8, 0.9)),
    "pole": ((73.3, 2.1), (73.4, 2.1), (22.7, 1.1), (24.5, 0.9)),
    "bank32nh": ((69.9, 3), (70.7, 3.1), (9.2, 2.7), (5.2, 8.2)),
    "puma32h": ((89, 2.2), (88.9, 2.4), (5.2, 8.2), (1, 0)),
    "breast_cancer": ((93.5, 15.3), (96.7, 19.7), (16, 8.7), (18.8, 5.7)),
    "mice": ((103.5, 5), (105, 6.6), (17, 6.6), (6.3, 4.3)),
}
RULES = ["min", "1se"]
NEAR = 1.02  # times the lowest mean relative test error: as good as the best
LASS0_METHODS = ["lass0-paper", "lass0"]


def table(header, rows, align):
    lines = [header, ["---:" if side == "r" else "---" for side in align], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def plus_minus(pair):
    return f"{pair[0]:g} ± {pair[1]:g}"


def spread(values):
    return f"{mean(values):.1f} ± {deviation(values):.1f}"


class Table1:
    def __init__(self, rows):
        keys = ["data", "variant", "method", "rule"]
        self.errors = {
            "all rows": grouped(rows, keys, "nrmse"),
            "the held-out rows": grouped(rows, keys, "nrmse_by_fold_sd"),
        }
        self.sizes = grouped(rows, keys, "size")
        self.data = [name for name in PAPER if any(key[0] == name for key in self.sizes)]

    def page(self):
        text = "## Table 1\n\n"
        text += (
            "NRMSE is 100 * root mean squared error (RMSE) on held-out rows / standard deviation (sd) of the target over all "
            "rows, mean ± sd over 10 outer folds. Columns are standardised for the Lasso, the target is in its own units. The "
            "paper does not name its selection rule, so the tables have both.\n\n"
        )
        for title, index, numbers in (
            ("NRMSE", 0, self.errors["all rows"]),
            ("Size of the support", 2, self.sizes),
        ):
            text += f"### {title}\n\n"
            rows = []
            for name in self.data:
                rows.append([name, plus_minus(PAPER[name][index])])
                for rule in RULES:
                    rows[-1].append(spread(numbers[name, "standardised", "lasso", rule]))
                rows[-1].append(plus_minus(PAPER[name][index + 1]))
                for method in LASS0_METHODS:
                    for rule in RULES:
                        rows[-1].append(spread(numbers[name, "standardised", method, rule]))
            header = ["data", "paper: L1", "Lasso, min", "Lasso, 1se", "paper: Lass0"]
            header += ["as in the paper, min", "as in the paper, 1se", "Lass0, min", "Lass0, 1se"]
            text += table(header, rows, "l" + "r" * 8) + "\n"
        return text + self.bar() + self.nearest()

    def bar(self):
        """The Lass0 model at most as large as the Lasso's, at an NRMSE within one sd of the paper's."""
        text = ""
        for method in LASS0_METHODS:
            for rule in RULES:
                failed = []
                for name in self.data:
                    key = (name, "standardised", method, rule)
                    small = mean(self.sizes[key]) <= mean(
                        self.sizes[name, "standardised", "lasso", rule]
                    )
                    centre, sd = PAPER[name][1]
                    error = mean(self.errors["all rows"][key])
                    if not small:
                        failed.append(f"{name} (larger)")
                    elif error > centre + sd:
                        failed.append(f"{name} (NRMSE {error:.1f} is above {centre + sd:.1f})")
                    elif error < centre - sd:
                        failed.append(
                            f"{name} (NRMSE {error:.1f} is below {centre - sd:.1f}: better)"
                        )
                met = len(self.data) - len(failed)
                text += (
                    f"- `{method}`, rule {rule}: at most as large as the Lasso with the same rule, and an NRMSE within one "
                    f"sd of the paper's Lass0, on {met} of {len(self.data)}"
                    + (f"; not on {', '.join(failed)}" if failed else "")
                    + "\n"
                )
        return text + "\n"

    def nearest(self):
        """Which of the ways to run it that the paper leaves open comes nearest to its numbers."""
        text = (
            "### Which reading of the paper is closest\n\n"
            "We tried what the paper does not specify: the rule (min or 1se), the columns standardised or in their own units, "
            "the target in its own units or standardised (Lass0 only: the paper's single lambda for both penalties depends "
            "on these units), and the sd that divides the RMSE (of all rows, or of the held-out rows). The closest has the "
            "lowest sum of the two distances, each in units of the paper's sd (at least 1).\n\n"
        )
        rows = []
        for name in self.data:
            for method, at in (("lasso", 0), ("lass0-paper", 1)):
                tried = []
                for source, errors in self.errors.items():
                    for key, values in errors.items():
                        if key[0] != name or key[2] != method:
                            continue
                        error, size = mean(values), mean(self.sizes[key])
                        distance = abs(error - PAPER[name][at][0]) / max(1, PAPER[name][at][1])
                        distance += abs(size - PAPER[name][at + 2][0]) / max(
                            1, PAPER[name][at + 2][1]
                        )
                        tried.append((distance, f"{key[3]}, {key[1]}, sd of {source}", error, size))
                distance, how, error, size = min(tried)
                rows.append(
                    [
                        name,
                        method,
                        f"{PAPER[name][at][0]:g} / {PAPER[name][at + 2][0]:g}",
                        f"{error:.1f} / {size:.1f}",
                        how,
                    ]
                )
        header = ["data", "method", "paper: NRMSE / size", "ours", "rule, units, sd"]
        return text + table(header, rows, "llrrl") + "\n"


def figure1_page(rows):
    seeds = len({row["seed"] for row in rows})
    text = (
        "## Figure 1\n\n![Hamming distance over the number of true columns](figure1.svg)\n\n"
        f"Hamming distance to the true support, mean over 10 outer folds and {seeds} seeds, ± half of a 95 % confidence "
        "interval over the seeds. n = 150, p = 30, equal correlation of all columns, beta ~ Uniform(-1, 1) on the true columns. The "
        "paper gives neither these nor the noise, so the variance of the signal is 100 times and 10 times that of the noise. The figure has rule min.\n\n"
    )
    values = grouped(rows, ["snr", "rho", "k", "rule", "method"], "hamming")
    methods = ["lasso", *LASS0_METHODS]
    cells = sorted(
        {key[:3] for key in values}, key=lambda c: (-float(c[0]), float(c[1]), float(c[2]))
    )
    lines = []
    for cell in cells:
        lines.append(list(cell))
        for rule in RULES:
            for method in methods:
                at = values[(*cell, rule, method)]
                lines[-1].append(f"{mean(at):.1f} ± {half_width(at):.1f}")
    header = ["signal / noise", "correlation", "true columns"]
    header += [f"{method}, {rule}" for rule in RULES for method in methods]
    text += table(header, lines, "rrr" + "r" * 6) + "\n"
    text += "Cells, and levels of sparsity averaged over correlations, with a lower distance than the Lasso with the same rule:\n\n"
    lines = []
    for snr in sorted({key[0] for key in values}, key=float, reverse=True):
        levels = sorted({key[2] for key in values}, key=float)
        for rule in RULES:
            for method in LASS0_METHODS:
                some = [cell for cell in cells if cell[0] == snr]
                below = sum(
                    mean(values[(*cell, rule, method)]) < mean(values[(*cell, rule, "lasso")])
                    for cell in some
                )
                met = 0
                for k in levels:
                    ours, lasso = (
                        mean([mean(values[(*c, rule, of)]) for c in some if c[2] == k])
                        for of in (method, "lasso")
                    )
                    met += ours < lasso
                lines.append(
                    [snr, rule, method, f"{below} of {len(some)}", f"{met} of {len(levels)}"]
                )
    return (
        text + table(["signal / noise", "rule", "method", "cells", "levels"], lines, "rllrr") + "\n"
    )


def htt_page(rows):
    keys = ["setting", "type", "rho", "snr"]
    methods = ["lasso", "relaxed", "forward", "lass0", "lass0-ridge"]
    values = grouped(rows, [*keys, "method"], "relative_test_error")
    cells = list(dict.fromkeys(key[:-1] for key in values))
    near = {method: 0 for method in methods}
    excess = {method: [] for method in methods}
    by_snr = {}
    for cell in cells:
        errors = {method: mean(values[(*cell, method)]) for method in methods}
        for method in methods:
            # Against the others of the comparison; Lass0 without ridge is no rival of Lass0 with it.
            rivals = {"lasso", "relaxed", "forward", method}
            least = min(errors[rival] for rival in rivals)
            good = errors[method] <= NEAR * least
            near[method] += good
            excess[method].append(errors[method] / least)
            met, count = by_snr.get((cell[3], method), (0, 0))
            by_snr[cell[3], method] = (met + good, count + 1)
    text = (
        "## The grid of Hastie, Tibshirani and Tibshirani\n\n![Relative test error over the signal-to-noise ratio](htt.svg)\n\n"
        "Rows N(0, Sigma), Sigma_ij = rho^|i - j|; beta types 1, 2, 3 and 5; every method is tuned on another n rows. A cell is a setting, a "
        f"type, a correlation and a signal-to-noise ratio: {len(cells)} cells, {len(rows) // len(methods) // len(cells)} data sets each "
        "on average. Near the lowest: the mean relative test error is within 2 % of the lowest of this method, the Lasso, "
        "the relaxed Lasso and forward stepwise. PVE: proportion of variance explained.\n\n"
    )
    measures = {
        name: grouped(rows, ["method"], name)
        for name in ("relative_risk", "relative_test_error", "pve", "size")
    }
    lines = []
    for method in methods:
        lines.append(
            [
                method,
                f"{near[method]} of {len(cells)} ({100 * near[method] / len(cells):.0f} %)",
                f"{100 * (mean(excess[method]) - 1):.1f} %",
                *(f"{mean(measures[name][method,]):.3f}" for name in list(measures)[:3]),
                f"{mean(measures['size'][method,]):.1f}",
            ]
        )
    header = ["method", "near the lowest", "mean excess", "relative risk", "relative test error"]
    text += table([*header, "PVE", "size"], lines, "lrrrrrr") + "\n"
    ratios = sorted({cell[3] for cell in cells}, key=float)
    lines = [[m, *("{} of {}".format(*by_snr[snr, m]) for snr in ratios)] for m in methods]
    text += "Near the lowest, by signal-to-noise ratio:\n\n"
    return text + table(["method", *ratios], lines, "l" + "r" * len(ratios)) + "\n"


CHOICE_RULES = ["min", "1se", "paired"]
CHOICE_METHODS = ["lasso", "relaxed", "lass0", "lass0-ridge"]


def choices():
    return [(method, rule) for method in CHOICE_METHODS for rule in CHOICE_RULES]


def excess(values, cells):
    """Of each way to choose: its error over the lowest of all in a cell, on average over the cells."""
    total = {}
    for cell in cells:
        errors = {way: mean(values[(*cell, *way)]) for way in choices()}
        least = min(errors.values())
        for way, error in errors.items():
            total.setdefault(way, []).append(error / least)
    return {way: mean(ratios) for way, ratios in total.items()}


def pooled_by_choice(rows, name):
    """The mean of a column over all data sets, of which a row has the mean of some."""
    total, count = {}, {}
    for row in rows:
        way, some = (row["method"], row["rule"]), int(row["data_sets"])
        total[way] = total.get(way, 0) + some * float(row[name])
        count[way] = count.get(way, 0) + some
    return {way: total[way] / count[way] for way in total}


def htt_cv_page(rows):
    keys = ["setting", "type", "rho", "snr"]
    errors = grouped(rows, [*keys, "method", "rule"], "relative_test_error")
    cells = list(dict.fromkeys(key[:4] for key in errors))
    pooled, sizes = (pooled_by_choice(rows, name) for name in ("relative_test_error", "size"))
    data_sets = sum(int(row["data_sets"]) for row in rows) // len(choices())
    over = excess(errors, cells)
    lasso, relaxed = (pooled[method, "min"] for method in ("lasso", "relaxed"))
    lines = [
        [
            method,
            rule,
            f"{pooled[method, rule]:.4f}",
            f"{pooled[method, rule] / lasso:.3f}",
            f"{pooled[method, rule] / relaxed:.3f}",
            f"{over[method, rule]:.3f}",
            f"{sizes[method, rule]:.1f}",
        ]
        for method, rule in choices()
    ]
    header = ["method", "rule", "relative test error", "/ Lasso (min)", "/ relaxed Lasso (min)"]
    header += ["over the best of each cell", "columns"]
    return (
        "## Which rule, and a ridge or not: simulated data\n\n"
        f"The same grid, everything tuned by 10-fold cross-validation on the training rows alone: {len(cells)} cells, "
        f"{data_sets} data sets. `lass0-ridge` also chooses the ridge.\n\n"
        + table(header, lines, "llrrrrr")
        + "\n"
    )


def choice_page(rows):
    errors = grouped(rows, ["data", "method", "rule"], "nrmse")
    sizes = grouped(rows, ["data", "method", "rule"], "size")
    cells = list(dict.fromkeys(key[:1] for key in errors))
    over = excess(errors, cells)
    lines = [
        [
            method,
            rule,
            f"{over[method, rule]:.3f}",
            f"{mean([mean(errors[(*cell, method, rule)]) for cell in cells]):.1f}",
            f"{mean([mean(sizes[(*cell, method, rule)]) for cell in cells]):.1f}",
        ]
        for method, rule in choices()
    ]
    text = (
        "## Which rule, and a ridge or not: the paper's data\n\n"
        "Nested cross-validation, ten outer and ten inner folds. NRMSE over the lowest of each data set, on average over the "
        f"{len(cells)} data sets.\n\n"
    )
    text += table(["method", "rule", "over the best", "NRMSE", "columns"], lines, "llrrr") + "\n"
    ways = [("lasso", "min"), *[way for way in choices() if way[0].startswith("lass0")]]
    lines = [
        [cell[0]]
        + [
            f"{mean(errors[(*cell, *way)]):.1f} ({mean(sizes[(*cell, *way)]):.1f})" for way in ways
        ]
        for cell in cells
    ]
    header = ["data: NRMSE (columns)", *(f"{method}, {rule}" for method, rule in ways)]
    return text + table(header, lines, "l" + "r" * len(ways)) + "\n"


def nothing_page(rows):
    sizes = grouped(rows, ["data", "method", "rule"], "size")
    names = list(dict.fromkeys(key[0] for key in sizes))
    lines = []
    for way in choices():
        shares = []
        for name in names:
            some = sizes[(name, *way)]
            shares.append(f"{100 * sum(size > 0 for size in some) / len(some):.0f} %")
        lines.append([*way, *shares])
    runs = len(rows) // len(names) // len(lines)
    return (
        "## Where there is nothing to find\n\n"
        f"The share of {runs} random permutations of the target in which a method chooses any column.\n\n"
        + table(["method", "rule", *names], lines, "ll" + "r" * len(names))
        + "\n"
    )


def optimum_page(rows):
    text = (
        "## Objective against the proven optimum\n\n"
        "1/2 residual sum of squares (RSS) + lambda * size at ten lambdas per data set, on all rows. Only problems count for which branch and bound "
        "proves the optimum within 2 seconds. `lasso-l0`, `forward` and `foba` use the best of all their models at each "
        "lambda.\n\n"
    )
    problems = {(row["data"], row["lambda"]) for row in rows}
    proven = [row for row in rows if row["status"] == "proven_optimal"]
    settled = {(row["data"], row["lambda"]) for row in proven}
    lines = []
    for method in ["lass0", "lass0-paper", "forward", "foba", "lasso-l0"]:
        gaps = [
            float(row["objective"]) / float(row["lower_bound"]) - 1
            for row in proven
            if row["method"] == method
        ]
        optimal = sum(gap < 1e-6 for gap in gaps)
        lines.append(
            [
                method,
                f"{optimal} of {len(gaps)}",
                f"{100 * mean(gaps):.3f} %" if gaps else "-",
                f"{100 * max(gaps):.2f} %" if gaps else "-",
            ]
        )
    text += table(["method", "optimal", "mean excess", "worst"], lines, "lrrr") + "\n"
    return text + f"The optimum was proven for {len(settled)} of {len(problems)} problems.\n"


def page(folder):
    text = (
        "# The paper's experiments, repeated\n\n"
        "Written by `make reproduce` from the CSV files in this folder; [../README.md](../README.md) discusses the "
        "differences from the paper.\n\n"
    )
    parts = [
        ("table1", lambda rows: Table1(rows).page()),
        ("figure1", figure1_page),
        ("htt", htt_page),
        ("htt_cv", htt_cv_page),
        ("choice", choice_page),
        ("nothing", nothing_page),
        ("optimum", optimum_page),
    ]
    for name, part in parts:
        rows = read(folder, name)
        text += part(rows) if rows else f"{name} has not been run.\n\n"
    return text


if __name__ == "__main__":
    output = Path(sys.argv[1])
    (output / "README.md").write_text(page(output))
