"""Correlated: 2000 x 1000; AR(1) 0.9, 50 true columns, signal to noise 3."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Correlated: 2000 x 1000"
ABOUT = "AR(1) 0.9, 50 true columns, signal to noise 3"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=2000, p=1000, k=50, rho=0.9, snr=3)
QUICK = dict(n=400, p=150, k=15, rho=0.9, snr=3)


def datasets(quick):
    return {"correlated": partial(write_ar1, **(QUICK if quick else FULL))}
