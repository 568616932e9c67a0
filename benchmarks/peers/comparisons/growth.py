"""How the cost of lass0's table grows with n, p and the largest size K: the slope of log time over
log size."""

import math

from .. import tables
from ..measure import Verdict
from ..rivals import L0_TABLE


def compare(dataset, bench):
    """Each data set is one point; the tables are made of all of them by summarise()."""
    measurement = bench.measure_all(L0_TABLE, dataset, lambda models: Verdict(), only=["lass0"])[0]
    cells = [
        str(dataset.n),
        str(dataset.p),
        str(dataset.max_k),
        tables.seconds(measurement),
        tables.memory(measurement),
    ]
    return [
        {
            "axis": dataset.axis,
            "size": dataset.meta[dataset.axis],
            "seconds": measurement.seconds,
            "cells": cells,
        }
    ]


def summarise(points):
    result = []
    for axis in dict.fromkeys(point["axis"] for point in points):
        mine = [point for point in points if point["axis"] == axis]
        known = [
            (math.log(point["size"]), math.log(point["seconds"]))
            for point in mine
            if point["seconds"]
        ]
        name = "K" if axis == "max_k" else axis
        result.append(
            tables.table(
                f"Growth with {name}",
                ["n", "p", "K", "time", "peak MiB"],
                [point["cells"] for point in mine],
                f"time grows like {name}^{slope(known):.2f}"
                if len(known) > 1
                else "too few points",
            )
        )
    return result


def slope(points):
    """Of the least-squares line through them."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
