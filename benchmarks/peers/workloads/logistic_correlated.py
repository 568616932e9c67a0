"""Logistic, correlated: 2000 x 500; AR(1) 0.9, 20 true columns, variance of the log odds 4."""

from functools import partial

from ..simulate import write_logistic

TITLE = "Logistic, correlated: 2000 x 500"
ABOUT = "two classes; AR(1) 0.9, 20 true columns, variance of the log odds 4"
COMPARISONS = ["logistic_table", "logistic_cross_validation"]

FULL = dict(n=2000, p=500, k=20, rho=0.9, snr=4, max_k=50)
QUICK = dict(n=400, p=100, k=8, rho=0.9, snr=4, max_k=30)


def datasets(quick):
    return {"logistic_correlated": partial(write_logistic, **(QUICK if quick else FULL))}
