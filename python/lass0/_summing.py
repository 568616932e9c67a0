"""lass0.moments: sums of tables, streams and arrays, a batch at a time."""

from collections.abc import Mapping
from numbers import Integral

import numpy as np

from . import _core
from ._moments import Moments
from ._numbers import plain
from ._sources import parts_of, refuse_wrong

_SEED_MOST = 2**64 - 1


def moments(
    source,
    target,
    *,
    folds=None,
    seed=None,
    fold_column=None,
    id_column=None,
    weights=None,
    levels=None,
    exclude=None,
    missing="error",
    first_row=1,
    threads=None,
):
    """Sum up data once, a batch at a time, for models of any size and lambda.

    Parameters
    ----------
    source : table, stream or array
        Anything with Arrow's C stream interface: tables and readers of pyarrow, frames of polars and pandas, relations of DuckDB. Also
        datasets and Parquet files of pyarrow, lazy frames of polars, and iterables of such parts, all read in batches. Or an array of
        shape (n_samples, n_features).
    target : str, or array of shape (n_samples,)
        The column to explain; with an array, its values.
    folds : int, optional
        The number of random folds; 1: none, for fits and paths only. By default 10.
    seed : int, optional
        The seed of the folds. By default 1.
    fold_column : str, optional
        Folds are the rows with the same label in this column, which has at most 1000 of them. Without `folds` and `seed`.
    id_column : str, optional
        The fold of a row follows from a hash of its ID, a text or a whole number: rows with the same ID are in the same fold,
        wherever and in whatever order they are summed.
    weights : str, or array of shape (n_samples,), optional
        A column of row weights: 2 counts the row twice, 0 ignores it. With an array, their values.
    levels : dict, optional
        Text columns to encode as 0/1 columns, with all their levels, of which the first gets no column: ``{"colour": ["red", "blue"]}``.
    exclude : list of str, optional
        Columns to ignore. Of files, frames and datasets they are not even read, whatever their types.
    missing : {"error", "drop"}, default="error"
        What to do with rows in which a value is missing (null or NaN).
    first_row : int, default=1
        The number of the first row in the whole data, for a part of them that is summed on its own. With random folds only.
    threads : int, optional
        The number of threads; by default all cores. The result is the same for any number.

    Returns
    -------
    Moments

    Examples
    --------
    >>> import pyarrow as pa
    >>> from sklearn.datasets import load_diabetes
    >>> import lass0
    >>> table = pa.Table.from_pandas(load_diabetes(as_frame=True).frame)
    >>> sums = lass0.moments(table, "target")
    >>> sums
    Moments of 442 rows, 10 columns, target 'target'; 10 folds, seed 1
    >>> lass0.Lass0CV().fit(sums).get_feature_names_out()
    array(['sex', 'bmi', 'bp', 's3', 's5'], dtype=object)
    """
    if isinstance(source, np.ndarray):
        refuse_names(
            missing, fold_column=fold_column, id_column=id_column, levels=levels, exclude=exclude
        )
        options = array_options(folds, seed, first_row, threads)
        return _of_some(moments_of_arrays(source, target, weights, options))
    refuse_wrong(source)
    sums = Summing(
        target,
        folds=folds,
        seed=seed,
        fold_column=fold_column,
        id_column=id_column,
        weights=weights,
        levels=levels,
        exclude=exclude,
        missing=missing,
        first_row=first_row,
        threads=threads,
    )
    sums.add(source)
    return _of_some(Moments(sums.take()))


def refuse_names(missing, **given):
    """Raises ValueError for arguments of `moments` that an array can't have."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} needs a table with names, not an array")
    if missing != "error":
        raise ValueError(
            f"missing is {missing!r}, which needs a table with names: drop rows of an array before, or impute them"
        )


def _of_some(sums):
    if sums.n == 0:
        raise ValueError("there are no rows of positive weight without missing values")
    return sums


def _column(name, what, needed=False):
    if name is None and not needed:
        return ""
    if hasattr(name, "shape") and not isinstance(name, str):  # a text of NumPy has a shape
        raise TypeError(
            f"{what} is an array, but must be the name of a column: add it to the table"
        )
    if not isinstance(name, str) or not name:
        raise TypeError(f"{what} is {name!r}, but must be the name of a column")
    return name


def _whole(value, what, least, most=2**31 - 1):
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{what} is {value!r}, but must be a whole number")
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}, but must be at least {least} and at most {most}")
    return int(value)


def _run_options(threads):
    return {
        "threads": 0 if threads is None else _whole(threads, "threads", 1),
        "time_limit": None,
        "progress": None,
        "return_interrupted": False,
    }


def _levels(given):
    if given is None:
        return {}
    if not isinstance(given, Mapping) or any(isinstance(one, str) for one in given.values()):
        raise TypeError("levels must be a dictionary: the levels of each text column")
    return {
        _column(column, "a column of levels", True): [level_text(one) for one in levels]
        for column, levels in given.items()
    }


def level_text(level):
    """A level as the core reads it in a column: texts are UTF-8, and truth values "true" and "false"."""
    if isinstance(level, bytes):
        return level.decode()
    return str(level).lower() if isinstance(level, (bool, np.bool_)) else str(level)


class Summing:
    """Sums that are being made: what :func:`moments` does, part by part. With ``numbered=False`` the order of rows means nothing."""

    def __init__(
        self,
        target,
        *,
        folds=None,
        seed=None,
        fold_column=None,
        id_column=None,
        weights=None,
        levels=None,
        exclude=None,
        missing="error",
        first_row=1,
        threads=None,
        numbered=True,
    ):
        if missing not in ("error", "drop"):
            raise ValueError(f"missing is {missing!r}, but must be one of 'error', 'drop'")
        if isinstance(exclude, str):
            exclude = [exclude]
        self.exclude = [
            _column(one, "exclude", True) for one in (() if exclude is None else exclude)
        ]
        self._run = _run_options(threads)
        if fold_column is not None:
            for name, value in (("folds", folds), ("seed", seed)):
                if value is not None:
                    raise ValueError(
                        f"{name} does not work with fold_column, whose labels are the folds: leave one of them out"
                    )
        options = {
            "target": _column(target, "target", True),
            **_fold_options(folds, seed, first_row),
            "fold_column": _column(fold_column, "fold_column"),
            "id_column": _column(id_column, "id_column"),
            "weights": _column(weights, "weights"),
            "levels": _levels(levels),
            "exclude": self.exclude,
            "drop_missing": missing == "drop",
            "numbered": numbered,
        }
        self._core = _core.MomentsOfArrow(options | self._run)

    def add(self, source, left_out=()):
        """Rows of anything that :func:`moments` takes, except arrays. `left_out`: excluded columns that are in the data, but not here."""
        for part, more in parts_of(source, self.exclude):
            self._core.add(part.__arrow_c_stream__(), self._run, [*left_out, *more])

    def take(self):
        return self._core.take()


def _fold_options(folds, seed, first_row):
    return {
        "folds": 10 if folds is None else _whole(folds, "folds", 1),
        "seed": 1 if seed is None else _whole(seed, "seed", 0, _SEED_MOST),
        "first_row": _whole(first_row, "first_row", 1, 2**62),
    }


def array_options(folds, seed, first_row=1, threads=None):
    """What :func:`moments_of_arrays` takes, checked."""
    return _fold_options(folds, seed, first_row) | _run_options(threads)


def moments_of_arrays(X, y, weights, options):
    from ._design import list_gaps, number_matrix, number_vector

    if X.ndim != 2 or np.shape(y) != X.shape[:1]:
        raise ValueError(
            f"X has shape {X.shape} and target has shape {np.shape(y)}: with an array, target has one value per row"
        )
    X, y = number_matrix(X), number_vector(y, "y", "encode the target first")
    if weights is not None:
        if np.shape(weights) != X.shape[:1]:
            raise ValueError(
                f"X has shape {X.shape} and weights has shape {np.shape(weights)}: with an array, weights has one value per row"
            )
        weights = number_vector(weights, "weights", "give numbers")
        if weights.size and weights.min() < 0:
            row = int(weights.argmin())
            raise ValueError(
                f"weights is {weights[row]:g} in row {row}, rows counted from 0: weights must be 0 or more"
            )
    names = [f"x{j}" for j in range(X.shape[1])]
    options = {"names": names, "target": "y"} | options
    try:
        return Moments(_core.moments_of_arrays(plain(X), y, weights, options))
    except ValueError as error:
        if not str(error).endswith("the value is not a finite number"):
            raise
    list_gaps(X, names)
    raise ValueError("X contains NaN or infinity")
