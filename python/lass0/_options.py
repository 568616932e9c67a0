"""Parameters checked, and turned into the dictionary that the core takes."""

import sys
from numbers import Integral, Real

from joblib import effective_n_jobs

from ._progress import ProgressBar


def integer(value, name, least):
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, but must be a whole number")
    if value < least:
        raise ValueError(f"{name} is {value}, but must be at least {least}")
    return int(value)


def number(value, name, least=0.0, below=float("inf"), above=False):
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, but must be a number")
    if not (least < value if above else least <= value) or not value < below:
        bounds = f"{'above' if above else 'at least'} {least:g}"
        if below < float("inf"):
            bounds += f" and below {below:g}"
        raise ValueError(f"{name} is {value}, but must be {bounds}")
    return float(value)


def one_of(value, name, choices):
    if not isinstance(value, str) or value not in choices:
        listed = ", ".join(repr(one) for one in choices)
        raise ValueError(f"{name} is {value!r}, but must be one of {listed}")
    return value


def size(value, name):
    """A largest size: -1 stands for the core's own."""
    return -1 if value is None else integer(value, name, 0)


def effort(value):
    return one_of(value, "effort", ("quick", "full"))


def threads(n_jobs):
    return effective_n_jobs(n_jobs)


def run_options(estimator):
    one_of(estimator.on_interrupt, "on_interrupt", ("raise", "return"))
    limit = estimator.time_limit
    return {
        "threads": threads(estimator.n_jobs),
        "time_limit": None if limit is None else number(limit, "time_limit"),
        "progress": ProgressBar(sys.stderr) if estimator.verbose else None,
        "return_interrupted": estimator.on_interrupt == "return",
    }


def problem_options(estimator, include, signs, names):
    return {
        "include": [int(j) for j in include],
        "signs": [int(sign) for sign in signs],
        "names": names,
        "intercept": bool(estimator.fit_intercept),
        "standardize": bool(estimator.standardize),
    }
