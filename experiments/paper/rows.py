"""Reads the CSV files of the experiments. Standard library only."""

import csv
import math
from collections import defaultdict


def read(folder, name):
    """The rows of an experiment as dictionaries; none where it has not been run."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def grouped(rows, keys, value):
    """The values of one column as numbers, by the values of the key columns."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys)].append(float(row[value]))
    return groups


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    if len(values) < 2:
        return 0.0
    centre = mean(values)
    return math.sqrt(sum((v - centre) ** 2 for v in values) / (len(values) - 1))


def half_width(values):
    """Of a 95 % confidence interval of the mean, by the normal distribution."""
    return 1.96 * deviation(values) / math.sqrt(len(values))
