"""X as an array of another array library gives the same model as the NumPy array, and is not brought to the processor's memory."""

import os

import array_api_strict
import numpy as np
import pytest
import threadpoolctl
from array_libraries import CuPyLike, Standard, TensorOfTheProcessor, TorchLike
from conftest import make_classes, make_data

import lass0
from lass0 import (
    Lass0,
    Lass0Classifier,
    Lass0ClassifierCV,
    Lass0CV,
    LassoPath,
    _array_api,
    _design,
)


def strict(values):
    return array_api_strict.asarray(values)


def strict_elsewhere(values):
    return array_api_strict.asarray(values, device=array_api_strict.Device("device1"))


def torch_itself(values):
    if os.environ.get("LASS0_TEST_TORCH"):  # set where it is known to be there (scripts/test_torch)
        import torch
    else:
        torch = pytest.importorskip("torch")
    return torch.from_numpy(values)


@pytest.fixture(autouse=True)
def libraries(monkeypatch):
    """The stand-ins of this test, as what `import` finds."""
    stand_ins = {"torch": TorchLike(), "cupy": CuPyLike(), "standard": Standard()}
    real = _array_api.import_module

    def import_module(name):
        try:
            return real(name)
        except ImportError:
            return stand_ins[name]

    monkeypatch.setattr(_array_api, "import_module", import_module)
    return stand_ins


@pytest.fixture(autouse=True)
def one_thread():
    """Threads of NumPy's BLAS, which wait for work by spinning, take many times longer than these small products."""
    with threadpoolctl.threadpool_limits(1):
        yield


KINDS = ["strict", "strict elsewhere", "torch", "torch-like", "cupy-like", "standard"]


@pytest.fixture(params=KINDS)
def put(request, libraries, monkeypatch):
    """Makes an array of a library of a NumPy array."""
    if request.param == "torch":  # whose tensors are in the processor's memory, as if they were not
        monkeypatch.setattr(_design, "shared_with_numpy", lambda X: X)
    if request.param.endswith("-like"):
        name = request.param.partition("-")[0]
        if _array_api.import_module(name) is not libraries[name]:
            pytest.skip(f"{name} itself is here")
        return libraries[name].put
    others = {"strict": strict, "strict elsewhere": strict_elsewhere, "torch": torch_itself}
    return others.get(request.param, libraries["standard"].put)


def assert_same(model, expected, rtol=1e-9):
    np.testing.assert_array_equal(model.support_, expected.support_)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=rtol, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, expected.intercept_, rtol=rtol, atol=1e-9)
    assert model.status_ == expected.status_
    if isinstance(expected, Lass0CV):
        assert len(model.cv_results_["mean_test_score"]) > 1
        for name, values in expected.cv_results_.items():
            if name != "params":
                np.testing.assert_allclose(model.cv_results_[name], values, rtol=1e-9, atol=1e-12)


ESTIMATORS = {
    "lambda": lambda: Lass0(lambda0=0.5),
    "paper": lambda: Lass0(lambda0=0.5, start="paper"),
    "k": lambda: Lass0(3, ridge=2.0, include=[1]),
    "exclude": lambda: Lass0(2, exclude=[0, 3], include=[5]),
    "signs": lambda: Lass0(3, signs={0: 1, 1: -1}),
    "criterion": lambda: Lass0(criterion="ebic"),
    "raw": lambda: Lass0(2, fit_intercept=False, standardize=False),
    "cv": lambda: Lass0CV(5),
    "cv by size": lambda: Lass0CV(4, tune="k", rule="min", ridge=0.0),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_gives_the_model_of_the_numpy_array(name, put, data):
    X, y = data
    weights = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    for w in (None, weights):
        expected = ESTIMATORS[name]().fit(X, y, sample_weight=w)
        assert_same(ESTIMATORS[name]().fit(put(X), y, sample_weight=w), expected)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8"])
def test_every_layout_and_type_gives_the_same_model(put, order, dtype):
    X, y = make_data(3, n=90, p=15)
    X = np.array(10 * X, order=order).astype(dtype, order="K")
    expected = Lass0CV(5).fit(X.astype(np.float64), y)
    assert_same(Lass0CV(5).fit(put(X), y), expected)


def test_y_and_weights_may_be_arrays_of_the_library(put, data):
    X, y = data
    weights = np.linspace(0.5, 2, len(y))
    expected = Lass0(3).fit(X, y, sample_weight=weights)
    model = Lass0(3).fit(put(X), put(y), sample_weight=put(weights))
    assert_same(model, expected)
    assert model.score(put(X), put(y), put(weights)) == pytest.approx(
        expected.score(X, y, weights), rel=1e-12
    )


def test_predictions_are_numpy_arrays_and_selected_columns_stay_where_they_are(put, data):
    X, y = data
    expected = Lass0CV(5).fit(X, y)
    there = put(X)
    model = Lass0CV(5).fit(there, y)
    for one, other in (
        (model.predict(there), expected.predict(X)),
        (model.predict(there, k=2), expected.predict(X, k=2)),
        (model.predict_interval(there, 0.9), expected.predict_interval(X, 0.9)),
    ):
        assert isinstance(one, np.ndarray)
        np.testing.assert_allclose(one, other, rtol=1e-9)
    chosen = model.transform(there)
    assert type(chosen) is type(there)
    np.testing.assert_array_equal(_array_api.host_array(chosen), X[:, expected.support_])


def test_a_column_with_a_mean_of_1e8_keeps_its_digits(put):
    X, y = make_data(5, n=100, p=300)  # more than where all products are computed at once
    X[:, ::2] += 1e8
    expected = Lass0(4).fit(X, y)
    assert_same(Lass0(4).fit(put(X), y), expected, rtol=1e-6)
    assert_same(Lass0CV(5, ridge=0.0).fit(put(X), y), Lass0CV(5, ridge=0.0).fit(X, y), rtol=1e-6)


def wide(p=1100, n=50):
    X, y = make_data(8, n=n, p=p, k=5, rho=0.2)
    X[:, 7] = 3  # constant
    X[:, 8] *= 1e-160  # whose squares are no doubles
    X[:, 9] = X[:, 10]
    return X, y


@pytest.mark.parametrize("blocks", ["one", "several"])
def test_many_columns_give_the_same_model_for_any_number_of_threads(put, blocks, monkeypatch):
    if blocks == "several":
        monkeypatch.setattr(_array_api, "_PANEL_BYTES", 100_000)
    X, y = wide()
    effort = "full" if blocks == "several" else "quick"
    for make in (
        lambda threads: Lass0(4, n_jobs=threads),
        lambda threads: Lass0CV(3, ridge=0.0, effort=effort, max_k=5, n_jobs=threads),
    ):
        expected = make(1).fit(X, y)
        one, two = make(1).fit(put(X), y), make(2).fit(put(X), y)
        assert_same(one, expected)
        np.testing.assert_array_equal(one.coef_, two.coef_)
        assert one.constant_.tolist() == [7]


def supports(table):
    return [list(support) for support in table.supports]


def test_paths_and_stability_give_the_same_answers(put, data):
    X, y = data
    there = put(X)
    assert supports(lass0.path(there, y, max_k=4)) == supports(lass0.path(X, y, max_k=4))
    np.testing.assert_allclose(
        LassoPath().fit(there, y).coefs_, LassoPath().fit(X, y).coefs_, rtol=1e-6, atol=1e-9
    )
    np.testing.assert_array_equal(
        lass0.stability(there, y, k=3, pairs=10).frequencies,
        lass0.stability(X, y, k=3, pairs=10).frequencies,
    )


def test_two_classes_give_the_same_model(put):
    X, y = make_classes()
    model = Lass0Classifier(3).fit(put(X), put(y))
    expected = Lass0Classifier(3).fit(X, y)
    np.testing.assert_array_equal(model.support_, expected.support_)
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(put(X)), expected.predict_proba(X), rtol=1e-9)
    assert model.score(put(X), put(y)) == expected.score(X, y)
    cv = Lass0ClassifierCV(4).fit(put(X), y)
    np.testing.assert_array_equal(cv.support_, Lass0ClassifierCV(4).fit(X, y).support_)


def test_reports_and_summaries_work(put, data, tmp_path):
    X, y = data
    model = Lass0CV(5).fit(put(X), y)
    assert model.summary() == Lass0CV(5).fit(X, y).summary()
    model.report(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text()


def test_missing_values_are_named(put, data):
    X, y = data
    X[3, 2], X[5, 2], X[7, 4] = np.nan, np.nan, np.inf
    message = r"2 missing values \(NaN\) in 1 column: x2 \(2, first in row 3\); infinite values in 1 column: x4 \(1, first in row 7\)"
    with pytest.raises(ValueError, match=message):
        Lass0(2).fit(put(X), y)
    with pytest.raises(ValueError, match=message):
        Lass0CV(5, exclude=[0]).fit(put(X.astype(np.float32)), y)
    clean = np.nan_to_num(X, posinf=0)
    model = Lass0(2, include=[2]).fit(put(clean), y)
    with pytest.raises(ValueError, match="x2"):
        model.predict(put(X))


def test_what_is_no_matrix_of_numbers_is_an_error(put, data):
    X, y = data
    with pytest.raises(ValueError, match="Expected 2D array"):
        Lass0(2).fit(put(y), y)
    with pytest.raises(ValueError, match="Complex data not supported"):
        Lass0(2).fit(put(X + 1j), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Lass0(2).fit(put(X), y[:-1])
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        Lass0(1).fit(put(X[:1]), y[:1])
    with pytest.raises(ValueError, match="features"):
        Lass0(2).fit(put(X), y).predict(put(X[:, :-1]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "failure, expected",
    [
        (MemoryError("of 8 GB"), (MemoryError, "no memory left for a copy of .* columns")),
        (RuntimeError("CUDA error: out of memory"), (MemoryError, "out of memory")),
        (RuntimeError("no such kernel"), (RuntimeError, "could not compute with X.*no such")),
    ],
)
def test_a_failure_of_the_library_is_one_error(failure, expected, threads, libraries, monkeypatch):
    X, y = wide()
    monkeypatch.setattr(_array_api, "_PANEL_BYTES", 100_000)
    asked = 0

    def fail(self, other):
        nonlocal asked
        asked += 1
        if asked > 30:
            raise failure
        return self._new(self.values @ self._inside(other))

    monkeypatch.setattr(libraries["standard"].array, "__matmul__", fail)
    with pytest.raises(expected[0], match=expected[1]):
        Lass0CV(4, n_jobs=threads, verbose=True).fit(libraries["standard"].put(X), y)


def test_tensors_in_the_memory_of_the_processor_are_read_as_numpy_arrays(data):
    X, y = data
    tensor = TensorOfTheProcessor(X)
    assert _array_api.shared_with_numpy(tensor) is X
    assert_same(Lass0CV(4).fit(tensor, y), Lass0CV(4).fit(X, y))
    np.testing.assert_array_equal(
        Lass0(2).fit(tensor, y).predict(tensor), Lass0(2).fit(X, y).predict(X)
    )
    sparse = TensorOfTheProcessor(X, layout="torch.sparse_coo")
    assert _array_api.shared_with_numpy(sparse) is sparse


def test_a_library_without_double_precision_is_an_error(libraries, data):
    X, y = data
    libraries["standard"].float64 = np.float32  # as JAX, unless it is told otherwise
    with pytest.raises(ValueError, match="computes in float32 where double precision is needed"):
        Lass0(2).fit(libraries["standard"].put(X), y)


def test_a_time_limit_ends_the_run(libraries):
    X, y = wide()
    with pytest.raises(ValueError, match="time limit was reached before"):
        Lass0(4, time_limit=1e-6).fit(libraries["standard"].put(X), y)


def test_x_is_read_in_wide_batches_and_only_results_cross(libraries):
    """The passes over X of a cross-validation, and the bytes that go to and fro, against the size of X."""
    X, y = make_data(2, n=400, p=4000, k=5, rho=0.2)
    library = libraries["standard"]
    there = library.put(X)
    Lass0CV(5, tune="k", ridge=0.0, max_k=10, n_jobs=2).fit(there, y)
    n, p = X.shape
    asked = library.traffic.products
    wide_ones = [columns for rows, columns in asked if columns == p]
    # The sums over the rows, by fold; lists in some rounds for every training set; the full search on all rows, for eight columns
    # at a time. Every product is of all columns.
    assert len(wide_ones) == len(asked) < 450
    passes = sum(rows for rows, _ in asked) / n
    # Eight results for each column and pass, up to eight columns that the pass is for, and little else.
    assert library.traffic.down < 1.1 * passes * 8 * 8 * (p + n)
    assert library.traffic.up < passes * 8 * (8 * n + p) + 8 * 1000
    assert library.traffic.down < 0.025 * passes * X.nbytes
