"""Arrays of every kind give the same model, and are not copied."""

import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from conftest import make_data
from scipy import sparse

import lass0
from lass0 import Lass0, Lass0CV


def as_memmap(X, path, order):
    mapped = np.memmap(path, dtype=X.dtype, mode="w+", shape=X.shape, order=order)
    mapped[:] = X
    mapped.flush()
    return np.memmap(path, dtype=X.dtype, mode="r", shape=X.shape, order=order)


def read_only(X):
    X = X.copy(order="K")
    X.flags.writeable = False
    return X


def every_second(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, 1::3] = X
    return wide[::2, 1::3]


def unaligned(X):
    bytes_ = np.zeros(X.size * 8 + 1, dtype=np.uint8)
    view = bytes_[1:].view(np.float64).reshape(X.shape)
    view[:] = X
    return view


LAYOUTS = {
    "F": np.asfortranarray,
    "C": np.ascontiguousarray,
    "strided": every_second,
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
    "unaligned": unaligned,
    "other bytes": lambda X: X.astype(">f8"),
    "long double": lambda X: X.astype(np.longdouble),
    "object": lambda X: X.astype(object),
    "list": lambda X: X.tolist(),
    "csc": sparse.csc_matrix,
    "csr": sparse.csr_matrix,
    "coo": sparse.coo_matrix,
    "csc array": sparse.csc_array,
    "csr array": sparse.csr_array,
    "pandas": pd.DataFrame,
    "pandas, two types": lambda X: pd.DataFrame(X).astype({0: np.float64}).assign(z=1),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_model(layout, data):
    X, y = data
    expected = Lass0(lambda0=0.5).fit(X, y)
    other = LAYOUTS[layout](X)
    if layout.startswith("pandas"):
        other.columns = [str(one) for one in other.columns]
    model = Lass0(lambda0=0.5).fit(other, y)
    np.testing.assert_allclose(model.coef_[:12], expected.coef_, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(model.predict(other), expected.predict(X), rtol=1e-9)
    chosen = Lass0CV().fit(other, y)
    np.testing.assert_allclose(chosen.coef_[:12], Lass0CV().fit(X, y).coef_, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize(
    "kind",
    [
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "bool",
        "float32",
        "float16",
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_number_type_gives_the_model_of_its_doubles(kind, order):
    rng = np.random.default_rng(2)
    X = np.asarray(rng.integers(0, 2 if kind == "bool" else 9, (70, 8)), dtype=kind, order=order)
    y = X[:, 1] * 2.0 - X[:, 5] + rng.normal(size=70)
    expected = Lass0(k=3).fit(X.astype(float), y)
    model = Lass0(k=3).fit(X, y)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(model.predict(X), expected.predict(X.astype(float)), rtol=1e-6)


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_maps(order, data, tmp_path):
    X, y = data
    mapped = as_memmap(X, tmp_path / "x", order)
    np.testing.assert_allclose(
        Lass0(k=4).fit(mapped, y).coef_, Lass0(k=4).fit(X, y).coef_, rtol=1e-10
    )


def frames():
    rng = np.random.default_rng(0)
    columns = {
        "a": rng.normal(size=60),
        "b": rng.normal(size=60).astype(np.float32),
        "c": rng.integers(0, 5, 60),
        "d": rng.integers(0, 2, 60).astype(bool),
        "e": rng.normal(size=60),
    }
    y = columns["a"] + columns["c"] - 2.0 * columns["d"] + 0.1 * rng.normal(size=60)
    return columns, y


def test_data_frames_of_every_library():
    columns, y = frames()
    expected = Lass0(k=3).fit(
        np.column_stack([np.asarray(one, dtype=float) for one in columns.values()]), y
    )
    made = {"pandas": pd.DataFrame(columns)}
    import polars
    import pyarrow

    made["polars"] = polars.DataFrame(columns)
    made["pyarrow"] = pyarrow.table(columns)
    for library, frame in made.items():
        model = Lass0(k=3).fit(frame, y)
        assert list(model.feature_names_in_) == list("abcde"), library
        np.testing.assert_allclose(
            model.coef_, expected.coef_, rtol=1e-10, atol=1e-14, err_msg=library
        )
        np.testing.assert_allclose(
            model.predict(frame), expected.predict(pd.DataFrame(columns).to_numpy(float)), rtol=1e-9
        )
        assert lass0.path(frame, y).names([0, 3]) == ["a", "d"]


def test_unsorted_and_repeated_sparse_entries(data):
    X, y = data
    entries = sparse.csc_matrix(X)
    rows, values = (
        entries.indices.reshape(12, 80)[:, ::-1].ravel(),
        entries.data.reshape(12, 80)[:, ::-1].ravel(),
    )
    shuffled = sparse.csc_matrix((values, rows, entries.indptr), shape=X.shape)
    twice = sparse.csc_matrix(
        (np.repeat(entries.data / 2, 2), np.repeat(entries.indices, 2), 2 * entries.indptr),
        shape=X.shape,
    )
    for matrix in (shuffled, twice):
        np.testing.assert_allclose(
            Lass0(k=4).fit(matrix, y).coef_, Lass0(k=4).fit(X, y).coef_, rtol=1e-10
        )


NOT_COPIED = {
    "F": lambda X: X,
    "C": np.ascontiguousarray,
    "float32": lambda X: X.astype(np.float32),
    "int8": lambda X: (10 * X).astype(np.int8),
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "pandas": lambda X: pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]),
    "pandas, two types": lambda X: pd.DataFrame(
        X, columns=[f"c{j}" for j in range(X.shape[1])]
    ).astype({"c0": "float32"}),
    "csc": sparse.csc_matrix,
}


@pytest.mark.parametrize("layout", NOT_COPIED)
def test_no_copy_of_x(layout):
    X, y = make_data(1, n=20000, p=40)
    X = NOT_COPIED[layout](X)
    Lass0(k=2).fit(X[:100], y[:100])  # whatever is imported at the first fit
    tracemalloc.start()
    model = Lass0(k=3).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.k_ == 3
    assert peak < 8 * X.shape[0] * X.shape[1] / 4, f"{peak} bytes"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_two_gigabytes_are_not_copied():
    with open("/proc/meminfo") as file:
        free = int(next(line for line in file if line.startswith("MemAvailable")).split()[1])
    if free < 5e6:
        pytest.skip("needs 5 GB of memory")
    code = """
        import resource
        import numpy as np
        from lass0 import Lass0
        rng = np.random.default_rng(0)
        n, p = 2_500_000, 100
        X = np.empty((n, p), order="F")
        block = rng.normal(size=n)
        for j in range(p):
            X[:, j] = np.roll(block, 211 * j)
        y = X[:, 3] - X[:, 70] + 0.1 * rng.normal(size=n)
        Lass0(k=1).fit(X[:50, :5], y[:50])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        model = Lass0(k=2).fit(X, y)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert list(model.support_) == [3, 70], model.support_
        assert after - before < 300_000, f"{after - before} kB more for {X.nbytes / 1e9} GB of data"
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=600)
