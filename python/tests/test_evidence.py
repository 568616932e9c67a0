"""p-values, prediction intervals, and predictions of another size."""

import pickle

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

from lass0 import Lass0, Lass0CV


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 8))
    y = 2 * X[:, 1] - X[:, 4] + random.normal(size=300)
    return X, y


def test_p_values_have_a_place_for_every_column(data):
    X, y = data
    model = Lass0CV(inference="splits", include=[0], exclude=[7]).fit(X, y)
    assert model.p_values_.shape == (8,)
    assert np.isnan(model.p_values_[[0, 7]]).all()
    assert (model.p_values_[[1, 4]] < 1e-6).all()
    assert (model.p_values_[[2, 3, 5, 6]] > 0.05).all()
    assert (model.selected_[[1, 4]] == 1).all()
    assert Lass0CV().fit(X, y).p_values_ is None
    with pytest.raises(ValueError, match="inference"):
        Lass0CV(inference="bootstrap").fit(X, y)
    with pytest.raises(ValueError, match="independent rows"):
        Lass0CV(inference="splits").fit(X, y, groups=np.arange(300) // 3)


def by_definition(model, x, coverage):
    """CV+ from the fold models, with the quantiles of sorted lists."""
    low, high = [], []
    for support, coefficients, intercept, residuals in model._fold_models:
        prediction = intercept + x[support] @ coefficients
        low += list(prediction - residuals)
        high += list(prediction + residuals)
    n = len(low)
    rank = int(np.floor((1 - coverage) * (n + 1) + 1e-9))
    return sorted(low)[rank - 1], sorted(high)[n - rank]


def test_intervals_are_those_of_the_definition(data):
    X, y = data
    model = Lass0CV(cv=5, exclude=[2]).fit(X[:200], y[:200])
    values = model.predict_interval(X[200:], coverage=0.8)
    assert values.shape == (100, 3)
    np.testing.assert_array_equal(values[:, 0], model.predict(X[200:]))
    for i in range(0, 100, 7):
        np.testing.assert_allclose(values[i, 1:], by_definition(model, X[200 + i], 0.8))
    inside = (values[:, 1] <= y[200:]) & (y[200:] <= values[:, 2])
    assert 0.65 < inside.mean() < 0.95
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_interval(X[200:], coverage=0.8), values)
    for coverage in (0, 1, 90):
        with pytest.raises(ValueError, match="coverage"):
            model.predict_interval(X, coverage=coverage)
    with pytest.raises(ValueError, match="lower coverage"):
        model.predict_interval(X, coverage=0.999)


def test_splits_that_are_no_partition_have_no_intervals(data):
    X, y = data
    model = Lass0CV(cv=TimeSeriesSplit(4)).fit(X, y)
    with pytest.raises(ValueError, match="partition"):
        model.predict_interval(X)


def test_predictions_of_another_size_and_lambda(data):
    X, y = data
    model = Lass0CV().fit(X, y)
    for k in (0, 1, 3):
        row = model.table_[k]
        np.testing.assert_allclose(model.predict(X, k=k), X @ row.coef + row.intercept)
    np.testing.assert_allclose(model.predict(X, lambda0=1e9), model.table_[0].intercept)
    with pytest.raises(ValueError, match="exclude each other"):
        model.predict(X, k=1, lambda0=2.0)
    with pytest.raises(ValueError, match="sizes 0 to 8"):
        model.predict(X, k=9)
    loaded = Lass0.from_json(model.to_json())
    np.testing.assert_allclose(loaded.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="table_"):
        loaded.predict(X, k=1)
