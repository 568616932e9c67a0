"""Moments give the answers of the rows that they are the sums of, from whatever library these come."""

import pickle
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
from conftest import make_data
from sklearn.base import clone

import lass0
from lass0 import Lass0, Lass0Classifier, Lass0CV, LassoPath, Moments, moments


def make_frame(seed=0, n=500, p=8):
    X, y = make_data(seed, n=n, p=p)
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(p)])
    frame["y"] = y
    return frame


@pytest.fixture(scope="module")
def frame():
    return make_frame()


def table(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def same(a, b, tolerance=1e-9):
    """Two moments answer alike."""
    assert (a.n, a.names, a.target, a.folds) == (b.n, b.names, b.target, b.folds)
    one, other = Lass0CV().fit(a), Lass0CV().fit(b)
    np.testing.assert_array_equal(one.support_, other.support_)
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        one.cv_results_["mean_error"], other.cv_results_["mean_error"], rtol=tolerance
    )


def test_fits_are_those_of_the_rows(frame):
    X, y = frame.drop(columns="y"), frame["y"]
    sums = moments(table(frame), "y")
    assert (sums.n, sums.p, sums.target, sums.folds, sums.seed) == (500, 8, "y", 10, 1)
    assert sums.next_row == 501 and sums.fold_column is None and sums.weights is None
    assert repr(sums) == "Moments of 500 rows, 8 columns, target 'y'; 10 folds, seed 1"
    for model in (Lass0(k=3), Lass0(lambda0=2.0), Lass0(), Lass0(k=3, exclude=["c2"]), Lass0CV(), Lass0CV(tune="k")):  # fmt: skip
        by_sums, by_rows = clone(model).fit(sums), model.fit(X, y)
        assert by_sums.get_feature_names_out().tolist() == by_rows.get_feature_names_out().tolist()
        np.testing.assert_allclose(by_sums.coef_, by_rows.coef_, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(by_sums.intercept_, by_rows.intercept_, rtol=1e-8)
        np.testing.assert_allclose(by_sums.predict(X), by_rows.predict(X))
        np.testing.assert_allclose(by_sums.rss_, by_rows.rss_, rtol=1e-8)
        assert by_sums.status_ == by_rows.status_
    curve = Lass0CV().fit(sums).cv_results_, Lass0CV().fit(X, y).cv_results_
    np.testing.assert_allclose(curve[0]["mean_error"], curve[1]["mean_error"], rtol=1e-8)
    ours, theirs = lass0.path(sums, max_k=5), lass0.path(X, y, max_k=5)
    for k in range(6):
        np.testing.assert_array_equal(ours.at_k(k).support, theirs.at_k(k).support)
    np.testing.assert_allclose(
        LassoPath(lambda1=5.0).fit(sums).coef_, LassoPath(lambda1=5.0).fit(X, y).coef_, atol=1e-4
    )
    found = lass0.stability(moments(table(frame), "y", folds=40), k=3)
    assert set(found.names(found.stable)) <= set(X.columns)


def test_summaries_and_reports_of_moments(frame, tmp_path, capsys):
    model = Lass0CV().fit(moments(table(frame), "y"))
    model.summary(source="sums")
    assert "500 rows" in capsys.readouterr().out
    model.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 1000


SOURCES = {
    "table": table,
    "chunks": lambda f: pa.concat_tables([table(f[:1]), table(f[1:203]), table(f[203:])]),
    "batch": lambda f: table(f).to_batches()[0],
    "reader": lambda f: pa.RecordBatchReader.from_batches(
        table(f).schema, table(f).to_batches(max_chunksize=77)
    ),
    "slice": lambda f: pa.concat_tables([table(f[:9]), table(f)]).combine_chunks().slice(9),
    "generator": lambda f: (table(f[i : i + 60]) for i in range(0, len(f), 60)),
    "pandas": lambda f: f,
    "pandas with an index": lambda f: f.set_index(pd.Index(np.arange(len(f)) * 2.5, name="id")),
    "polars": pl.from_pandas,
    "polars, lazy": lambda f: pl.from_pandas(f).lazy(),
}


@pytest.mark.parametrize("source", SOURCES)
def test_sources(frame, source):
    expected, found = moments(table(frame), "y"), moments(SOURCES[source](frame), "y")
    assert found.to_bytes() == expected.to_bytes()


def test_parquet(frame, tmp_path):
    expected = moments(table(frame), "y").to_bytes()
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(table(frame), path, row_group_size=64)
    assert moments(pyarrow.dataset.dataset(path), "y").to_bytes() == expected
    assert moments(pyarrow.dataset.dataset(path).scanner(), "y").to_bytes() == expected
    assert moments(pyarrow.parquet.ParquetFile(path), "y").to_bytes() == expected
    assert moments(pl.scan_parquet(path), "y").to_bytes() == expected


TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "bool"]  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_types(name):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2 if name == "bool" else 100, 300)
    y = values + rng.normal(size=300)
    expected = moments(pa.table({"a": values.astype(float), "y": y}), "y").to_bytes()
    column = values.astype(name)
    for given in (pa.array(column), pa.array(column).slice(0), pa.array(np.r_[column[:3], column]).slice(3)):  # fmt: skip
        assert moments(pa.table({"a": given, "y": y}), "y").to_bytes() == expected
    with_gap = pa.array([None, *column.tolist()], pa.from_numpy_dtype(column.dtype))
    dropped = moments(pa.table({"a": with_gap, "y": np.r_[7.0, y]}), "y", missing="drop")
    assert dropped.to_bytes() == expected


def test_extreme_halves():
    """Subnormal, largest and negative numbers of half precision."""
    values = np.array([6e-8, 6.1e-5, 65504, -1.5, -0.0, 3.14], np.float16)
    y = np.arange(6.0)
    found = moments(pa.table({"a": pa.array(values), "y": y}), "y", folds=1)
    expected = moments(pa.table({"a": values.astype(float), "y": y}), "y", folds=1)
    assert found.to_bytes() == expected.to_bytes()


SITES = ["north, by the river", "s", "", "east"]
TEXT_TYPES = {
    "utf8": pa.utf8(),
    "large_utf8": pa.large_utf8(),
    "utf8_view": pa.string_view(),
    "binary": pa.binary(),
    "dictionary": pa.dictionary(pa.int8(), pa.utf8()),
    "dictionary of large": pa.dictionary(pa.uint32(), pa.large_utf8()),
}


@pytest.mark.parametrize("kind", TEXT_TYPES)
def test_fold_columns_of_texts(frame, kind):
    labels = [SITES[i % 4] for i in range(len(frame))]
    plain = table(frame.assign(site=labels))
    expected = moments(plain, "y", fold_column="site")
    assert expected.folds == 4 and expected.fold_column == "site" and expected.seed is None
    wanted = TEXT_TYPES[kind]
    column = pa.array(labels)
    column = column.dictionary_encode().cast(wanted) if "dict" in kind else column.cast(wanted)
    found = moments(plain.set_column(9, "site", pa.chunked_array([column[:7], column[7:]])), "y", fold_column="site")  # fmt: skip
    assert found.to_bytes() == expected.to_bytes()


def test_fold_columns_of_numbers(frame):
    labels = np.arange(len(frame)) % 3
    found = [
        moments(table(frame.assign(f=column)), "y", fold_column="f").to_bytes()
        for column in (labels, labels.astype(np.uint8), labels.astype(str))
    ]
    assert found[0] == found[1] == found[2]
    assert moments(table(frame.assign(f=labels > 0)), "y", fold_column="f").folds == 2


def stable_hash(text, seed):
    """The definition in docs/engines.md."""
    bits = 2**64 - 1
    hashed = 0xCBF29CE484222325
    for byte in text.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 & bits
    hashed = (hashed + seed * 0x9E3779B97F4A7C15) & bits
    hashed = (hashed ^ hashed >> 30) * 0xBF58476D1CE4E5B9 & bits
    hashed = (hashed ^ hashed >> 27) * 0x94D049BB133111EB & bits
    return hashed ^ hashed >> 31


def test_folds_by_the_hash_of_an_id(frame):
    ids = 1000 + np.arange(len(frame)) // 2
    folds = [stable_hash(str(one), 5) % 7 for one in ids]
    found = moments(table(frame.assign(id=ids)), "y", id_column="id", folds=7, seed=5)
    assert found.folds == 7 and found.fold_column == "id (hash, 7 folds, seed 5)"
    same(found, moments(table(frame.assign(fold=folds)), "y", fold_column="fold"))
    as_text = moments(table(frame.assign(id=ids.astype(str))), "y", id_column="id", folds=7, seed=5)
    assert as_text.to_bytes() == found.to_bytes()
    shuffled = frame.assign(id=ids).sample(frac=1, random_state=2)
    same(moments(table(shuffled), "y", id_column="id", folds=7, seed=5), found)
    assert min(np.bincount(folds)) > 40  # a fair share of 500 rows


def test_weights_levels_and_excluded_columns(frame):
    colours = np.array(["red", "green", "blue"])[np.arange(len(frame)) % 3]
    weights = np.arange(len(frame)) % 4
    all_columns = frame.assign(colour=colours, w=weights, note="text")
    found = moments(
        table(all_columns),
        "y",
        weights="w",
        levels={"colour": ["blue", "green", "red"]},
        exclude=["note"],
    )
    assert found.weights == "w" and found.levels == {"colour": ["blue", "green", "red"]}
    coded = frame.assign(w=weights, **{f"colour={one}": colours == one for one in ("green", "red")})
    expected = moments(table(coded), "y", weights="w")
    assert found.names == expected.names
    same(found, expected)
    model = Lass0(k=9).fit(found)
    np.testing.assert_allclose(
        model.predict(all_columns), Lass0(k=9).fit(expected).predict(coded[found.names])
    )
    model.set_params(k=3).fit(
        frame.drop(columns="y"), frame["y"]
    )  # and columns are those of X again
    model.predict(frame.drop(columns="y"))
    again = Lass0.from_json(Lass0(k=9).fit(found).to_json())
    assert "colour" in again._document["one_hot"]


def test_parts_make_the_whole(frame, tmp_path):
    whole = moments(table(frame), "y")
    first = moments(table(frame[:173]), "y")
    second = moments(table(frame[173:]), "y", first_row=first.next_row)
    same(first + second, whole)
    same(second.merge(first), whole)
    assert first.n == 173  # as it was
    (first + second).save(tmp_path / "both.moments")
    same(lass0.load_moments(tmp_path / "both.moments"), whole)
    same(Moments.load(str(tmp_path / "both.moments")), whole)
    same(pickle.loads(pickle.dumps(whole)), whole)
    with pytest.raises(ValueError, match="both have the rows 1 to 173"):
        whole + first
    with pytest.raises(ValueError, match="the targets are 'y' and 'c0'"):
        whole + moments(table(frame), "c0")
    with pytest.raises(ValueError, match="only one of them has 'c7'"):
        first + moments(table(frame[173:]), "y", exclude=["c7"], first_row=174)
    with pytest.raises(TypeError, match="with moments only"):
        whole.merge(frame)
    with pytest.raises(ValueError, match="damaged|truncated"):
        Moments.from_bytes(whole.to_bytes()[:-1])


def test_the_program_reads_and_writes_the_same_files(frame, tmp_path):
    program = Path(sys.executable).parent / "lass0"
    data = frame.assign(colour=np.array(["b", "a"])[np.arange(len(frame)) % 2])
    data.to_csv(tmp_path / "data.csv", index=False)
    run = [program, "moments", "data.csv", "--target", "y", "--one-hot", "colour"]
    subprocess.run([*run, "--output", "csv.moments"], cwd=tmp_path, check=True)
    by_program = lass0.load_moments(tmp_path / "csv.moments")
    ours = moments(table(data), "y", levels={"colour": ["a", "b"]})
    same(by_program, ours)
    ours.save(tmp_path / "ours.moments")
    subprocess.run([program, "cv", "ours.moments"], cwd=tmp_path, check=True)


def test_arrays_have_the_folds_of_the_rows(frame):
    X, y = make_data(1, n=300)
    for given in (X, np.ascontiguousarray(X), X.astype(np.float32).astype(float)):
        model, sums = Lass0CV().fit(given, y), moments(given, y)
        found = Lass0CV().fit(sums)
        np.testing.assert_array_equal(found.support_, model.support_)
        np.testing.assert_allclose(
            found.cv_results_["mean_error"], model.cv_results_["mean_error"], rtol=1e-8
        )
    X[7, 2] = np.nan
    with pytest.raises(ValueError, match="x2"):
        moments(X, y)
    with pytest.raises(ValueError, match="one value per row"):
        moments(X, y[:-1])
    with pytest.raises(ValueError, match="fold_column needs a table"):
        moments(X, y, fold_column="a")
    with pytest.raises(ValueError, match="'drop', which needs a table"):
        moments(X, y, missing="drop")


def test_arrays_that_are_no_plain_numbers_are_errors():
    X, y = make_data(1, n=50)
    gap = np.arange(50) == 3
    text = X.astype(object)
    text[3, 1] = "many"
    hole = X.astype(object)
    hole[3, 1] = None
    for bad_X, bad_y, message in [
        (X, np.ma.array(y, mask=gap), "y contains NaN"),
        (np.ma.array(X, mask=np.column_stack([gap] * X.shape[1])), y, "x0"),
        (X, y * 1j, "Complex data"),
        (X * 1j, y, "Complex data"),
        (X.astype("datetime64[s]"), y, "x0"),
        (text, y, "x1"),
        (hole, y, "x1"),
        (X[:0], y[:0], "no rows of positive weight"),
    ]:
        with pytest.raises(ValueError, match=message):
            moments(bad_X, bad_y)


def test_large_means_keep_their_digits():
    frame = make_frame(2, n=4000)
    for j in range(8):
        frame[f"c{j}"] = np.round(frame[f"c{j}"] * 2**20) / 2**20  # so that the sum below is exact
    shifted = frame.assign(**{f"c{j}": frame[f"c{j}"] + 1e8 for j in range(8)})
    one, other = (Lass0CV().fit(moments(table(f), "y")) for f in (frame, shifted))
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-6)


def bad(frame, column, **arguments):
    return lambda: moments(table(frame.assign(z=column)), "y", **arguments)


def test_messages(frame):
    n = len(frame)
    gap = np.where(np.arange(n) == 17, None, 1.0)
    cases = [
        (bad(frame, "text"), "column 'z' has texts: exclude it, or give all its levels"),
        (bad(frame, pd.Categorical(["a"] * n)), "column 'z' has categories: exclude it"),
        (bad(frame, pd.Timestamp(0)), "column 'z' has dates or times: convert"),
        (bad(frame, [[1]] * n), "column 'z' has lists"),
        (bad(frame, gap), "row 17, counted from 0, column 'z': the value is missing"),
        (bad(frame, np.inf), "row 0, counted from 0, column 'z': the value is infinite"),
        (bad(frame, gap, fold_column="z"), "column 'z' must have texts or whole numbers"),
        (bad(frame, 1, fold_column="z", id_column="c1"), "give one of them"),
        (bad(frame, 1, id_column="z", first_row=9), "first_row is 9, but the folds come from column 'z'"),
        (bad(frame, 1, fold_column="z", first_row=9), "leave first_row out, which is for random folds"),
        (bad(frame, 1, exclude=["q"]), "no column 'q', which is to be excluded"),
        (bad(frame, 1, exclude=["y"]), "'y' can't be the target and something else"),
        (bad(frame, -1, weights="z"), "the weight is -1, but must be"),
        (bad(frame, "b", levels={"z": ["a", "c"]}), "'b' is not one of its levels, which are a, c"),
        (lambda: moments(table(frame), "q"), "the data have no column 'q', which is the target"),
        (lambda: moments(table(frame[:0]), "y"), "there are no rows of positive weight"),
        (lambda: moments(iter(()), "y"), "there are no data to sum"),
        (lambda: moments(table(frame), "y", missing="mean"), "must be one of 'error', 'drop'"),
        (lambda: moments(table(frame), "y", folds=0), "folds is 0"),
        (lambda: moments((t for t in [table(frame), table(frame[["y"]])]), "y"), "no column 'c0'"),
        (lambda: moments((t for t in [table(frame), table(frame.assign(new=1))]), "y"), "a column 'new' that the first one has not"),
    ]  # fmt: skip
    nested = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(n, np.int8)), pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array([1.5]))
    )  # fmt: skip
    cases.append((lambda: moments(table(frame).append_column("z", nested), "y", fold_column="z"), "has categories of categories"))  # fmt: skip
    period = pd.period_range("2020-01", periods=n, freq="D")
    cases.append(
        (bad(frame, period), "column 'z' has values of a type of its own, such as periods")
    )
    whole = pa.StructArray.from_arrays(
        [pa.array(frame["c0"]), pa.array(frame["y"])], names=["c0", "y"], mask=pa.array(np.arange(n) == 5)
    )  # fmt: skip
    cases.append((lambda: moments(pa.chunked_array([whole]), "y"), "row 5, counted from 0: the whole row is null"))  # fmt: skip
    decimal = pa.array([1] * n).cast(pa.decimal128(30, 2))
    cases.append((lambda: moments(table(frame).append_column("d", decimal), "y"), "'d' has decimals: cast it to double"))  # fmt: skip
    for call, message in cases:
        with pytest.raises(ValueError) as caught:
            call()
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
    for wrong in ("data.parquet", 7, {"a": 1}, ["data.parquet"]):
        with pytest.raises(TypeError, match="moments takes"):
            moments(wrong, "y")
    with pytest.raises(TypeError, match="target is 3"):
        moments(table(frame), 3)


def test_sums_about_a_centre_that_is_no_number_are_damaged(frame):
    content = moments(table(frame), "y").to_bytes()
    start = 20 + int.from_bytes(content[12:20], "little")
    for value in (float("nan"), float("inf")):
        damaged = content[:start] + struct.pack("<d", value) + content[start + 8 : -4]
        damaged += struct.pack("<I", zlib.crc32(damaged))
        with pytest.raises(ValueError, match="the file of moments is damaged"):
            Moments.from_bytes(damaged)
    assert Moments.from_bytes(content[:-4] + struct.pack("<I", zlib.crc32(content[:-4]))).n == 500


def test_a_stream_that_fails_says_why(frame):
    def batches():
        yield table(frame).to_batches()[0]
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(table(frame).schema, batches())
    with pytest.raises(ValueError, match="the Arrow stream failed: .*the disk is gone"):
        moments(reader, "y")


def test_what_needs_rows_says_so(frame):
    sums = moments(table(frame), "y", folds=5)
    by_column = moments(table(frame.assign(site=np.arange(500) % 4)), "y", fold_column="site")
    groups = np.zeros(500)
    cases = [
        (lambda: Lass0CV().fit(sums, frame["y"]), "y must be None"),
        (lambda: Lass0().fit(sums, sample_weight=groups), "sample_weight needs the rows"),
        (lambda: Lass0Classifier(k=1).fit(sums, None), "two classes and offsets need the rows"),
        (lambda: lass0.path(sums, family="binomial"), "two classes and offsets need the rows"),
        (lambda: Lass0CV(cv=7).fit(sums), "cv is 7, but the moments have 5 folds: leave cv out"),
        (lambda: Lass0CV(cv=10).fit(sums), "cv is 10, but the moments have 5 folds"),
        (lambda: Lass0CV(random_state=7).fit(sums), "random_state is 7, but the folds of the moments have seed 1"),
        (lambda: Lass0CV(random_state=7).fit(by_column), "random_state is 7, but the folds come from column 'site': leave random_state out$"),
        (lambda: Lass0CV(cv=5).fit(by_column), "cv is 5, but the folds come from column 'site': leave cv out$"),
        (lambda: Lass0CV(cv=5).fit(moments(table(frame), "y", folds=1)), "at least 2 are needed"),
        (lambda: Lass0CV(cv=[(groups, groups)]).fit(sums), "splitters and groups need the rows"),
        (lambda: Lass0CV().fit(sums, groups=groups), "splitters and groups need the rows"),
        (lambda: Lass0CV(inference="splits").fit(sums), "needs the rows"),
        (lambda: Lass0CV().fit(sums).predict_interval(frame[sums.names]), "no fold models"),
        (lambda: Lass0CV().fit(moments(table(frame), "y", folds=1)), "at least 2 are needed"),
        (lambda: lass0.path(frame), "requires y to be passed"),
    ]  # fmt: skip
    for call, message in cases:
        with pytest.raises(ValueError, match=message):
            call()
    Lass0CV(cv=5, random_state=1).fit(sums)
    Lass0CV(random_state=3).fit(moments(table(frame), "y", seed=3))


def test_ctrl_c_stops_the_sums(frame):
    def endless():
        while True:
            yield from table(frame).to_batches()

    reader = pa.RecordBatchReader.from_batches(table(frame).schema, endless())
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        moments(reader, "y")


def test_memory_is_that_of_a_batch():
    """40 batches of 8 MB take no more than a few of them."""
    code = """
        import resource, numpy as np, pyarrow as pa, lass0

        some = np.random.default_rng(1).normal(size=(8, 125_000))

        def batches(count):
            for i in range(count):
                yield pa.table({f"c{j}": column for j, column in enumerate(some + i)})

        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

        lass0.moments(batches(6), "c0", threads=1)
        before = peak()
        assert lass0.moments(batches(40), "c0", threads=1).n == 40 * 125_000
        assert peak() - before < 64, peak() - before
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def run_module(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "lass0", *arguments], cwd=cwd, capture_output=True, text=True
    )


def test_the_program_of_the_package_sums_parquet_files(frame, tmp_path):
    data = frame.assign(colour=np.array(["b", "a"])[np.arange(500) % 2], note="n")
    pyarrow.parquet.write_table(table(data[:300]), tmp_path / "a.parquet")
    pyarrow.feather.write_feather(table(data[300:]), tmp_path / "b.feather")
    arguments = ["a.parquet", "b.feather", "--target", "y", "--one-hot", "colour", "--exclude", "note"]  # fmt: skip
    run = run_module("moments", *arguments, "--output", "m.moments", cwd=tmp_path)
    assert run.stdout == (
        "m.moments: 500 rows, 9 columns, target y, 10 random folds, seed 1\n"
        "the next part needs --first-row 501\n"
    ), run.stderr
    expected = moments(table(data), "y", levels={"colour": ["a", "b"]}, exclude=["note"])
    assert lass0.load_moments(tmp_path / "m.moments").to_bytes() == expected.to_bytes()
    (tmp_path / "levels.txt").write_text("colour=a\ncolour=b\n")
    run = run_module("moments", *arguments, "--levels", "levels.txt", "--output", "n.moments", "--format", "json", cwd=tmp_path)  # fmt: skip
    assert '"n": 500' in run.stdout, run.stderr
    assert (tmp_path / "n.moments").read_bytes() == (tmp_path / "m.moments").read_bytes()


@pytest.mark.parametrize(
    "arguments, status, message",
    [
        (["a.parquet", "--target", "q"], 1, "no column 'q'"),
        (["b.parquet", "--target", "y"], 1, "b.parquet"),
        (["a.parquet", "--target", "y", "--nonsense"], 2, "--nonsense"),
        (["a.parquet", "--target", "y", "--fold-column", "c0", "--seed", "2"], 2, "--seed does not work with"),
        (["a.parquet", "--target", "y", "--id-column", "c0", "--first-row", "2"], 2, "--first-row does not work with"),
        (["a.parquet", "--target", "y", "--exclude", "q"], 1, "--exclude names 'q'"),
    ],
)  # fmt: skip
def test_errors_of_the_program_of_the_package(frame, tmp_path, arguments, status, message):
    pyarrow.parquet.write_table(table(frame), tmp_path / "a.parquet")
    run = run_module("moments", *arguments, "--output", "m", cwd=tmp_path)
    assert run.returncode == status
    assert run.stderr.startswith("lass0 moments: ") and message in run.stderr
    assert run.stderr.count("\n") == 1
