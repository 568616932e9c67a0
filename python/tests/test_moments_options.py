"""What lass0.moments can be asked for, beside its sources: weights of arrays, levels, columns that are not read, and what it refuses."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
import scipy.sparse
from array_libraries import Standard
from conftest import make_data
from sklearn.model_selection import PredefinedSplit

from lass0 import Lass0CV, Moments, moments
from lass0._engines import PartitionSums


@pytest.fixture(scope="module")
def frame():
    X, y = make_data(0, n=500, p=8)
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(8)]).assign(y=y)


def table(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def test_weights_of_arrays(frame):
    X, y = frame.drop(columns="y").to_numpy(), frame["y"].to_numpy()
    weights = (np.arange(len(y)) % 4).astype(float)  # rows of weight 0 have no number
    sums = moments(X, y, weights=weights)
    found, expected = Lass0CV().fit(sums), Lass0CV().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-8)
    np.testing.assert_allclose(
        found.cv_results_["mean_error"], expected.cv_results_["mean_error"], rtol=1e-8
    )
    assert sums.n == 375 and sums.weights == "weights"
    with pytest.raises(ValueError, match="weights has one value per row"):
        moments(X, y, weights=weights[1:])
    with pytest.raises(ValueError, match="weights is -2 in row 3"):
        moments(X, y, weights=np.where(np.arange(len(y)) == 3, -2.0, weights))


@pytest.mark.parametrize("kind", ["bool", "binary"])
def test_levels_that_are_no_texts(frame, kind, tmp_path):
    values = np.arange(500) % 3 == 0
    data, levels = (values, [False, True]) if kind == "bool" else (np.where(values, b"b", b"a"), [b"a", b"b"])  # fmt: skip
    with_levels = table(frame).append_column("z", pa.array(data))
    found = moments(with_levels, "y", levels={"z": levels})
    texts = ["false", "true"] if kind == "bool" else ["a", "b"]
    assert found.levels == {"z": texts}
    coded = moments(table(frame).append_column(f"z={texts[1]}", pa.array(values)), "y")
    assert found.names == coded.names
    np.testing.assert_allclose(Lass0CV().fit(found).coef_, Lass0CV().fit(coded).coef_, rtol=1e-9)
    pyarrow.parquet.write_table(with_levels, tmp_path / "data.parquet")
    program = [sys.executable, "-m", "lass0", "moments", "data.parquet", "--target", "y"]
    run = subprocess.run([*program, "--one-hot", "z", "--output", "m"], cwd=tmp_path, capture_output=True, text=True)  # fmt: skip
    assert run.stderr == "" and (tmp_path / "m").read_bytes() == found.to_bytes()


UNREAD = {
    "pandas": lambda f, path: f.assign(note=[object()] * len(f)),  # which pyarrow can't take
    "polars": lambda f, path: pl.from_pandas(f).with_columns(
        pl.Series("note", [object()] * len(f), dtype=pl.Object)
    ),
    "polars, lazy": lambda f, path: (
        pl.from_pandas(f)
        .lazy()
        .with_columns(note=pl.col("c0").map_elements(lambda _: 1 // 0, return_dtype=pl.Float64))
    ),
    "dataset": lambda f, path: pyarrow.dataset.dataset(path),
    "parquet": lambda f, path: pyarrow.parquet.ParquetFile(path),
}


# What they raise where the column is read.
UNREADABLE = {
    "pandas": (pa.ArrowInvalid, "Could not convert"),
    "polars": (ValueError, "column 'note' must have texts or whole numbers"),
    "polars, lazy": (ZeroDivisionError, "division"),
    "dataset": (ValueError, "the Arrow stream failed: IOError"),
    "parquet": (OSError, None),
}


@pytest.mark.parametrize("source", UNREAD)
def test_excluded_columns_are_not_read(frame, source, tmp_path):
    path = tmp_path / "data.parquet"
    noted = table(frame).append_column("note", pa.array(["no number " * 9] * 500))
    pyarrow.parquet.write_table(noted, path, row_group_size=100, compression=None, use_dictionary=False)  # fmt: skip
    damaged = path.read_bytes().replace(b"no number " * 9, b"\xff" * 90)
    column = pyarrow.parquet.ParquetFile(path).metadata.row_group(0).column(9)
    assert column.path_in_schema == "note"
    start = column.data_page_offset
    path.write_bytes(damaged[:start] + b"\xff" * 12 + damaged[start + 12 :])
    data = UNREAD[source](frame, path)
    expected = moments(table(frame), "y").to_bytes()
    assert moments(data, "y", exclude=["note"]).to_bytes() == expected
    error, message = UNREADABLE[source]
    with pytest.raises(error, match=message):
        moments(data, "y", levels={"note": ["a", "b"]})
    with pytest.raises(ValueError, match="no column 'q', which is to be excluded"):
        moments(data, "y", exclude=["note", "q"])
    with pytest.raises(ValueError, match="'y' can't be the target and something else"):
        moments(data, "y", exclude=["note", "y"])


def test_columns_that_others_make_up(frame):
    """Folds then have rows of fewer dimensions than columns, some of them of still fewer."""
    fold = np.arange(500) % 5
    data = frame.assign(twice=2 * frame["c0"], constant=7.0, here=(fold == 3) * frame["c1"])
    X = data.drop(columns="y")
    found = Lass0CV().fit(moments(table(data.assign(fold=fold)), "y", fold_column="fold"))
    expected = Lass0CV(PredefinedSplit(fold)).fit(X, data["y"])
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_allclose(
        found.cv_results_["mean_error"], expected.cv_results_["mean_error"], rtol=1e-8
    )


def test_sums_without_folds_say_so(frame):
    sums = moments(table(frame), "y", folds=1)
    assert repr(sums) == "Moments of 500 rows, 8 columns, target 'y'; no folds"
    assert sums._core.text("m") == "m: 500 rows, 8 columns, target y, no folds\n"


def test_options_that_do_not_work_together(frame):
    data = table(frame.assign(site=np.arange(500) % 3))
    for name in ("folds", "seed"):
        with pytest.raises(ValueError, match=f"{name} does not work with fold_column"):
            moments(data, "y", fold_column="site", **{name: 3})
    sums = moments(data, "y", id_column="site", folds=3, seed=2)
    assert sums.fold_column == "site (hash, 3 folds, seed 2)"


def test_too_many_labels_are_ids(frame):
    many = pd.concat([frame, frame, frame], ignore_index=True)
    data = table(many.assign(customer=np.arange(1500)))
    with pytest.raises(ValueError, match="'customer' has more than 1000 labels .*id_column"):
        moments(data, "y", fold_column="customer")
    assert moments(data[:1000], "y", fold_column="customer").folds == 1000
    assert moments(data, "y", id_column="customer").folds == 10


def test_too_many_labels_are_refused_at_the_first_merge_that_has_them(frame):
    sums = PartitionSums("y", fold_column="customer")
    parts = [sums.of([table(frame.assign(customer=np.arange(500) + first))]) for first in range(0, 2500, 500)]  # fmt: skip
    assert Moments.from_bytes(sums.merge(parts[:2])).folds == 1000
    rest = iter(parts)
    with pytest.raises(ValueError, match="'customer' has more than 1000 labels .*id_column"):
        sums.merge(rest)
    assert len(list(rest)) == 2


def test_moments_are_merged_one_after_the_other(frame, monkeypatch):
    parts = [moments(frame[:250], "y"), moments(frame[250:], "y"), moments(frame, "y", first_row=501)]  # fmt: skip
    made, to_bytes = [], Moments.to_bytes
    monkeypatch.setattr(Moments, "to_bytes", lambda self: made.append(self) or to_bytes(self))
    with pytest.raises(ValueError, match="both have the rows 1 to 250"):
        parts[0].merge(*parts[1:])
    assert made == parts[:2]


def test_names_may_be_texts_of_numpy_and_an_index(frame):
    data = table(frame.assign(note="text", site=np.arange(500) % 3))
    expected = moments(data, "y", fold_column="site", exclude=["note", "c1"])
    note, c1, site, y = np.array(["note", "c1", "site", "y"])
    found = moments(data, y, fold_column=site, exclude=pd.Index([note, c1]))
    assert found.to_bytes() == expected.to_bytes()
    assert moments(table(frame), "y", exclude=pd.Index([])).p == 8
    with pytest.raises(TypeError, match="target is an array, but must be the name of a column"):
        moments(data, np.array(["y"]))


def test_files_that_pandas_reads_in_chunks(frame, tmp_path):
    frame.to_csv(tmp_path / "data.csv", index=False)
    with pd.read_csv(tmp_path / "data.csv", chunksize=77) as chunks:
        found = moments(chunks, "y")
    assert found.to_bytes() == moments(pd.read_csv(tmp_path / "data.csv"), "y").to_bytes()


def test_objects_that_are_no_tables_say_what_to_do(frame):
    X, y = frame.drop(columns="y").to_numpy(), frame["y"].to_numpy()
    Frame = type("DataFrame", (), {"__module__": "pyspark.sql.classic.dataframe"})
    Array = type("Array", (), {"__module__": "dask.array.core"})
    Lazy = type("LazyFrame", (), {"__module__": "polars.lazyframe"})
    Lazy.collect_schema = lambda self: pl.Schema({"y": pl.Float64})
    for source, target, message in [
        (scipy.sparse.csr_matrix(X), y, "no sparse matrices: .*toarray"),
        (scipy.sparse.csr_array(X), "y", "no sparse matrices: .*toarray"),
        (Standard().put(X), y, "no arrays of array_libraries: fit the array itself"),
        (Frame(), "y", r"use lass0\.spark\.moments"),
        (Array(), y, r"use lass0\.dask\.moments"),
        (Lazy(), "y", r"collect\(\) it first"),
        (frame, y, "target is an array, but must be the name of a column"),
        (frame["y"], "y", "not a single column.*: give a data frame with all columns"),
        (pl.from_pandas(frame)["y"], "y", "not a single column"),
        ([frame["y"]], "y", "not a single column"),
        ([X, X], [y, y], "no list of arrays: join them, as in lass0.moments"),
        (iter([X, X]), "y", "no list of arrays: join them, as in lass0.moments"),
        (X.tolist(), "y", "moments takes"),
    ]:
        with pytest.raises(TypeError, match=message) as caught:
            moments(source, target)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("what", ["target", "weights"])
def test_texts_where_numbers_must_be(frame, what):
    data, columns = table(frame.assign(z="text")), {"target": "y"} | {what: "z"}
    with pytest.raises(ValueError, match=f"'z' is the {what}, but has texts: convert it to numb"):
        moments(data, **columns)
