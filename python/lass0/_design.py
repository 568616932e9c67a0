"""X, y, weights and offset as the core takes them, copied only if there is no other way.

The core reads columns of any number type and any step in memory, so NumPy arrays of all layouts, memory maps and the columns of
data frames are passed on directly. Only these are copied:

- sparse matrices that are not CSC with sorted float64 values (CSR, float32), and CSC if columns are excluded;
- arrays of objects, half or extended precision, or foreign byte order;
- data frame columns that their library can't show as plain numbers (nulls, bits, several chunks).

Arrays of other array libraries (CuPy, PyTorch) stay where they are: see _array_api.py.
"""

from collections import Counter

import numpy as np
from scipy import sparse
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from ._array_api import ArrayColumns, check_array, host_array, is_array, shared_with_numpy
from ._by_name import predictors_by_name
from ._classes import as_classes, label_text
from ._frames import column_labels, column_names, frame_columns
from ._moments import Moments, MomentsData
from ._numbers import (
    Gaps,
    NotNumbers,
    library,
    listed,
    numbers_of,
    place,
    plain,
    plural,
    refuse_columns,
    refuse_vector,
    row_labels,
)
from ._sparse import check_sparse, csc_parts, not_finite


def _check_names(X):
    """Two columns with one name would be ambiguous, in `include` and in a file."""
    labels = column_labels(X)
    if labels is None:
        return
    if not labels:
        raise ValueError("X has no columns: 0 feature(s) while a minimum of 1 is required.")
    twice = [repr(one) for one, count in Counter(labels).items() if count > 1]
    if twice:
        raise ValueError(f"X has several columns of the same name: {listed(twice)}; rename them")
    for one in labels:
        if isinstance(one, str) and not one.isascii():
            try:
                one.encode()
            except UnicodeEncodeError:
                raise ValueError(
                    f"the column name {one!r} is not valid Unicode: rename it"
                ) from None


def _numeric(X):
    """The columns of an array of another type as numbers; anything else is returned unchanged."""
    array = X
    if isinstance(X, (list, tuple)):
        try:
            array = np.asarray(X)
        except ValueError:  # rows of several lengths, which scikit-learn reports
            return X
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "SUOmM":
        return X
    columns = {j: numbers_of(array[:, j]) for j in range(array.shape[1])}
    bad = {j: one for j, one in columns.items() if isinstance(one, NotNumbers)}
    if bad:
        refuse_columns(bad, None)
    result = np.empty(array.shape, order="F")
    for j, one in columns.items():
        result[:, j] = one
    return result


def number_matrix(X):
    """An array as real numbers, with NaN where there is none; ValueError names columns that are masked or no numbers."""
    X, _ = _prepare(X)
    if X.dtype.kind == "c":
        raise ValueError(
            "Complex data not supported: use the real and the imaginary parts as columns"
        )
    return X


def _prepare(X):
    """X as a plain array, as its columns or unchanged, after checks that scikit-learn does not make."""
    X = shared_with_numpy(X)
    if sparse.issparse(X):
        check_sparse(X)
        return X, None
    if isinstance(X, np.ma.MaskedArray):
        gaps = Gaps(None)
        if X.ndim == 2 and np.ma.is_masked(X):
            mask = np.ma.getmaskarray(X)
            for j in np.flatnonzero(mask.any(axis=0)):
                gaps.look_at(j, np.asarray(X.data[:, j]), mask[:, j])
        gaps.refuse()
        return _numeric(X.data), None
    if library(X) in ("pandas", "polars", "pyarrow"):
        _check_names(X)
        return X, frame_columns(X)
    if is_array(X):
        check_array(X)
        return X, ArrayColumns(X)
    return _numeric(X), None


def list_gaps(X, names, labels=None, keep=None):
    """Raises ValueError that lists the columns of X (an array, columns, an array of another library or a sparse matrix) with values that are not finite."""
    gaps = Gaps(names, labels)
    if sparse.issparse(X):
        for j, (rows, values) in not_finite(X).items():
            if keep is None or j in keep:
                gaps.note(j, rows, np.isinf(values))
    elif isinstance(X, ArrayColumns):
        for j, values in X.among(keep).not_finite():
            gaps.look_at(j if keep is None else keep[j], values)
    else:
        for j in range(len(X) if isinstance(X, list) else X.shape[1]) if keep is None else keep:
            gaps.look_at(j, X[j] if isinstance(X, list) else X[:, j])
    gaps.refuse()


def _check_frame(estimator, X, reset, least_rows):
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    rows = X.shape[0]
    if rows < least_rows:
        raise ValueError(
            f"Found array with {rows} sample(s) (shape={tuple(X.shape)}) while a minimum of {least_rows} is required."
        )


def number_vector(values, what, advice):
    """y or the weights as a one-dimensional float64 array; ValueError names the first row without a number."""
    labels = row_labels(values)
    values = host_array(values)
    mask = np.ma.getmaskarray(values).ravel() if isinstance(values, np.ma.MaskedArray) else False
    values = np.asarray(values)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} must be real numbers")
    values = column_or_1d(values, warn=what == "y")
    numbers = numbers_of(values)
    if isinstance(numbers, NotNumbers):
        refuse_vector(numbers, what, labels, advice)
    bad = np.flatnonzero(~np.isfinite(numbers) | mask)
    if bad.size:
        raise ValueError(
            f"Input {what} contains NaN or infinity: {plural(bad.size, 'value')}, first in {place(bad[0], labels)}, rows counted "
            "from 0; drop these rows, or impute them"
        )
    return np.ascontiguousarray(numbers, dtype=np.float64)


_TARGETS = (
    "this estimator fits numbers; for a target of two classes use Lass0Classifier or "
    "Lass0ClassifierCV, else encode the target first"
)


def _check_target(X, y, family):
    """y as numbers, and the two classes that they stand for, if it has classes."""
    if sparse.issparse(y):
        raise TypeError("y is sparse: use y.toarray().ravel()")
    if family == "gaussian":
        y, classes = number_vector(y, "y", _TARGETS), None
    else:
        y, classes = as_classes(host_array(y))
    check_consistent_length(X, y)
    return y, classes


def check_offset(offset, rows):
    """The offset of rows as numbers; one number stands for all of them."""
    offset = host_array(offset)
    if np.ndim(offset) == 0 and not isinstance(offset, str):
        offset = np.full(rows, offset)
    offset = number_vector(offset, "offset", "give one number per row")
    if offset.size != rows:
        raise ValueError(f"offset has {offset.size} values, but X has {rows} rows")
    return offset


def _check_weights(sample_weight, y):
    sample_weight = host_array(sample_weight)
    if not isinstance(sample_weight, np.ma.MaskedArray):
        sample_weight = np.asarray(sample_weight)
    if sample_weight.ndim == 1:
        sample_weight = number_vector(sample_weight, "sample_weight", "give one number per row")
    elif sample_weight.ndim == 0:
        sample_weight = sample_weight.item()
    weights = _check_sample_weight(sample_weight, y, dtype=np.float64)
    if (weights < 0).any():
        row = int(np.flatnonzero(weights < 0)[0])
        raise ValueError(
            f"sample_weight is {weights[row]:g} in row {row}, rows counted from 0, but must be 0 or more"
        )
    return np.ascontiguousarray(weights)


def _name_of(values, default=""):
    """The name of a Series, or of the only column of a data frame; else the default."""
    names = column_names(values)
    name = names[0] if names else getattr(values, "name", None)
    return name if isinstance(name, str) and name else default


class Data:
    """X, y, the weights and the offset of a fit. The core takes `matrix`, `y` and `weights`, and the rest as options."""

    summed, one_hot = None, {}  # of moments

    def __init__(self, estimator, X, y, sample_weight=None, offset=None):
        if y is None:
            raise ValueError(
                f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
            )
        self.target = _name_of(y)
        self._labels = row_labels(X)
        X, columns = _prepare(X)
        if columns is None:
            X = validate_data(
                estimator,
                X,
                accept_sparse=["csc", "csr"],
                dtype="numeric",
                ensure_all_finite=False,  # the core finds such values while it reads X
                ensure_min_samples=2,
            )
        else:
            _check_frame(estimator, X, reset=True, least_rows=2)
        self._X = X if columns is None else columns
        self._names = getattr(estimator, "feature_names_in_", None)
        self.shape = tuple(X.shape)
        self.y, self.classes = _check_target(X, y, estimator._family)
        self.class_names = [] if self.classes is None else [label_text(one) for one in self.classes]
        self.weights = None if sample_weight is None else _check_weights(sample_weight, self.y)
        self.offset = None if offset is None else check_offset(offset, self.shape[0])
        self.offset_name = "" if offset is None else _name_of(offset, "offset")

    def matrix(self, keep=None):
        """X for the core; with `keep`, only these columns of it."""
        X = self._X
        if sparse.issparse(X):
            return csc_parts(X if keep is None else X[:, keep])
        if isinstance(X, ArrayColumns):
            return X.among(keep)
        if isinstance(X, list):
            return X if keep is None else [X[j] for j in keep]
        X = plain(X)
        return X if keep is None else [X[:, j] for j in keep]

    def list_gaps(self, keep=None):
        """Raises ValueError that lists the columns (of `keep`) with values that are not finite, if there are any."""
        list_gaps(self._X, self._names, self._labels, keep)


def read_data(estimator, X, y, sample_weight=None, offset=None):
    """Rows, or moments in place of X."""
    kind = MomentsData if isinstance(X, Moments) else Data
    return kind(estimator, X, y, sample_weight, offset)


def predictors(estimator, X, support):
    """The columns `support` of X, checked as scikit-learn does, as an array or a sparse matrix."""
    names = getattr(estimator, "feature_names_in_", None)
    if getattr(estimator, "_by_name", False):
        chosen = predictors_by_name(X, names[support], estimator._document)
        if chosen is not None:
            return chosen
    labels = row_labels(X)
    X, columns = _prepare(X)
    if columns is None:
        X = validate_data(
            estimator,
            X,
            reset=False,
            accept_sparse=["csc", "csr"],
            dtype="numeric",
            ensure_all_finite=False,
        )
        values = X.data if sparse.issparse(X) else X
        # A sum shows quickly whether a value is not finite. It may also overflow; then the list is empty.
        with np.errstate(over="ignore", invalid="ignore"):
            if values.dtype.kind == "f" and not np.isfinite(values.sum(dtype=np.float64)):
                list_gaps(X, names, labels)
        return X[:, support] if X.shape[1] != len(support) else X
    _check_frame(estimator, X, reset=False, least_rows=1)
    list_gaps(columns, names, labels, support)
    chosen = np.empty((X.shape[0], len(support)), order="F")
    if isinstance(columns, ArrayColumns):
        columns.columns(np.asarray(support), chosen)
        return chosen
    for i, j in enumerate(support):
        chosen[:, i] = columns[j]
    return chosen
