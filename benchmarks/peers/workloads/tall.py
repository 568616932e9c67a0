"""Tall: 100000 x 200; AR(1) 0.5, 20 true columns, signal to noise 1."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Tall: 100000 x 200"
ABOUT = "AR(1) 0.5, 20 true columns, signal to noise 1"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=100000, p=200, k=20, rho=0.5, snr=1)
QUICK = dict(n=5000, p=50, k=10, rho=0.5, snr=1)


def datasets(quick):
    return {"tall": partial(write_ar1, **(QUICK if quick else FULL))}
