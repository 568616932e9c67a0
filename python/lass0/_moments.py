"""Moments: sums of squares and products per fold, in place of rows that are many or lie elsewhere."""

import os
from collections.abc import Iterable, Mapping
from numbers import Integral

import numpy as np

from . import _core
from ._numbers import library, plain

_SEED_MOST = 2**64 - 1


class Moments:
    """Sums of squares and products of the rows, per fold: all that least squares needs of the data.

    :func:`lass0.moments` makes them from data, :func:`lass0.load_moments` reads them from a file. :class:`Lass0`, :class:`Lass0CV`,
    :class:`LassoPath`, :func:`path` and :func:`stability` take them in place of X, without y, and give the answers of the data.
    They can be pickled.

    Attributes
    ----------
    n : int
        The number of rows of positive weight.
    p : int
        The number of columns of X.
    names : list of str
        The names of these columns.
    target : str
        The name of the target.
    weights : str or None
        The column of the weights.
    folds : int
        The number of folds.
    fold_column : str or None
        What folds come from; None: they are random ones, of the seed `seed`.
    seed : int or None
    next_row : int
        With random folds: the `first_row` of a part that follows.
    levels : dict
        The levels of one-hot columns.
    """

    def __init__(self, core):
        if not isinstance(core, _core.Moments):
            raise TypeError("Moments are made by lass0.moments and lass0.load_moments")
        self._core = core
        self._rows = None

    @classmethod
    def load(cls, path):
        """Read a file that :meth:`save` or ``lass0 moments`` wrote."""
        return cls(_core.Moments.load(os.fspath(path)))

    @classmethod
    def from_bytes(cls, content):
        """From the content of such a file."""
        return cls(_core.Moments.from_bytes(bytes(content)))

    def to_bytes(self):
        """The content of the file that :meth:`save` writes."""
        return self._core.to_bytes()

    def save(self, path):
        """Write a file that the program ``lass0`` and :func:`load_moments` read."""
        self._core.save(os.fspath(path))

    def merge(self, *others):
        """The sums of these rows and of those of other moments; ``a + b`` is the same for two.

        They must have the same columns, target, weights and kind of folds; with random folds, no row in common.
        """
        for other in others:
            if not isinstance(other, Moments):
                raise TypeError(f"moments are merged with moments only, not with {type(other)}")
        return Moments(merged([self.to_bytes(), *(one.to_bytes() for one in others)]))

    def __add__(self, other):
        return self.merge(other) if isinstance(other, Moments) else NotImplemented

    n = property(lambda self: self._core.n)
    names = property(lambda self: self._core.names)
    p = property(lambda self: len(self.names))
    target = property(lambda self: self._core.target)
    weights = property(lambda self: self._core.weights or None)
    folds = property(lambda self: self._core.folds)
    fold_column = property(lambda self: self._core.fold_column or None)
    levels = property(lambda self: self._core.levels)

    @property
    def seed(self):
        return self._core.seed if self.fold_column is None else None

    @property
    def next_row(self):
        return self._core.next_row if self.fold_column is None else None

    def rows(self):
        """Rows with the same sums, for the core. They are kept: every fit needs them."""
        if self._rows is None:
            self._rows = self._core.rows()
        return self._rows

    def __reduce__(self):
        return Moments.from_bytes, (self.to_bytes(),)

    def __repr__(self):
        by = f"seed {self.seed}" if self.fold_column is None else f"by {self.fold_column}"
        return f"Moments of {self.n:,} rows, {self.p} columns, target {self.target!r}; {self.folds} folds, {by}"


def merged(contents):
    """The core's moments of the contents of several files; None of none."""
    sums = None
    for content in contents:
        if sums is None:
            sums = _core.Moments.from_bytes(content)
        else:
            sums.merge(content)
    return sums


def load_moments(path):
    """Read moments from a file that :meth:`Moments.save` or the program ``lass0 moments`` wrote."""
    return Moments.load(path)


def moments(
    source,
    target,
    *,
    folds=10,
    seed=1,
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
    folds : int, default=10
        The number of random folds; 1: none, for fits and paths only.
    seed : int, default=1
        The seed of the folds.
    fold_column : str, optional
        Folds are the rows with the same label in this column.
    id_column : str, optional
        The fold of a row follows from a hash of its ID, a text or a whole number: rows with the same ID are in the same fold,
        wherever and in whatever order they are summed.
    weights : str, optional
        A column of row weights: 2 counts the row twice, 0 ignores it.
    levels : dict, optional
        Text columns to encode as 0/1 columns, with all their levels, of which the first gets no column: ``{"colour": ["red", "blue"]}``.
    exclude : list of str, optional
        Columns to ignore.
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
        for name, given in (("fold_column", fold_column), ("id_column", id_column), ("weights", weights), ("levels", levels), ("exclude", exclude)):  # fmt: skip
            if given is not None:
                raise ValueError(f"{name} needs a table with names, not an array")
        if missing != "error":
            raise ValueError(
                "missing needs a table with names: drop rows of an array before, or impute them"
            )
        return _of_some(moments_of_arrays(source, target, folds, seed, first_row, threads))
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


def _of_some(sums):
    if sums.n == 0:
        raise ValueError("there are no rows of positive weight without missing values")
    return sums


def _column(name, what, needed=False):
    if name is None and not needed:
        return ""
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
        _column(column, "a column of levels", True): [str(one) for one in levels]
        for column, levels in given.items()
    }


class Summing:
    """Sums that are being made: what :func:`moments` does, part by part. With ``numbered=False`` the order of rows means nothing."""

    def __init__(
        self,
        target,
        *,
        folds=10,
        seed=1,
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
        self._exclude = [_column(one, "exclude", True) for one in exclude or ()]
        self._run = _run_options(threads)
        options = {
            "target": _column(target, "target", True),
            "folds": _whole(folds, "folds", 1),
            "seed": _whole(seed, "seed", 0, _SEED_MOST),
            "fold_column": _column(fold_column, "fold_column"),
            "id_column": _column(id_column, "id_column"),
            "weights": _column(weights, "weights"),
            "levels": _levels(levels),
            "exclude": self._exclude,
            "drop_missing": missing == "drop",
            "first_row": _whole(first_row, "first_row", 1, 2**62),
            "numbered": numbered,
        }
        self._core = _core.MomentsOfArrow(options | self._run)

    def add(self, source):
        """Rows of anything that :func:`moments` takes, except arrays."""
        for part in _parts(source):
            self._core.add(part.__arrow_c_stream__(), self._run)

    def take(self):
        return self._core.take()


def _parts(source):
    """What a source consists of that has Arrow's C stream interface."""
    if library(source) == "pandas":  # whose own stream has the index as a column
        yield _without_index(source)
    elif hasattr(source, "__arrow_c_stream__"):
        yield source
    elif hasattr(source, "scanner"):  # a dataset of pyarrow
        yield dataset_reader(source, source.schema.names)
    elif hasattr(source, "to_reader"):  # its scanner
        yield source.to_reader()
    elif hasattr(source, "iter_batches"):  # a Parquet file of pyarrow
        rows = batch_rows(len(source.schema_arrow.names))
        for group in range(source.num_row_groups):  # of all groups it would read ahead
            yield from source.iter_batches(batch_size=rows, row_groups=[group])
    elif hasattr(source, "collect_batches"):  # a lazy frame of polars
        yield from source.collect_batches()
    elif isinstance(source, Iterable) and not isinstance(source, (str, bytes, Mapping, np.ndarray)):
        for part in source:
            if isinstance(part, (str, bytes)) or part is source:
                break
            yield from _parts(part)
        else:
            return
        raise _refused(part)
    else:
        raise _refused(source)


def _without_index(frame):
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            "moments of a pandas data frame need pyarrow: pip install pyarrow"
        ) from None
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def _refused(source):
    if isinstance(source, (str, bytes, os.PathLike)):
        return TypeError(
            "moments takes data, not the name of a file: open it with pyarrow.dataset.dataset or polars.scan_parquet"
        )
    return TypeError(
        f"moments takes tables with Arrow's C stream interface (pyarrow, polars, pandas 2.2 or newer, DuckDB) or arrays, not {type(source)}"
    )


def batch_rows(columns):
    """Rows of a batch of about 16 MB."""
    return max(1024, 2**21 // max(1, columns))


def dataset_reader(dataset, columns):
    """Reads a dataset of pyarrow with little memory: by default it has much of it in memory before it is asked for."""
    from pyarrow.dataset import ParquetFileFormat, ParquetFragmentScanOptions

    options = {}
    if isinstance(getattr(dataset, "format", None), ParquetFileFormat):
        options["fragment_scan_options"] = ParquetFragmentScanOptions(pre_buffer=False)
    scanner = dataset.scanner(
        columns=columns,
        batch_size=batch_rows(len(columns)),
        use_threads=False,  # with threads it may be far ahead of the sums
        batch_readahead=1,
        fragment_readahead=1,
        **options,
    )
    return scanner.to_reader()


def moments_of_arrays(X, y, folds=10, seed=1, first_row=1, threads=None):
    from ._design import list_gaps, number_matrix, number_vector

    if X.ndim != 2 or np.shape(y) != X.shape[:1]:
        raise ValueError(
            f"X has shape {X.shape} and target has shape {np.shape(y)}: with an array, target has one value per row"
        )
    X, y = number_matrix(X), number_vector(y, "y", "encode the target first")
    options = {
        "names": [f"x{j}" for j in range(X.shape[1])],
        "target": "y",
        "folds": _whole(folds, "folds", 1),
        "seed": _whole(seed, "seed", 0, _SEED_MOST),
        "first_row": _whole(first_row, "first_row", 1, 2**62),
    }
    try:
        return Moments(_core.moments_of_arrays(plain(X), y, options | _run_options(threads)))
    except ValueError as error:
        if not str(error).endswith("the value is not a finite number"):
            raise
    list_gaps(X, options["names"])
    raise ValueError("X contains NaN or infinity")


class MomentsData:
    """Moments as the core takes data: rows with the same sums. Like :class:`lass0._design.Data`."""

    classes, class_names, offset, offset_name = None, [], None, ""

    def __init__(self, estimator, sums, y, sample_weight, offset):
        if y is not None:
            raise ValueError("y must be None: the target of moments is in them")
        if sample_weight is not None:
            raise ValueError(
                "sample_weight needs the rows: moments are made with weights (lass0.moments(..., weights=))"
            )
        if offset is not None or estimator._family != "gaussian":
            raise ValueError(
                "moments are the sums of a target of numbers without an offset: two classes and offsets need the rows"
            )
        rows = sums.rows()
        self._X, self.y, self.weights, self.summed = (
            rows[name] for name in ("X", "y", "weights", "summed")
        )
        self.target, self.one_hot, self.seed, self.folds = (
            sums.target,
            sums.levels,
            sums.seed,
            sums.folds,
        )
        self.shape = (sums.n, sums.p)
        estimator.n_features_in_ = sums.p
        estimator.feature_names_in_ = np.array(sums.names, dtype=object)

    def matrix(self, keep=None):
        return self._X if keep is None else [self._X[:, j] for j in keep]

    def list_gaps(self, keep=None):
        """There are none."""
