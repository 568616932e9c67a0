"""Data that can't be used are refused by name: column, row (from 0) and what to do."""

import threading
import time
import warnings

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from scipy import sparse

import lass0
from lass0 import Lass0, Lass0CV, LassoPath


@pytest.fixture
def frame(data):
    X, y = data
    return pd.DataFrame(X[:, :4], columns=list("abcd")), y


def refused(X, y, *parts, error=ValueError):
    """The message of a fit, of a path and of a prediction, which has all the parts."""
    with pytest.raises(error) as caught:
        Lass0(k=1).fit(X, y)
    for part in parts:
        assert part in str(caught.value)
    with pytest.raises(error):
        lass0.path(X, y)
    return str(caught.value)


LIBRARIES = [lambda X: X, polars.from_pandas, pyarrow.Table.from_pandas]


@pytest.mark.parametrize("library", LIBRARIES)
def test_text_columns_are_listed(library, frame):
    X, y = frame
    X = X.assign(f=["u", "v"] * 40, g=["p"] * 80)
    refused(library(X), y, "2 columns of text: f ('u' in row 0), g ('p' in row 0)", "OneHotEncoder")
    with pytest.raises(ValueError, match="f \\('u' in row 0\\)"):
        Lass0(k=1).fit(frame[0], y).predict(library(X[["a", "b", "c", "f"]]))


@pytest.mark.parametrize("library", LIBRARIES)
def test_dates_are_no_numbers(library, frame):
    X, y = frame
    X = library(X.assign(when=pd.date_range("2020-01-01", periods=80)))
    refused(X, y, "1 column of dates: when ('2020-01-01", "days since a first date")


def test_dates_and_durations_in_arrays_are_no_numbers(data):
    X, y = data
    for kind, word in (("M8[D]", "dates"), ("m8[s]", "durations")):
        refused(X.astype(int).astype(kind), y, f"12 columns of {word}: x0 (", "and 7 more")
        with pytest.raises(ValueError, match=f"y has {word}"):
            Lass0(k=1).fit(X, y.astype(int).astype(kind))
    frame = pd.DataFrame({"a": pd.to_timedelta(np.arange(80), "D"), "b": X[:, 0]})
    refused(frame, y, "1 column of durations: a", "total_seconds")


@pytest.mark.parametrize("library", LIBRARIES)
def test_categories_are_no_numbers(library, frame):
    X, y = frame
    for values in (["u", "v"] * 40, [1, 2] * 40):
        if library is polars.from_pandas and values[0] == 1:
            continue  # has categories of texts only
        X = X.assign(e=pd.Categorical(values))
        refused(library(X), y, "1 column of categories: e", "OneHotEncoder", "astype(float)")


def test_single_entries_that_are_no_numbers_are_named(frame):
    X, y = frame
    X = X.assign(b=["?" if i == 7 else 1.0 * i for i in range(80)])
    refused(X, y, "numbers with other entries: b ('?' in row 7)", "errors='coerce'")
    refused(X.to_numpy(), y, "numbers with other entries: x1 ('?' in row 7)")
    refused([["1", "a"], ["2", "b"]], [1.0, 2.0], "1 column of text: x1 ('a' in row 0)")


def test_objects_that_are_no_numbers_are_named(frame):
    X, y = frame
    for value in ([1, 2], {}, pd.Interval(0, 1)):
        refused(X.assign(b=[value] * 80), y, "1 column of objects: b", error=TypeError)


def test_numbers_as_objects_or_texts_are_numbers(frame):
    X, y = frame
    expected = Lass0(k=2).fit(X, y).coef_
    for other in (
        X.astype(object),
        X.assign(b=X.b.astype(object)),
        X.assign(b=[repr(float(value)) for value in X.b]),
        X.convert_dtypes(),
        X.astype("Float64").astype({"c": "float64"}),
        X.astype("float64[pyarrow]"),
        pyarrow.RecordBatch.from_pandas(X),
    ):
        model = Lass0(k=2).fit(other, y)
        np.testing.assert_allclose(model.coef_, expected, rtol=1e-10)
        np.testing.assert_allclose(model.predict(other), Lass0(k=2).fit(X, y).predict(X))


def test_missing_values_are_listed_by_column(frame):
    X, y = frame
    full = Lass0(k=4).fit(X, y)
    X = X.copy()
    X.loc[[6, 9], "b"] = np.nan
    X.loc[11, "d"] = np.nan
    listed = "3 missing values (NaN) in 2 columns: b (2, first in row 6), d (1, first in row 11)"
    nullable = X.astype("Float64")
    for other in (X, X.assign(a=X.a.astype("float32")), nullable, nullable.astype(object)):
        refused(other, y, "Input X contains NaN or infinity: " + listed, "Rows count from 0")
        with pytest.raises(ValueError) as caught:
            full.predict(other)
        assert listed in str(caught.value)
    refused(polars.from_pandas(X), y, listed)
    refused(pyarrow.Table.from_pandas(X), y, listed)
    unnamed = "b (2, first in row 6), d (1".replace("b", "x1").replace("d", "x3")
    refused(X.to_numpy(), y, unnamed)
    refused(sparse.csc_matrix(X.to_numpy()), y, unnamed)
    refused(np.ascontiguousarray(X.to_numpy(), dtype=np.float32), y, unnamed)
    refused(X.set_index(pd.Index([f"r{i}" for i in range(80)])), y, "first in row 6 (index 'r6')")
    assert Lass0(k=2, exclude=["b", "d"]).fit(X, y).k_ == 2
    with pytest.raises(ValueError) as caught:
        Lass0(k=1, exclude=["b"]).fit(X, y)
    assert "1 missing value (NaN) in 1 column: d" in str(caught.value)
    X = X.fillna(0.0)
    X.loc[3, "c"] = -np.inf
    refused(X, y, "infinite values in 1 column: c (1, first in row 3)")


def test_masked_entries_are_missing(data):
    X, y = data
    mask = np.zeros(X.shape, dtype=bool)
    mask[[5, 8], 2] = True
    for numbers in (X, (10 * X).astype(int)):
        masked = np.ma.masked_array(numbers, mask)
        listed = "2 missing values (NaN) in 1 column: x2 (2, first in row 5)"
        refused(masked, y, listed)
        with pytest.raises(ValueError) as caught:
            Lass0(k=1).fit(X, y).predict(masked)
        assert listed in str(caught.value)
    hidden = np.arange(80) == 4
    with pytest.raises(
        ValueError, match="Input y contains NaN or infinity: 1 value, first in row 4"
    ):
        Lass0(k=1).fit(X, np.ma.masked_array(y, hidden))
    with pytest.raises(ValueError, match="Input sample_weight contains NaN or infinity: 1 value"):
        Lass0(k=1).fit(X, y, sample_weight=np.ma.masked_array(np.ones(80), hidden))
    whole = Lass0(k=3).fit(np.ma.masked_array(X, False), y)
    np.testing.assert_array_equal(whole.coef_, Lass0(k=3).fit(X, y).coef_)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (["no", "yes"] * 40, "y has text .*'no' in row 0.*Lass0Classifier"),
        (pd.Series(pd.Categorical(["u", "v"] * 40)), "Lass0Classifier"),
        ([np.nan, 1.0] * 40, "y contains NaN or infinity: 40 values, first in row 0"),
        ([1.0, None] * 40, "first in row 1"),
        (pd.Series([1, pd.NA] * 40, dtype="Int64"), "first in row 1"),
        (np.full(80, 1j), "Complex data not supported"),
        (np.ones((80, 2)), "1d array"),
        (np.ones(79), "inconsistent numbers of samples"),
        (pd.Series(pd.date_range("2020", periods=80)), "y has dates"),
    ],
)
def test_targets_that_can_not_be_fitted(target, message, data):
    for X in (data[0], pd.DataFrame(data[0]).assign(z=1).rename(columns=str)):
        with pytest.raises(ValueError, match=message):
            Lass0(k=1).fit(X, target)


def test_a_column_is_a_target(data):
    X, y = data
    expected = Lass0(k=2).fit(X, y).coef_
    for column in (
        y[:, None],
        pd.DataFrame({"y": y}),
        polars.DataFrame({"y": y}),
        y.astype(object),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.testing.assert_array_equal(Lass0(k=2).fit(X, column).coef_, expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(3), "expected \\(80,\\)"),
        (-np.ones(80), "sample_weight is -1 in row 0, rows counted from 0"),
        (
            np.r_[1.0, np.nan, np.ones(78)],
            "sample_weight contains NaN or infinity: 1 value, first in row 1",
        ),
        (np.r_[1.0, np.inf, np.ones(78)], "first in row 1"),
        (np.zeros(80), "at least one non-zero"),
        (["a"] * 80, "sample_weight has text"),
    ],
)
def test_weights_that_make_no_sense(weights, message, data):
    for estimator in (Lass0(k=1), Lass0CV(), LassoPath()):
        with pytest.raises(ValueError, match=message):
            estimator.fit(*data, sample_weight=weights)


def test_frames_that_are_no_table(frame):
    X, y = frame
    refused(X.set_axis(list("aabb"), axis=1), y, "several columns of the same name: 'a', 'b'")
    two = [pyarrow.array(X.a), pyarrow.array(X.b)]
    refused(pyarrow.Table.from_arrays(two, names=["a", "a"]), y, "several columns of the same name")
    refused(X[[]], y, "X has no columns")
    refused(X.iloc[:0], y[:0], "0 sample(s)")
    refused(X.assign(i=1).iloc[:1], y[:1], "1 sample(s)")
    refused(polars.from_pandas(X).lazy(), y, "collect()", error=TypeError)
    assert Lass0(k=1).fit(X[["a"]], y).support_.tolist() == [0]


def test_names_without_unicode_are_refused(frame):
    X, y = frame
    X.columns = pd.Index(["a", "\udc80", "c", "d"], dtype=object)
    refused(X, y, "is not valid Unicode")


def test_names_that_are_no_texts_are_numbers_from_0(data):
    X, y = data
    X = pd.DataFrame(X)
    assert lass0.path(X, y).names([0, 3]) == ["x0", "x3"]
    X.loc[2, 5] = np.nan
    refused(X, y, "x5 (1, first in row 2)")
    refused(X.astype({5: "float32"}), y, "x5 (1, first in row 2)")


def test_columns_without_names_are_x0_everywhere(data):
    X, y = data
    include = [0, 2]
    model = Lass0(k=2, include=include).fit(X, y)
    assert model.table_.names(include) == ["x0", "x2"]
    assert {"x0", "x2"} <= set(model.get_feature_names_out())
    assert {"x0", "x2"} <= set(model.set_output(transform="pandas").transform(X).columns)
    with pytest.raises(ValueError, match="column 'x2' is included and has a sign"):
        Lass0(k=2, include=[2], signs={2: 1}).fit(X, y)
    with pytest.raises(ValueError, match="column 'x3' is included and has a sign"):
        Lass0(k=2, include=[3], signs={3: 1}, exclude=[0]).fit(X, y)
    ax = lass0.plot_support(model)
    assert all(
        text.get_text() in set(map("x{}".format, range(12))) for text in ax.get_yticklabels()
    )


def test_data_that_change_during_a_fit_never_give_a_model_that_is_not_finite():
    rng = np.random.default_rng(0)
    whole = np.asfortranarray(rng.normal(size=(2000, 200)))
    y = whole[:, :10].sum(axis=1) + rng.normal(size=2000)
    X = whole.copy(order="F")
    failed = 0
    for estimator in (Lass0(lambda0=5, start="paper"), Lass0(k=12), Lass0CV(5), LassoPath()):
        begin = time.perf_counter()
        estimator.fit(X, y)
        seconds = time.perf_counter() - begin
        for share in np.linspace(0.1, 0.9, 6):
            timer = threading.Timer(share * seconds, X.fill, [np.nan])
            timer.start()
            try:
                model = estimator.fit(X, y)
                assert np.isfinite(model.coef_).all() and np.isfinite(model.intercept_)
            except ValueError:
                failed += 1
            timer.join()
            X[:] = whole
    assert failed > 0
