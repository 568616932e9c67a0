"""Sparse matrices whose arrays do not belong together are refused before compiled code reads them."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import make_data
from scipy import sparse

from lass0 import Lass0
from lass0._sparse import csc_parts

# Each makes a corrupt matrix from a good one of its format. All crashed, or were read beyond their arrays.
CORRUPT = {
    "csc indptr jumps": ("csc", "X.indptr[3] = 10**6", "indptr falls after entry 3"),
    "csc indptr falls": ("csc", "X.indptr[3] = 0", "indptr falls after entry 2"),
    "csc indptr ends beyond": ("csc", "X.indptr[-1] = 10**6", "indptr ends with 1000000"),
    "csc indptr begins late": ("csc", "X.indptr[0] = 5", "indptr begins with 5"),
    "csc indptr negative": ("csc", "X.indptr[0] = -5", "indptr begins with -5"),
    "csc indptr short": ("csc", "X.indptr = X.indptr[:-2]", "indptr has 11 entries where 13"),
    "csc indices beyond": ("csc", "X.indices[7] = 10**6", r"indices\[7\] is 1000000"),
    "csc indices negative": ("csc", "X.indices[7] = -3", r"indices\[7\] is -3"),
    "csc data short": ("csc", "X.data = X.data[:5]", "data has 5 entries"),
    "csc indices of floats": ("csc", "X.indices = X.indices * 1.0", "indices is not"),
    "csr indices beyond": ("csr", "X.indices[7] = 10**6", r"indices\[7\] is 1000000"),
    "csr indptr ends beyond": ("csr", "X.indptr[-1] = 10**6", "indptr ends with 1000000"),
    "csr indptr jumps": ("csr", "X.indptr[3] = 10**6", "indptr falls after entry 3"),
    "bsr indices beyond": ("bsr", "X.indices[1] = 10**6", r"indices\[1\] is 1000000"),
    "bsr indptr falls": ("bsr", "X.indptr[1] = 10**6", "indptr falls after entry 1"),
    "coo row beyond": ("coo", "X.row[0] = 10**6", r"row\[0\] is 1000000"),
    "coo col negative": ("coo", "X.col[0] = -1", r"col\[0\] is -1"),
    "coo data short": ("coo", "X.data = X.data[:5]", "data has 5"),
    "dia data short": ("dia", "X.data = X.data[:2]", "one row per offset"),
    "lil column beyond": ("lil", "X.rows[3][0] = 10**6", "row 3 names a column"),
    "lil values short": ("lil", "X.data[3] = X.data[3][:1]", "row 3 has 12 columns, but 1 values"),
}


@pytest.mark.parametrize("array", [False, True])
@pytest.mark.parametrize("name", CORRUPT)
def test_corrupt_matrices_are_refused(name, array):
    kind, change, message = CORRUPT[name]
    values, y = make_data(1)
    model = Lass0(k=2).fit(values, y)
    X = getattr(sparse, f"{kind}_{'array' if array else 'matrix'}")(values)
    exec(change, {"X": X})
    with pytest.raises(ValueError, match="corrupt sparse matrix.*" + message):
        Lass0(k=2).fit(X, y)
    with pytest.raises(ValueError, match="corrupt sparse matrix"):
        model.predict(X)


def test_a_corrupt_matrix_does_not_end_the_interpreter():
    code = """
import numpy as np
from scipy import sparse
from lass0 import Lass0
rng = np.random.default_rng(1)
for kind in ("csr", "csc"):
    X = getattr(sparse, kind + "_matrix")(rng.normal(size=(50, 8)))
    X.indptr[3:] = 2**30
    try:
        Lass0(k=2).fit(X, rng.normal(size=50))
    except ValueError:
        print("refused")
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert ran.stdout.split() == ["refused", "refused"]


def test_what_scipy_remembers_of_the_order_is_not_trusted():
    values, y = make_data(2)
    X = sparse.csc_matrix(values)
    assert X.has_canonical_format
    for j in range(12):
        column = slice(X.indptr[j], X.indptr[j + 1])
        X.indices[column], X.data[column] = (
            X.indices[column][::-1].copy(),
            X.data[column][::-1].copy(),
        )
    before = X.indices.copy()
    found = Lass0(k=4).fit(X, y)
    np.testing.assert_allclose(found.coef_, Lass0(k=4).fit(values, y).coef_, rtol=1e-10)
    np.testing.assert_array_equal(X.indices, before)


def test_room_beyond_the_entries_is_ignored():
    values, y = make_data(2)
    X = sparse.csc_matrix(values)
    X.data, X.indices = np.append(X.data, np.nan), np.append(X.indices, 10**6).astype(np.int32)
    assert Lass0(k=4).fit(X, y).support_.size == 4


def test_row_numbers_of_64_bits_are_used_as_they_are():
    values, y = make_data(3)
    values[np.abs(values) < 0.7] = 0
    X = sparse.csc_matrix(values)
    wide = sparse.csc_matrix(X.shape)
    wide.data, wide.indices, wide.indptr = (
        X.data,
        X.indices.astype(np.int64),
        X.indptr.astype(np.int64),
    )
    rows, indptr, indices, data = csc_parts(wide)
    assert np.shares_memory(indices, wide.indices) and indices.dtype == np.int64
    assert np.shares_memory(data, wide.data) and np.shares_memory(indptr, wide.indptr)
    narrow = Lass0(k=4).fit(X, y)
    np.testing.assert_array_equal(Lass0(k=4).fit(wide, y).coef_, narrow.coef_)
    np.testing.assert_array_equal(narrow.predict(wide), narrow.predict(X))
    with pytest.raises(ValueError, match=r"corrupt sparse matrix.*indices\[7\] is 1000000"):
        wide.indices[7] = 10**6
        Lass0(k=4).fit(wide, y)
