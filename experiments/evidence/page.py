"""page.py FOLDER: README.md with the tables, from the CSV files in the folder."""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

SETTING = ["n", "p", "k", "rho", "snr"]


def read(folder, name):
    """The rows of a file by setting; none where there is no such file."""
    path = Path(folder) / f"{name}.csv"
    groups = defaultdict(list)
    if path.exists():
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                groups[tuple(row[column] for column in SETTING)].append(row)
    return groups


def table(header, rows):
    lines = [header, ["---:"] * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def coverage(rows):
    """The share of new rows inside their interval, and its standard error over data sets."""
    shares = [int(row["inside"]) / int(row["new_rows"]) for row in rows]
    middle = mean(shares)
    variance = sum((share - middle) ** 2 for share in shares) / max(1, len(shares) - 1)
    return middle, math.sqrt(variance / len(shares))


def intervals_page(groups):
    first = next(iter(groups.values()))
    text = (
        "## Prediction intervals\n\n"
        f"{len(first)} data sets per line, {first[0]['new_rows']} new rows each. Coverage: the share of new rows inside their interval; nominal 90 %. "
        "SE: its standard error over data sets. Width: mean width of the intervals. Size: mean number of columns of the model.\n\n"
    )
    lines = []
    for (n, p, _, rho, _), rows in groups.items():
        share, error = coverage(rows)
        width = mean(float(row["mean_width"]) for row in rows)
        size = mean(int(row["size"]) for row in rows)
        lines.append(
            [n, p, rho, f"{100 * share:.1f} %", f"{100 * error:.1f}", f"{width:.2f}", f"{size:.1f}"]
        )
    header = ["rows", "columns", "correlation", "coverage", "SE", "width", "size"]
    return text + table(header, lines) + "\n"


def p_values_page(groups):
    first = next(iter(groups.values()))
    text = (
        "## Split-sample p-values\n\n"
        f"{len(first)} data sets per line. Family-wise errors: data sets in which a column without an effect has a p-value of at most 0.05; at most 5 % are allowed. "
        "Found: mean share of the true columns with a p-value of at most 0.05.\n\n"
    )
    lines = []
    for (n, p, k, rho, _), rows in groups.items():
        errors = sum(int(row["false_columns"]) > 0 for row in rows)
        found = mean(int(row["true_columns"]) / int(k) for row in rows)
        lines.append([n, p, rho, f"{errors} of {len(rows)}", f"{100 * found:.0f} %"])
    return (
        text + table(["rows", "columns", "correlation", "family-wise errors", "found"], lines) + "\n"
    )


def page(folder):
    text = (
        "# Evidence and intervals: the numbers\n\n"
        "Written by `make evidence` from the CSV files in this folder; [../README.md](../README.md) says what was run.\n\n"
    )
    for name, part in (("intervals", intervals_page), ("p_values", p_values_page)):
        groups = read(folder, name)
        text += part(groups) if groups else f"{name} has not been run.\n\n"
    return text.rstrip("\n") + "\n"


if __name__ == "__main__":
    output = Path(sys.argv[1])
    (output / "README.md").write_text(page(output))
