"""abess on the data sets of phase.csv and settings.csv: writes phase-abess.csv and settings-abess.csv.

    abess_rows.py LASS0 FOLDER [phase] [settings]

Runs in the environment that run.py makes.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from abess import LinearRegression

DATA_SET = ["n", "p", "k", "rho", "snr", "seed"]
SAME_RSS = 1 + 1e-9  # equal but for rounding, as in experiments.hpp


def data_sets(path):
    """The different data sets of a CSV file, in its order."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return list(dict.fromkeys(tuple(row[name] for name in DATA_SET) for row in rows))


def simulate(lass0, folder, data_set):
    """The same data as in the C++ program: X, y and the true columns."""
    command = [lass0, "simulate", "--correlation", "ar1", "--coefficients", "unit"]
    for name, value in zip(DATA_SET, data_set):
        command += [f"--{name}", value]
    table, truth = folder / "data.npy", folder / "truth.txt"
    subprocess.run([*command, "--output", table, "--truth", truth], check=True)
    values = np.load(table)
    support = [int(line.removeprefix("x")) - 1 for line in truth.read_text().split()]
    return np.ascontiguousarray(values[:, :-1]), values[:, -1], support


def least_squares_rss(X, y, support):
    columns = np.column_stack([np.ones(len(y)), X[:, support]])
    coefficients = np.linalg.lstsq(columns, y, rcond=None)[0]
    return float(np.sum((y - columns @ coefficients) ** 2))


def support_of_size(X, y, size):
    """abess goes through the sizes 0 .. size, each started from the one before."""
    estimator = LinearRegression(support_size=range(size + 1), ic_type="loss", thread=1)
    return np.flatnonzero(estimator.fit(X, y).coef_)


def phase_rows(X, y, truth):
    support = support_of_size(X, y, len(truth))
    ratio = least_squares_rss(X, y, support) / least_squares_rss(X, y, truth)
    common = len(set(support) & set(truth))
    return [["abess", f"{ratio:.10g}", int(ratio <= SAME_RSS), common]]


def settings_rows(X, y, truth):
    supports = [support_of_size(X, y, size) for size in range(1, len(truth) + 1)]
    return [[len(one), f"{least_squares_rss(X, y, one):.12g}"] for one in supports]


EXPERIMENTS = {
    "phase": (phase_rows, ["method", "rss_over_truth", "found", "true_columns"]),
    "settings": (settings_rows, ["size", "rss"]),
}


def main():
    lass0, folder = sys.argv[1], Path(sys.argv[2])
    for name in sys.argv[3:]:
        rows_of, header = EXPERIMENTS[name]
        rows = []
        with tempfile.TemporaryDirectory() as scratch:
            for data_set in data_sets(folder / f"{name}.csv"):
                found = rows_of(*simulate(lass0, Path(scratch), data_set))
                rows += [[*data_set, *row] for row in found]
        with open(folder / f"{name}-abess.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*DATA_SET, *header])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
