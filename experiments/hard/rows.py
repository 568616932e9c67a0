"""Reads the CSV files of a folder: what each method found. Standard library only."""

import csv
from collections import defaultdict
from pathlib import Path

BEFORE = "0.1.1"
METHODS = ["lasso", "forward", "abess", BEFORE, "lass0"]
NAMES = {
    "lasso": "Lasso",
    "forward": "forward stepwise",
    "abess": "abess",
    BEFORE: f"lass0 {BEFORE}",
    "lass0": "lass0",
}
BELOW = 1 - 1e-9  # an RSS of less than this times another one is lower


def read(folder, name):
    """The rows of a file as dictionaries; none where there is no such file."""
    path = Path(folder) / f"{name}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def read_phase(folder):
    """All rows of the phase diagram; what lass0 found before has a method of its own."""
    rows = read(folder, "phase") + read(folder, "phase-abess")
    for row in read(folder, f"phase-{BEFORE}"):
        rows.append({**row, "method": BEFORE})
    return rows


def ordered(rows, name):
    """The different values of a column, by size."""
    return sorted({row[name] for row in rows}, key=float)


def is_true_support(row):
    return row["true_columns"] == row["k"]


def fits_as_well(row):
    return row["found"] == "1"


def shares(rows, counts):
    """By method, correlation, signal-to-noise ratio and size: in how many data sets, and of how many."""
    cells = defaultdict(lambda: [0, 0])
    for row in rows:
        cell = cells[row["method"], row["rho"], row["snr"], row["k"]]
        cell[0] += counts(row)
        cell[1] += 1
    return cells


def beyond_the_limit(rows):
    """The cells (correlation, ratio, size) where in half of the data sets or more a support of the
    true size fits better than the true one: there the lowest RSS is not the truth."""
    lower, seen = defaultdict(set), defaultdict(set)
    for row in rows:
        cell = row["rho"], row["snr"], row["k"]
        seen[cell].add(row["seed"])
        if row["rss_over_truth"] and float(row["rss_over_truth"]) < BELOW:
            lower[cell].add(row["seed"])
    return {cell for cell in seen if 2 * len(lower[cell]) >= len(seen[cell])}
