"""Moments: sums of squares and products per fold, in place of rows that are many or lie elsewhere."""

import os

import numpy as np

from . import _core


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
        The column that gives the folds; None: random folds with seed `seed`. "none": sums without folds of an engine such as
        Dask or Spark.
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
        return Moments(merged(one.to_bytes() for one in (self, *others)))  # one after the other

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
        folds = "no folds" if self._has_no_folds() else f"{self.folds} folds, {by}"
        return f"Moments of {self.n:,} rows, {self.p} columns, target {self.target!r}; {folds}"

    def _has_no_folds(self):
        # The rows of an engine, which have no numbers, then have the fold column "none".
        return self.folds == 1 and self.fold_column in (None, "none")


def merged(contents, check=lambda sums: None):
    """The core's moments of the contents of several files; None of none. `check` sees the sums so far after every merge."""
    sums = None
    for content in contents:
        if sums is None:
            sums = _core.Moments.from_bytes(content)
        else:
            sums.merge(content)
            check(sums)
    return sums


def load_moments(path):
    """Read moments from a file that :meth:`Moments.save` or the program ``lass0 moments`` wrote."""
    return Moments.load(path)


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
        self.target, self.one_hot = sums.target, sums.levels
        self.seed, self.folds, self.fold_column = sums.seed, sums.folds, sums.fold_column
        self.shape = (sums.n, sums.p)
        estimator.n_features_in_ = sums.p
        estimator.feature_names_in_ = np.array(sums.names, dtype=object)

    def matrix(self, keep=None):
        return self._X if keep is None else [self._X[:, j] for j in keep]

    def list_gaps(self, keep=None):
        """There are none."""
