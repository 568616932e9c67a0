"""Sparse: 10000 x 100000, one value in a thousand."""

from functools import partial

from ..simulate import write_sparse

TITLE = "Sparse: 10000 x 100000"
ABOUT = "density 0.001, 50 true columns, signal to noise 1"
COMPARISONS = ["lasso_path", "l0_table", "l0_lambda", "cross_validation"]

FULL = dict(n=10_000, p=100_000, k=50, density=0.001, snr=1)
QUICK = dict(n=200, p=400, k=5, density=0.03, snr=1)


def datasets(quick):
    return {"sparse": partial(write_sparse, **(QUICK if quick else FULL))}
