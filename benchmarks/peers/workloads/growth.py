"""One axis at a time from n = 2000, p = 2000, K = 100. Below K = 100 the cost of lass0's table does
not depend on K: the default rows are always computed."""

from functools import partial

from ..simulate import write_ar1

TITLE = "Growth of the cost"
ABOUT = "lass0 alone: `lass0 path` as n, p and K grow, one at a time; AR(1) 0.5, 20 true columns, signal to noise 5"
COMPARISONS = ["growth"]

BASE = dict(n=2000, p=2000, max_k=100)
AXES = {
    "n": [1000, 2000, 4000, 8000, 16000],
    "p": [1000, 2000, 4000, 8000, 16000],
    "max_k": [100, 150, 200, 300, 400],
}
QUICK = {"n": [300, 600, 1200], "p": [300, 600, 1200], "max_k": [100, 150, 200]}


def datasets(quick):
    base = dict(BASE, n=600, p=600) if quick else BASE
    return {
        f"growth-{axis}-{size}": partial(
            write_ar1, **dict(base, **{axis: size}), k=20, rho=0.5, snr=5, axis=axis
        )
        for axis, sizes in (QUICK if quick else AXES).items()
        for size in sizes
    }
