"""Checks parameters and makes the dictionary of options that the core takes.

Types are checked here. The core knows which numbers and words a parameter may be, and which parameters do not work together.
"""

import sys
from numbers import Integral, Real

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from . import _core
from ._progress import ProgressBar

_MOST = 2**31 - 1


def integer(value, name, least=None, most=_MOST):
    """A whole number; without `least` of a parameter whose range the core knows."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, but must be a whole number")
    if least is not None and value < least:
        raise ValueError(f"{name} is {value}, but must be at least {least}")
    if value > most:
        raise ValueError(f"{name} is {value}, but must be at most {most}")
    if least is None:
        _core.check_value(name, value)
    return int(value)


def boolean(value, name):
    # A text, such as "no", would be true.
    if not isinstance(value, (bool, np.bool_, Integral)) or value not in (0, 1):
        raise TypeError(f"{name} is {value!r}, but must be True or False")
    return bool(value)


def number(value, name, least=None, below=float("inf"), above=False):
    """A number; without `least` of a parameter whose range the core knows."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, but must be a number")
    if least is None:
        _core.check_value(name, value)
        return float(value)
    if not (least < value if above else least <= value) or not value < below:
        bounds = f"{'above' if above else 'at least'} {least:g}"
        bounds += f" and below {below:g}" if below < float("inf") else ", and finite"
        raise ValueError(f"{name} is {value}, but must be {bounds}")
    return float(value)


def distance(value, name):
    """How far above the best objective: a number, or a text such as "1%" that the core reads."""
    if isinstance(value, str):
        return value
    return repr(number(value, name))


_WORDS = {option["parameter"]: option["words"] for option in _core.OPTIONS}


def one_of(value, name, choices=None):
    """One of a few words; without `choices` of a parameter whose words the core knows."""
    choices = _WORDS[name] if choices is None else choices
    if not isinstance(value, str) or value not in choices:
        listed = ", ".join(repr(one) for one in choices)
        raise ValueError(f"{name} is {value!r}, but must be one of {listed}")
    return value


def size(value, name):
    """A size; None means the default of the core."""
    return None if value is None else integer(value, name)


def effort(value):
    return one_of(value, "effort")


def seed(random_state):
    """The seed of the core; a RandomState or None gives a new one at every call."""
    if isinstance(random_state, (int, np.integer)):
        return integer(random_state, "random_state", 0, 2**64 - 1)
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads(n_jobs):
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool)):
        raise TypeError(f"n_jobs is {n_jobs!r}, but must be a whole number or None")
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


def problem_options(estimator, include, signs):
    return {
        "include": [int(j) for j in include],
        "signs": [int(sign) for sign in signs],
        "intercept": boolean(estimator.fit_intercept, "fit_intercept"),
        "standardize": boolean(estimator.standardize, "standardize"),
    }
