"""Very wide: 500 x 20000; AR(1) 0.5, 10 true columns, signal to noise 5."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Very wide: 500 x 20000"
ABOUT = "AR(1) 0.5, 10 true columns, signal to noise 5"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=500, p=20000, k=10, rho=0.5, snr=5)
QUICK = dict(n=100, p=2000, k=5, rho=0.5, snr=5)


def datasets(quick):
    return {"very_wide": partial(write_ar1, **(QUICK if quick else FULL))}
