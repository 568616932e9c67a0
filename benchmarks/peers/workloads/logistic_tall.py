"""Logistic, tall: 50000 x 100; AR(1) 0.5, 15 true columns, variance of the log odds 4."""

from functools import partial

from ..simulate import write_logistic

TITLE = "Logistic, tall: 50000 x 100"
ABOUT = "two classes; AR(1) 0.5, 15 true columns, variance of the log odds 4"
COMPARISONS = ["logistic_table", "logistic_cross_validation"]

FULL = dict(n=50000, p=100, k=15, rho=0.5, snr=4, max_k=50)
QUICK = dict(n=5000, p=50, k=8, rho=0.5, snr=4, max_k=50)


def datasets(quick):
    return {"logistic_tall": partial(write_logistic, **(QUICK if quick else FULL))}
