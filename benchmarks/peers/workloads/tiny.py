"""Tiny: 200 x 30; AR(1) 0.8, 8 true columns, signal to noise 3."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Tiny: 200 x 30"
ABOUT = "AR(1) 0.8, 8 true columns, signal to noise 3"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=200, p=30, k=8, rho=0.8, snr=3)
QUICK = dict(n=200, p=30, k=8, rho=0.8, snr=3)


def datasets(quick):
    return {"tiny": partial(write_ar1, **(QUICK if quick else FULL))}
