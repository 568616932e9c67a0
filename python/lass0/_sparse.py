"""Sparse matrices of SciPy: checked first, because SciPy's compiled code trusts their indices, and converted for the core."""

import numpy as np
from scipy import sparse

_INT32_MAX = np.iinfo(np.int32).max


def _fail(X, why):
    raise ValueError(
        f"X is a corrupt sparse matrix ({X.format}): {why}; build it again, for instance from its (row, column, value) triples"
    )


def _check_vector(X, values, name):
    if not isinstance(values, np.ndarray) or values.ndim != 1 or values.dtype.kind not in "iu":
        _fail(X, f"{name} is not a one-dimensional array of integers")


def _check_range(X, values, name, end):
    _check_vector(X, values, name)
    if values.size == 0:
        return
    low, high = int(values.min()), int(values.max())
    if low < 0 or high >= end:
        bad = low if low < 0 else high
        place = int(np.argmin(values) if low < 0 else np.argmax(values))
        _fail(X, f"{name}[{place}] is {bad}, but must be at least 0 and below {end}")


def _check_compressed(X, major, minor):
    """CSC, CSR and, counted in blocks, BSR."""
    _check_vector(X, X.indptr, "indptr")
    if X.indptr.size != major + 1:
        _fail(X, f"indptr has {X.indptr.size} entries where {major + 1} are needed")
    if X.data.shape[0] != X.indices.shape[0]:
        _fail(X, f"data has {X.data.shape[0]} entries, but indices has {X.indices.shape[0]}")
    if X.indptr[0] != 0:
        _fail(X, f"indptr begins with {X.indptr[0]} instead of 0")
    falls = np.flatnonzero(X.indptr[1:] < X.indptr[:-1])
    if falls.size:
        _fail(X, f"indptr falls after entry {falls[0]}")
    if X.indptr[-1] > X.indices.size:
        _fail(X, f"indptr ends with {X.indptr[-1]}, but there are {X.indices.size} entries")
    _check_range(X, X.indices[: int(X.indptr[-1])], "indices", minor)


def _check_blocks(X):
    block = X.data.shape[1:]
    if X.data.ndim != 3 or any(b < 1 or s % b for s, b in zip(X.shape, block)):
        _fail(X, f"blocks of shape {block} do not fill a matrix of shape {X.shape}")
    _check_compressed(X, X.shape[0] // block[0], X.shape[1] // block[1])


def _check_coordinates(X):
    for name, values, end in (("row", X.row, X.shape[0]), ("col", X.col, X.shape[1])):
        _check_range(X, values, name, end)
        if values.shape != X.data.shape:
            _fail(X, f"{name} has {values.size} entries, but data has {X.data.size}")


def _check_diagonals(X):
    _check_vector(X, X.offsets, "offsets")
    if X.data.ndim != 2 or X.data.shape[0] != X.offsets.size:
        _fail(
            X, f"data of shape {X.data.shape} does not have one row per offset ({X.offsets.size})"
        )


def _check_lists(X):
    if X.rows.shape != (X.shape[0],) or X.data.shape != (X.shape[0],):
        _fail(X, f"rows and data do not have one list per row ({X.shape[0]})")
    for i, (columns, values) in enumerate(zip(X.rows, X.data)):
        if len(columns) != len(values):
            _fail(X, f"row {i} has {len(columns)} columns, but {len(values)} values")
        if columns and not 0 <= min(columns) <= max(columns) < X.shape[1]:
            _fail(X, f"row {i} names a column that is not from 0 to {X.shape[1] - 1}")


def check_sparse(X):
    """Raises ValueError unless the arrays of a sparse matrix of any format belong together."""
    if len(X.shape) != 2:
        raise ValueError(f"Expected 2D array, got a sparse array of shape {X.shape} instead")
    if X.format == "csc":
        _check_compressed(X, X.shape[1], X.shape[0])
    elif X.format == "csr":
        _check_compressed(X, X.shape[0], X.shape[1])
    elif X.format == "bsr":
        _check_blocks(X)
    elif X.format == "coo":
        _check_coordinates(X)
    elif X.format == "dia":
        _check_diagonals(X)
    elif X.format == "lil":
        _check_lists(X)
    elif X.format == "dok":  # a dictionary, which Python itself reads
        coordinates = np.array(list(X.keys()), dtype=np.int64).reshape(-1, 2)
        _check_range(X, coordinates[:, 0], "row", X.shape[0])
        _check_range(X, coordinates[:, 1], "col", X.shape[1])


def csc_parts(X):
    """(rows, indptr, indices, data) as the core takes them."""
    if X.shape[0] > _INT32_MAX:
        raise ValueError(f"sparse X has {X.shape[0]} rows; at most {_INT32_MAX} are possible")
    if X.format == "csc":
        # A new matrix with the same arrays, because SciPy remembers that the indices of this one were once sorted. Its
        # constructor would copy row numbers of 64 bits.
        if X.indices.dtype == X.indptr.dtype:
            entries = slice(int(X.indptr[-1]))
            same = sparse.csc_array(X.shape)
            same.data, same.indices, same.indptr = X.data[entries], X.indices[entries], X.indptr
            X = same
        else:
            X = sparse.csc_array((X.data, X.indices, X.indptr), shape=X.shape)
    else:
        X = X.tocsc()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return (
        X.shape[0],
        np.ascontiguousarray(X.indptr, dtype=np.int64),
        # Both widths of SciPy's row numbers stay as they are.
        np.ascontiguousarray(
            X.indices, dtype=np.int64 if X.indices.dtype == np.int64 else np.int32
        ),
        np.ascontiguousarray(X.data, dtype=np.float64),
    )


def not_finite(X):
    """{column: (rows, values)} of the entries of a sparse X that are not finite."""
    X = X.tocoo()
    bad = np.flatnonzero(~np.isfinite(X.data))
    order = bad[np.lexsort((X.row[bad], X.col[bad]))]
    return {
        int(j): (X.row[order][X.col[order] == j], X.data[order][X.col[order] == j])
        for j in np.unique(X.col[order])
    }
