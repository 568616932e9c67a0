"""Columns and signs as users give them: by name, by number (from 0) or as a mask."""

from collections.abc import Hashable, Mapping

import numpy as np

from ._numbers import library


def _column(one, estimator, what):
    """The number of a column given by name or number."""
    p = estimator.n_features_in_
    if isinstance(one, str):
        names = getattr(estimator, "feature_names_in_", None)
        if names is None:
            raise ValueError(
                f"{what} names {one!r}, but X has no column names: give numbers, from 0 to {p - 1}"
            )
        found = np.flatnonzero(names == one)
        if found.size == 0:
            raise ValueError(f"{what} names {one!r}, which is not a column of X")
        return int(found[0])
    if isinstance(one, (int, np.integer)) and not isinstance(one, (bool, np.bool_)):
        if not -p <= one < p:
            raise ValueError(f"{what} has {one}, but X has {p} columns, numbered from 0")
        return int(one) % p
    raise TypeError(f"{what} takes names, numbers or a mask of columns, not {one!r}")


def resolve_columns(given, estimator, what):
    """Columns given by name, number or mask as ascending numbers."""
    if given is None:
        return np.empty(0, dtype=np.int64)
    if isinstance(given, (str, int, np.integer)):
        given = [given]
    given = list(given)
    if given and all(isinstance(one, (bool, np.bool_)) for one in given):
        p = estimator.n_features_in_
        if len(given) != p:
            raise ValueError(f"{what} is a mask of {len(given)} values, but X has {p} columns")
        return np.flatnonzero(given)
    numbers = [_column(one, estimator, what) for one in given]
    return np.unique(np.asarray(numbers, dtype=np.int64))


_SIGNS = {"+": 1, "-": -1, 1: 1, -1: -1, 0: 0}


def _sign(value):
    # NumPy's numbers, and 1.0, are equal to a key and have its hash. True is not a sign.
    if isinstance(value, Hashable) and not isinstance(value, (bool, np.bool_)):
        sign = _SIGNS.get(value)
        if sign is not None:
            return sign
    raise ValueError(f"signs has {value!r}, but a sign must be 1 or '+', -1 or '-', or 0 (free)")


def resolve_signs(given, estimator, include):
    """One sign per column: 1, -1 or 0; empty if none is given.

    One value for all does not apply to the columns `include`, whose coefficients are free.
    """
    p = estimator.n_features_in_
    if given is None:
        return np.empty(0, dtype=np.int64)
    if library(given) == "pandas" and all(isinstance(one, str) for one in given.index):
        given = given.to_dict()  # a Series by name, whose order need not be that of the columns
    if isinstance(given, Mapping):
        signs = np.zeros(p, dtype=np.int64)
        for column, value in given.items():
            signs[_column(column, estimator, "signs")] = _sign(value)
        return signs
    if np.ndim(given) == 0:
        signs = np.full(p, _sign(given.item() if isinstance(given, np.ndarray) else given))
        signs[include] = 0
        return signs
    signs = np.array([_sign(value) for value in given], dtype=np.int64)
    if signs.size != p:
        raise ValueError(f"signs has {signs.size} values, but X has {p} columns")
    return signs
