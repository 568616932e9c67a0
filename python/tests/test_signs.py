"""Coefficients with signs: against brute force, SciPy's NNLS, and what may be given."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from conftest import make_data
from scipy import sparse
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

import lass0
from lass0 import Lass0, Lass0CV, LassoPath


def best_rss(X, y, k, signs):
    """The least RSS of at most k columns, over all supports whose least-squares fit keeps the signs."""
    best = float(np.sum((y - y.mean()) ** 2))
    for size in range(1, k + 1):
        for support in map(list, combinations(range(X.shape[1]), size)):
            model = LinearRegression().fit(X[:, support], y)
            if (np.asarray(signs)[support] * model.coef_ >= 0).all():
                best = min(best, float(np.sum((y - model.predict(X[:, support])) ** 2)))
    return best


@pytest.mark.parametrize("seed", range(5))
def test_no_support_that_keeps_them_is_better(seed):
    X, y = make_data(seed, n=40, p=8, rho=0.7)
    signs = np.random.default_rng(seed).integers(-1, 2, 8)
    table = lass0.path(X, y, signs=signs)
    for k, row in enumerate(table):
        assert (signs * row.coef >= 0).all()
        assert row.rss == pytest.approx(best_rss(X, y, k, signs), rel=1e-9)
    assert table[-1].rss == pytest.approx(best_rss(X, y, 8, signs), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n, p", [(60, 20), (30, 80)])
def test_the_largest_model_is_the_non_negative_least_squares_fit(seed, n, p):
    X, y = make_data(seed, n=n, p=p, k=6)
    y = y - y.min()
    coefficients, norm = nnls(X, y, maxiter=100 * p)
    model = Lass0(lambda0=0, signs=1, fit_intercept=False, max_k=p).fit(X, y)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(coefficients))
    np.testing.assert_allclose(model.coef_, coefficients, atol=1e-9)
    assert model.rss_ == pytest.approx(norm**2, rel=1e-9)
    assert model.status_ == "local_optimum"


def test_all_ways_to_give_them_are_one(diabetes):
    X, y = diabetes
    model = Lass0(k=4, signs={"bp": -1, "s3": 1}).fit(X, y)
    array = np.zeros(10)
    array[[3, 6]] = -1, 1
    for same in (
        {"bp": "-", "s3": "+"},
        {3: -1.0, -4: np.int64(1), "age": 0},
        array,
        list(array.astype(int)),
        [0, 0, 0, "-", 0, 0, "+", 0, 0, 0],
    ):
        np.testing.assert_array_equal(Lass0(k=4, signs=same).fit(X, y).coef_, model.coef_)
    assert model.coef_[3] <= 0 <= model.coef_[6]
    by_name = pd.Series({name: 0 for name in reversed(X.columns)} | {"s3": 1, "bp": -1})
    for same in (by_name, by_name[["s3", "bp"]]):  # in another order than the columns
        np.testing.assert_array_equal(Lass0(k=4, signs=same).fit(X, y).coef_, model.coef_)
    free = Lass0(k=4).fit(X, y)
    for nothing in (None, 0, {}, np.zeros(10)):
        np.testing.assert_array_equal(Lass0(k=4, signs=nothing).fit(X, y).coef_, free.coef_)


def test_one_value_is_for_all_columns_that_are_not_included(diabetes):
    X, y = diabetes
    model = Lass0(lambda0=0, signs="+", include=["sex"], exclude=["age"]).fit(X, y)
    others = np.delete(model.coef_, [0, 1])
    assert (others >= 0).all() and model.coef_[1] < 0 and model.coef_[0] == 0
    with pytest.raises(ValueError, match="column 'sex' is included and has a sign"):
        Lass0(k=2, signs={"sex": 1}, include=["sex"]).fit(X, y)


def test_sparse_weighted_and_with_a_ridge():
    X, y = make_data(4)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    w = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    for ridge in (0.0, 5.0):
        estimator = Lass0(k=3, signs=[1, -1] * 6, ridge=ridge)
        dense = clone(estimator).fit(X, y, sample_weight=w)
        repeated = np.repeat(np.arange(len(y)), w.astype(int))
        for same in (
            clone(estimator).fit(sparse.csc_array(X), y, sample_weight=w),
            clone(estimator).fit(X[repeated], y[repeated]),
        ):
            np.testing.assert_allclose(same.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
        assert (dense.coef_ * ([1, -1] * 6) >= 0).all()


def test_cross_validation_by_hand():
    X, y = make_data(3, n=60, p=8)
    signs = [1, 1, 0, -1, 0, 1, -1, 1]
    splits = list(KFold(4).split(X))
    model = Lass0CV(splits, tune="k", ridge=0, signs=signs).fit(X, y)
    for i, k in enumerate(model.cv_results_["param_k"]):
        for f, (train, test) in enumerate(splits):
            table = lass0.path(X[train], y[train], signs=signs)
            row = table[min(k, len(table) - 1)]
            error = np.mean((y[test] - X[test] @ row.coef - row.intercept) ** 2)
            assert -model.cv_results_[f"split{f}_test_score"][i] == pytest.approx(error, rel=1e-9)
    assert (np.asarray(signs) * model.coef_ >= 0).all()
    np.testing.assert_array_equal(clone(model).fit(X, y).coef_, model.coef_)


def test_stand_ins_keep_them(data):
    X, y = data
    signs = np.array([1, -1] * 6)
    model = Lass0(k=3, signs=signs).fit(X, y)
    assert model.alternatives_
    for one in model.alternatives_:
        support = [j for j in model.support_ if j != one.column] + [one.stand_in]
        refit = LinearRegression().fit(X[:, support], y)
        assert (refit.coef_ * signs[support] >= 0).all()
        rss = np.sum((y - refit.predict(X[:, support])) ** 2)
        assert model.rss_ + one.rss_increase == pytest.approx(rss, rel=1e-9)


@pytest.mark.parametrize(
    "signs, message",
    [
        (2, "signs has 2, but a sign must be 1 or"),
        (True, "signs has True"),
        ("up", "signs has 'up'"),
        ([1, 0], "signs has 2 values, but X has 12 columns"),
        ({"bmi": 1}, "X has no column names"),
        ({12: 1}, "signs has 12, but X has 12 columns"),
        ({0: None}, "signs has None"),
        ([[1] * 12], "signs has"),
    ],
)
def test_what_is_no_sign(data, signs, message):
    with pytest.raises(ValueError, match=message):
        Lass0(k=1, signs=signs).fit(*data)


def test_what_they_do_not_go_with(data):
    for parameters, message in (
        ({"prove": True, "k": 1}, "signs do not work with prove"),
        ({"lambda0": 1.0, "start": "paper"}, "signs do not work with start='paper'"),
        ({"lambda0": 1.0, "power": 0.5}, "signs do not work with power"),
    ):
        with pytest.raises(ValueError, match=message):
            Lass0(signs=1, **parameters).fit(*data)
    with pytest.raises(ValueError, match="signs do not work with prove"):
        lass0.path(*data, signs=1, prove=True)
    with pytest.raises(ValueError, match="paper"):
        Lass0CV(signs=1, start="paper").fit(*data)
    with pytest.raises(ValueError, match="there is no support of 12 columns"):
        Lass0(k=12, signs=1).fit(*data)
    assert "signs" not in LassoPath().get_params()
