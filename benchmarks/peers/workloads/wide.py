"""Wide: 1000 x 5000; AR(1) 0.5, 20 true columns, signal to noise 5."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Wide: 1000 x 5000"
ABOUT = "AR(1) 0.5, 20 true columns, signal to noise 5"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=1000, p=5000, k=20, rho=0.5, snr=5)
QUICK = dict(n=200, p=600, k=8, rho=0.5, snr=5)


def datasets(quick):
    return {"wide": partial(write_ar1, **(QUICK if quick else FULL))}
