"""X, y and weights as the core takes them, without copies wherever there is another way.

The core reads columns of any number type and any step in memory, so NumPy arrays of all layouts, memory maps and the columns of
data frames are handed over as they are. A copy is made of

- sparse matrices that are not CSC with sorted float64 values (CSR, float32), and of CSC ones where columns are excluded;
- arrays of objects, texts, half or extended precision, or foreign byte order;
- data frame columns that their library can't show as plain numbers (nulls, bits, several chunks).
"""

from collections.abc import Hashable, Mapping

import numpy as np
from scipy import sparse
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import _check_sample_weight, column_or_1d, validate_data

from ._by_name import predictors_by_name

_INT32_MAX = np.iinfo(np.int32).max


def _plain(array):
    """The array itself where the core can read it, else a copy in float64."""
    dtype = array.dtype
    readable = (
        (dtype.kind == "f" and dtype.itemsize in (4, 8)) or dtype.kind in "iub"
    ) and dtype.isnative
    return array if readable else array.astype(np.float64)


def _is_number_type(dtype):
    return isinstance(dtype, np.dtype) and dtype.kind in "fiub"


def _frame_columns(X):
    """The columns of a data frame whose columns lie apart in memory, as arrays; None for anything else."""
    module = type(X).__module__.partition(".")[0]
    if module == "pandas" and hasattr(X, "dtypes"):
        types = set(X.dtypes) if X.ndim == 2 else set()
        if len(types) < 2 or not all(_is_number_type(one) for one in types):
            return None  # scikit-learn's own way gives a view of one block, or the error
        return [_plain(X.iloc[:, j].to_numpy()) for j in range(X.shape[1])]
    if module == "polars" and hasattr(X, "get_columns"):
        if not all(one.is_numeric() or str(one) == "Boolean" for one in X.dtypes):
            return None
        return [_plain(column.to_numpy()) for column in X.get_columns()]
    if module == "pyarrow" and hasattr(X, "itercolumns"):
        arrays = [
            one.chunk(0) if one.num_chunks == 1 else one.combine_chunks() for one in X.itercolumns()
        ]
        arrays = [one.to_numpy(zero_copy_only=False) for one in arrays]
        if not all(one.dtype.kind in "fiub" for one in arrays):
            raise ValueError("X has columns that are not numbers: encode or drop them")
        return [_plain(one) for one in arrays]
    return None


def _check_frame(estimator, X, columns, reset):
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if len(columns) == 0 or X.shape[0] == 0:
        raise ValueError(
            f"Found array with {X.shape[0]} sample(s) and {len(columns)} feature(s) (shape={X.shape}) "
            "while a minimum of 1 is required."
        )


def _check_target(estimator, X, y):
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    y = column_or_1d(y, warn=True)
    y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    check_consistent_length(X, y)
    return y


def _csc(X):
    """(rows, indptr, indices, data) as the core takes them."""
    X = X.tocsc() if X.format != "csc" else X
    if X.shape[0] > _INT32_MAX:
        raise ValueError(f"sparse X has {X.shape[0]} rows; at most {_INT32_MAX} are possible")
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (
        X.shape[0],
        np.ascontiguousarray(X.indptr, dtype=np.int64),
        np.ascontiguousarray(X.indices, dtype=np.int32),
        np.ascontiguousarray(X.data, dtype=np.float64),
    )


class Data:
    """What a fit needs of X, y and the weights. `matrix`, `y` and `weights` are what the core takes."""

    def __init__(self, estimator, X, y, sample_weight=None):
        columns = _frame_columns(X)
        if columns is None:
            X, y = validate_data(
                estimator,
                X,
                y,
                accept_sparse=["csc", "csr"],
                dtype="numeric",
                ensure_all_finite=False,  # the core finds such values while it reads X
                ensure_min_samples=2,
                y_numeric=True,
            )
            y = np.ascontiguousarray(y, dtype=np.float64)
        else:
            _check_frame(estimator, X, columns, reset=True)
            y = _check_target(estimator, X, y)
            if y.size < 2:
                raise ValueError("Found array with 1 sample(s) while a minimum of 2 is required.")
        self._X = X if columns is None else columns
        self.shape = X.shape
        self.y = y
        self.weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
            self.weights = np.ascontiguousarray(weights)

    def matrix(self, keep=None):
        """X for the core; with `keep`, only these columns of it."""
        X = self._X
        if sparse.issparse(X):
            return _csc(X if keep is None else X[:, keep])
        if isinstance(X, list):
            return X if keep is None else [X[j] for j in keep]
        X = _plain(X)
        return X if keep is None else [X[:, j] for j in keep]


def predictors(estimator, X, support):
    """The columns `support` of X, checked as scikit-learn does, as an array or a sparse matrix."""
    if getattr(estimator, "_by_name", False):
        names = estimator.feature_names_in_[support]
        chosen = predictors_by_name(X, names, estimator._document)
        if chosen is not None:
            return chosen
    columns = _frame_columns(X)
    if columns is None:
        X = validate_data(estimator, X, reset=False, accept_sparse=["csc", "csr"], dtype="numeric")
        return X[:, support] if X.shape[1] != len(support) else X
    _check_frame(estimator, X, columns, reset=False)
    chosen = np.empty((X.shape[0], len(support)), order="F")
    for place, j in enumerate(support):
        chosen[:, place] = columns[j]
    return check_array(chosen, ensure_min_features=0)


def _column(one, estimator, what):
    """The number of a column given by name or number."""
    p = estimator.n_features_in_
    if isinstance(one, str):
        names = getattr(estimator, "feature_names_in_", None)
        if names is None:
            raise ValueError(f"{what} names {one!r}, but X has no column names")
        found = np.flatnonzero(names == one)
        if found.size == 0:
            raise ValueError(f"{what} names {one!r}, which is no column of X")
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
    if isinstance(given, str):
        given = [given]
    given = list(given)
    if len(given) == estimator.n_features_in_ and all(
        isinstance(one, (bool, np.bool_)) for one in given
    ):
        return np.flatnonzero(given)
    numbers = [_column(one, estimator, what) for one in given]
    return np.unique(np.asarray(numbers, dtype=np.int64))


_SIGNS = {"+": 1, "-": -1, 1: 1, -1: -1, 0: 0}


def _sign(value):
    # NumPy's numbers, and 1.0, are equal to a key and have its hash. True is no sign.
    if isinstance(value, Hashable) and not isinstance(value, (bool, np.bool_)):
        sign = _SIGNS.get(value)
        if sign is not None:
            return sign
    raise ValueError(f"signs has {value!r}, but a sign is 1 or '+', -1 or '-', or 0 (free)")


def resolve_signs(given, estimator, include):
    """One sign a column: 1, -1 or 0; empty where none is given.

    One value for all leaves out the columns `include`, whose coefficients are free.
    """
    p = estimator.n_features_in_
    if given is None:
        return np.empty(0, dtype=np.int64)
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
