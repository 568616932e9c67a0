"""Logistic, wide: 1000 x 5000; AR(1) 0.5, 10 true columns, variance of the log odds 4."""

from functools import partial

from ..simulate import write_logistic

TITLE = "Logistic, wide: 1000 x 5000"
ABOUT = "two classes; AR(1) 0.5, 10 true columns, variance of the log odds 4"
COMPARISONS = ["logistic_table", "logistic_cross_validation"]

FULL = dict(n=1000, p=5000, k=10, rho=0.5, snr=4, max_k=50)
QUICK = dict(n=200, p=600, k=5, rho=0.5, snr=4, max_k=15)


def datasets(quick):
    return {"logistic_wide": partial(write_logistic, **(QUICK if quick else FULL))}
