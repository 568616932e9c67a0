"""What is fitted: against definitions, brute force and other packages."""

from itertools import combinations

import numpy as np
import pytest
from conftest import make_data
from sklearn.linear_model import Lasso, LinearRegression, Ridge

import lass0
from lass0 import Lass0, Lass0CV, LassoPath


def rss(X, y, support, weights=None):
    model = (
        LinearRegression().fit(X[:, support], y, sample_weight=weights) if len(support) else None
    )
    w = np.ones(len(y)) if weights is None else weights
    residual = y - (model.predict(X[:, support]) if model else np.average(y, weights=w))
    return float(np.sum(w * residual**2))


@pytest.mark.parametrize("seed", range(6))
def test_no_support_of_the_same_size_is_better(seed):
    X, y = make_data(seed, n=40, p=9, rho=0.8)
    table = lass0.path(X, y)
    for k in range(1, 6):
        best = min(rss(X, y, list(support)) for support in combinations(range(9), k))
        assert table[k].rss <= best * (1 + 1e-9)
        assert Lass0(k=k).fit(X, y).rss_ == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_never_worse_than_abess(seed):
    import abess

    X, y = make_data(seed, n=100, p=60, k=8, rho=0.7)
    table = lass0.path(X, y, max_k=10)
    for k in (2, 5, 8, 10):
        other = abess.LinearRegression(support_size=k).fit(X, y)
        assert table[k].rss <= rss(X, y, np.flatnonzero(other.coef_)) * (1 + 1e-9)


def test_the_model_is_least_squares_on_its_columns(data):
    X, y = data
    w = np.random.default_rng(1).uniform(0.1, 2, len(y))
    for weights in (None, w):
        model = Lass0(lambda0=1.0).fit(X, y, sample_weight=weights)
        direct = LinearRegression().fit(X[:, model.support_], y, sample_weight=weights)
        np.testing.assert_allclose(model.coef_[model.support_], direct.coef_, rtol=1e-9)
        assert model.intercept_ == pytest.approx(direct.intercept_)
        assert model.objective_ == pytest.approx(rss(X, y, model.support_, weights) / 2 + model.k_)


def test_a_ridge_is_that_of_scikit_learn(data):
    X, y = data
    model = Lass0(k=5, ridge=7.0, standardize=False).fit(X, y)
    direct = Ridge(alpha=7.0, tol=1e-12).fit(X[:, model.support_], y)
    np.testing.assert_allclose(model.coef_[model.support_], direct.coef_, rtol=1e-8)


@pytest.mark.parametrize("standardize", [False, True])
def test_the_lasso_equals_scikit_learns(standardize):
    X, y = make_data(3, n=70, p=20, rho=0.6)
    path = LassoPath(standardize=standardize, n_lambdas=12, tol=1e-13).fit(X, y)
    scale = X.std(axis=0) if standardize else np.ones(20)
    for lambda1, coef, intercept in zip(path.lambdas_, path.coefs_.T, path.intercepts_):
        other = Lasso(alpha=lambda1 / 70, tol=1e-14, max_iter=10**6).fit(X / scale, y)
        np.testing.assert_allclose(coef * scale, other.coef_, atol=1e-6)
        assert intercept == pytest.approx(other.intercept_, abs=1e-6)
    one = LassoPath(lambda1=path.lambdas_[5], standardize=standardize, tol=1e-13).fit(X, y)
    np.testing.assert_allclose(one.coef_, path.coefs_[:, 5], atol=1e-6)


def test_included_columns_are_in_and_excluded_ones_out(diabetes):
    X, y = diabetes
    model = Lass0(k=2, include=["age", "sex"], exclude=["bmi"]).fit(X, y)
    names = list(model.get_feature_names_out())
    assert {"age", "sex"} < set(names) and "bmi" not in names
    assert model.k_ == 2 and len(names) == 4
    by_number = Lass0(k=2, include=[0, 1], exclude=[2]).fit(X.to_numpy(), y)
    np.testing.assert_allclose(by_number.coef_, model.coef_, rtol=1e-9)
    mask = np.arange(10) == 2
    by_mask = Lass0(k=2, include=[0, 1], exclude=mask).fit(X.to_numpy(), y)
    np.testing.assert_array_equal(by_mask.coef_, by_number.coef_)
    assert all(2 not in row.support for row in model.table_)
    assert all(one.stand_in != 2 for one in model.alternatives_)


def test_starts(data):
    X, y = data
    best = Lass0(lambda0=1.0).fit(X, y)
    for start in ("paper", "empty", [0, 1, 2]):
        other = Lass0(lambda0=1.0, start=start).fit(X, y)
        assert other.objective_ >= best.objective_ * (1 - 1e-9)
        assert other.table_ is None


def test_a_proof_says_so(data):
    X, y = data
    model = Lass0(k=3, prove=True).fit(X, y)
    assert model.status_ == "proven_optimal" and model.gap_ == 0
    assert lass0.path(X, y, max_k=4, prove=True)[3].proven


def test_the_table_answers_every_lambda(data):
    X, y = data
    table = lass0.path(X, y)
    for lambda0 in (0.01, 0.3, 2.0, 50.0):
        row = table.at_lambda(lambda0)
        model = Lass0(lambda0=lambda0).fit(X, y)
        np.testing.assert_array_equal(row.support, model.support_)
        np.testing.assert_allclose(row.coef, model.coef_, rtol=1e-8)
        assert row.lambda_min <= lambda0 <= row.lambda_max
    for lambda0, error in ((-1, ValueError), (float("nan"), ValueError), ("1", TypeError)):
        with pytest.raises(error, match="lambda0 is"):
            table.at_lambda(lambda0)
    for k, error in ((-1, ValueError), (len(table), ValueError), (1.0, TypeError)):
        with pytest.raises(error):
            table.at_k(k)
    frame = table.to_pandas()
    assert list(frame.index) == list(range(len(table)))
    assert frame.loc[2, "support"] == table.names(table[2].support)
    assert repr(table).count("\n") == len(table)


@pytest.mark.parametrize("lambda0", [0.5, 1.0, 2.0, 4.0])
def test_at_a_lambda_max_k_shortens_the_table_but_not_the_answer(lambda0):
    # Columns of a few common factors: a search from a small model alone ends at a worse one.
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 30)) + 0.7 * rng.normal(size=(60, 30))
    y = X[:, ::4] @ rng.normal(size=8) + rng.normal(size=60)
    whole = Lass0(lambda0=lambda0).fit(X, y)
    supports = [list(row.support) for row in whole.table_]
    assert whole.k_ > 3
    for max_k in (0, 1, 3, 25):
        model = Lass0(lambda0=lambda0, max_k=max_k).fit(X, y)
        np.testing.assert_array_equal(model.coef_, whole.coef_)
        assert [list(row.support) for row in model.table_] == supports[: max_k + 1]
        assert len(model.table_) == max_k + 1


@pytest.mark.parametrize("ridge", [0.0, 20.0])
@pytest.mark.parametrize("include", [None, [5]])
def test_tables_have_the_exact_fit_of_every_size(ridge, include, data):
    X, y = data
    options = {"ridge": ridge, "include": include, "exclude": [0]}
    tables = [
        lass0.path(X, y, **options),
        Lass0CV(5, **options).fit(X, y).table_,
        Lass0CV(5, tune="k", **options).fit(X, y).table_,
        Lass0(lambda0=0.01, **options).fit(X, y).table_,
    ]
    if ridge == 0:
        tables.append(Lass0(**options).fit(X, y).table_)
    for table in tables:
        assert len(table) > 3
        for row in table:
            model = Lass0(k=row.k, **options).fit(X, y)
            np.testing.assert_array_equal(
                row.support, [j for j in model.support_ if j not in (include or [])]
            )
            np.testing.assert_allclose(row.coef, model.coef_, rtol=1e-8, atol=1e-12)
            assert row.intercept == pytest.approx(model.intercept_)
            assert row.rss == pytest.approx(model.rss_)
            assert row.rss == pytest.approx(np.sum((y - X @ row.coef - row.intercept) ** 2))
            penalty = ridge * np.sum((X.std(axis=0) * row.coef) ** 2)
            assert row.loss == pytest.approx(row.rss + penalty) == pytest.approx(model.loss_)
        np.testing.assert_array_equal(table.rss, [row.rss for row in table])
        np.testing.assert_array_equal(table.loss, [row.loss for row in table])
        assert ("loss" in repr(table)) == ("loss" in table.to_pandas()) == (ridge > 0)


@pytest.mark.parametrize("ridge", [0.0, 20.0])
def test_the_table_answers_every_lambda_with_a_ridge(ridge, data):
    X, y = data
    table = lass0.path(X, y, ridge=ridge)
    for lambda0 in (0.01, 0.3, 2.0, 50.0):
        row = table.at_lambda(lambda0)
        model = Lass0(lambda0=lambda0, ridge=ridge).fit(X, y)
        np.testing.assert_array_equal(row.support, model.support_)
        assert row.loss / 2 + lambda0 * row.k == pytest.approx(model.objective_)


def test_one_column_is_a_list_of_one(diabetes):
    X, y = diabetes
    for one in ("age", 0, np.int64(0), {"age"}, (name for name in ["age"]), X.columns[:1]):
        model = Lass0(k=1, include=one).fit(X, y)
        np.testing.assert_array_equal(model.coef_, Lass0(k=1, include=["age"]).fit(X, y).coef_)


def test_stand_ins_are_what_a_refit_says(data):
    X, y = data
    model = Lass0(k=4).fit(X, y)
    for one in model.alternatives_:
        swapped = [j for j in model.support_ if j != one.column] + [one.stand_in]
        assert rss(X, y, swapped) - model.rss_ == pytest.approx(one.rss_increase, rel=1e-6)
        drop = len(y) / 2 * np.log1p(one.rss_increase / model.rss_)
        assert one.near_tie == (drop <= 3)


def test_the_criterion_chooses_the_least(data):
    X, y = data
    model = Lass0(criterion="ebic").fit(X, y)
    assert model.k_ == np.argmin(model.criterion_)
    assert model.lambda0_ is None


def test_weights_are_repeated_rows(data):
    X, y = data
    times = np.random.default_rng(5).integers(0, 4, len(y))
    weighted = Lass0(lambda0=1.5).fit(X, y, sample_weight=times)
    repeated = Lass0(lambda0=1.5).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-8)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 2, "lambda0": 1.0}, "lambda0 and k exclude each other"),
        ({"k": 2, "power": 0.5}, "k does not work with start or power"),
        ({"k": 2, "start": "paper"}, "k does not work with start or power"),
        ({"k": 2, "start": [0, 1]}, "k does not work with start or power"),
        ({"power": 0.5}, "start and power need lambda0"),
        ({"start": "empty"}, "start and power need lambda0"),
        ({"k": -1}, "k is -1"),
        ({"k": 2.5}, "k is 2.5"),
        ({"k": 50}, "50 columns"),
        ({"lambda0": -1.0}, "lambda0 is -1, but must be 0 or more, and finite"),
        ({"lambda0": float("nan")}, "lambda0 is nan"),
        ({"lambda0": 1.0, "start": "lasso"}, "start is 'lasso'"),
        ({"k": 1, "start": "lasso"}, "start is 'lasso'"),
        ({"start": "lasso"}, "start is 'lasso'"),
        ({"start": None}, "start is None"),
        ({"criterion": "best"}, "criterion is 'best'"),
        ({"k": 1, "criterion": "best"}, "criterion is 'best'"),
        ({"lambda0": 1.0, "criterion": "best"}, "criterion is 'best'"),
        ({"k": 1, "effort": "slow"}, "effort is 'slow', but must be one of 'quick', 'full'"),
        ({"effort": "slow"}, "effort is 'slow'"),
        ({"k": 1, "fit_intercept": "no"}, "fit_intercept is 'no'"),
        ({"k": 1, "standardize": None}, "standardize is None"),
        ({"k": 1, "prove": "no"}, "prove is 'no'"),
        ({"k": 1, "n_jobs": "all"}, "n_jobs is 'all'"),
        ({"k": 2**70}, "must be at most 2147483647"),
        ({"k": 1, "max_k": 2**70}, "must be at most 2147483647"),
        ({"ridge": float("inf")}, "ridge is inf, but must be 0 or more, and finite"),
        ({"include": [True, False]}, "a mask of 2 values, but X has 12 columns"),
        ({"ridge": -1.0}, "ridge is -1, but must be 0 or more, and finite"),
        ({"include": ["age"]}, "no column names"),
        ({"include": [12]}, "12 columns"),
        ({"include": [1], "exclude": [1]}, "the same column"),
        ({"k": 1, "exclude": list(range(12))}, "no column"),
        ({"k": 1, "on_interrupt": "stop"}, "on_interrupt is 'stop'"),
        ({"k": 1, "time_limit": -1}, "time_limit is -1"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters, message, data):
    X, y = data
    with pytest.raises((ValueError, TypeError), match=message):
        Lass0(**parameters).fit(X, y)


def test_odd_columns_are_harmless(data):
    X, y = data
    X = np.column_stack([X, X[:, 0], np.ones(len(y)), 1e150 * X[:, 1], 1e-150 * X[:, 2]])
    model = Lass0(lambda0=0.5).fit(X, y)
    assert np.isfinite(model.coef_).all() and list(model.constant_) == [13]
    assert 12 in model.aliased_ or 0 in model.aliased_ or 0 not in model.support_
