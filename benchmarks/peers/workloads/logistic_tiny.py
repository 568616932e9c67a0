"""Logistic, tiny: 200 x 30; AR(1) 0.8, 6 true columns, variance of the log odds 4."""

from functools import partial

from ..simulate import write_logistic

TITLE = "Logistic, tiny: 200 x 30"
ABOUT = "two classes; AR(1) 0.8, 6 true columns, variance of the log odds 4"
COMPARISONS = ["logistic_table", "logistic_cross_validation"]

FULL = dict(n=200, p=30, k=6, rho=0.8, snr=4, max_k=30)
QUICK = dict(n=200, p=30, k=6, rho=0.8, snr=4, max_k=30)


def datasets(quick):
    return {"logistic_tiny": partial(write_logistic, **(QUICK if quick else FULL))}
