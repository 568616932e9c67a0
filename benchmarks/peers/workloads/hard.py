"""Hard: 500 x 5000; AR(1) 0.5, 80 true columns of equal size, signal to noise 20."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Hard: 500 x 5000, 80 true columns"
ABOUT = "AR(1) 0.5, 80 true columns, all coefficients 1 or -1, signal to noise 20"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=500, p=5000, k=80, rho=0.5, snr=20, smallest=1)
QUICK = dict(n=100, p=700, k=14, rho=0.5, snr=20, smallest=1)


def datasets(quick):
    return {"hard": partial(write_ar1, **(QUICK if quick else FULL))}
