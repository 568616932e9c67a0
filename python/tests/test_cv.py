"""Lass0CV: folds of every kind, rules, curves."""

import numpy as np
import pandas as pd
import polars
import pytest
from conftest import make_data
from sklearn import config_context
from sklearn.linear_model import LassoCV
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import lass0
from lass0 import Lass0, Lass0CV


def loop_errors(X, y, splits, sizes):
    """The curve by its definition: a fit for every split and size."""
    errors = []
    for train, test in splits:
        models = [Lass0(k=int(k)).fit(X[train], y[train]) for k in sizes]
        errors.append([np.mean((y[test] - model.predict(X[test])) ** 2) for model in models])
    return np.array(errors)


@pytest.mark.parametrize(
    "splitter",
    [
        KFold(4),
        KFold(5, shuffle=True, random_state=3),
        TimeSeriesSplit(3),
        ShuffleSplit(4, test_size=0.3, random_state=1),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=2),
    ],
)
def test_the_curve_is_that_of_a_loop(splitter, data):
    X, y = data
    model = Lass0CV(cv=splitter, tune="k", rule="min", ridge=0, max_k=6).fit(X, y)
    splits = list(splitter.split(X))
    expected = loop_errors(X, y, splits, model.cv_results_["param_k"])
    for number, errors in enumerate(expected):
        np.testing.assert_allclose(
            -model.cv_results_[f"split{number}_test_score"], errors, rtol=1e-7
        )
    sizes = np.array([len(test) for _, test in splits])
    np.testing.assert_allclose(
        model.cv_results_["mean_error"], sizes @ expected / sizes.sum(), rtol=1e-7
    )
    again = Lass0CV(cv=splits, tune="k", rule="min", ridge=0, max_k=6).fit(X, y)
    np.testing.assert_array_equal(again.coef_, model.coef_)
    masks = [(np.isin(range(80), train), np.isin(range(80), test)) for train, test in splits]
    masked = Lass0CV(cv=masks, tune="k", rule="min", ridge=0, max_k=6).fit(X, y)
    np.testing.assert_array_equal(masked.coef_, model.coef_)


def test_groups_are_kept_together(data):
    X, y = data
    groups = np.repeat([f"g{i}" for i in range(10)], 8)
    own = Lass0CV(cv=5).fit(X, y, groups=groups)
    assert own.n_splits_ == 5
    given = Lass0CV(cv=GroupKFold(5)).fit(X, y, groups=groups)
    by_hand = Lass0CV(cv=list(GroupKFold(5).split(X, y, groups))).fit(X, y)
    np.testing.assert_array_equal(given.coef_, by_hand.coef_)
    with pytest.raises(ValueError, match="too few for 10 folds"):
        Lass0CV(cv=10).fit(X, y, groups=np.arange(80) % 3)
    with pytest.raises(ValueError, match="one label per row"):
        Lass0CV(cv=5).fit(X, y, groups=[1, 2])


def test_labels_of_groups(data):
    X, y = data
    texts = np.repeat([f"g{i}" for i in range(10)], 8)
    mixed = np.array([label if label > "g4" else int(label[1:]) for label in texts], dtype=object)
    expected = Lass0CV(cv=5).fit(X, y, groups=texts).cv_results_["mean_error"]
    numbers = np.repeat(range(10), 8)
    for same in (
        list(texts),
        numbers,
        pd.Series(texts),
        pd.Series(texts, dtype="category"),
        pd.Series(numbers, dtype="Int64"),
        polars.Series(texts),
        mixed,
    ):
        found = Lass0CV(cv=5).fit(X, y, groups=same).cv_results_["mean_error"]
        np.testing.assert_array_equal(found, expected)
    for nothing in (None, np.nan):
        with pytest.raises(ValueError, match="groups has no label .* in row 3"):
            Lass0CV(cv=5).fit(X, y, groups=[*texts[:3], nothing, *texts[4:]])


def test_one_fold_label_per_row_is_no_cv(data):
    X, y = data
    labels = np.arange(80) % 5
    for cv in (labels, list(labels)):
        with pytest.raises(TypeError, match="PredefinedSplit"):
            Lass0CV(cv=cv).fit(X, y)
    Lass0CV(cv=PredefinedSplit(labels)).fit(X, y)


@pytest.mark.parametrize("option", ["tune", "rule", "start", "effort"])
def test_the_core_itself_takes_no_unknown_choice(option, data, monkeypatch):
    monkeypatch.setattr("lass0._cross_validated.one_of", lambda value, name, choices=None: value)
    monkeypatch.setattr("lass0._cross_validated.effort", lambda value: value)
    with pytest.raises(ValueError, match=f"{option} is 'other', but must be one of"):
        Lass0CV(**{option: "other"}).fit(*data)


def test_groups_come_through_pipelines_by_routing(data):
    X, y = data
    groups = np.repeat(range(10), 8)
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), Lass0CV(cv=GroupKFold(5)))
        routed = pipeline.fit(X, y, groups=groups)[-1]
        pipeline = make_pipeline(StandardScaler(), Lass0CV(cv=5))
        own = pipeline.fit(X, y, groups=groups)[-1]
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_array_equal(
        routed.coef_, Lass0CV(cv=GroupKFold(5)).fit(scaled, y, groups=groups).coef_
    )
    np.testing.assert_array_equal(own.coef_, Lass0CV(cv=5).fit(scaled, y, groups=groups).coef_)


def test_rules_and_results(data):
    X, y = data
    least, sparse, paired = (
        Lass0CV(rule=rule, ridge=0).fit(X, y) for rule in ("min", "1se", "paired")
    )
    assert paired.best_index_ == least.rule_indices_["paired"]
    assert paired.k_ <= least.k_
    for model in (least, sparse, paired):
        shares = [
            np.mean([column in chosen for chosen in model.fold_supports_])
            for column in model.support_
        ]
        np.testing.assert_allclose(model.frequencies_, shares)
    results = least.cv_results_
    assert least.best_index_ == np.argmin(results["mean_error"]) == least.min_index_
    assert results["rank_test_score"][least.best_index_] == 1
    assert sparse.best_index_ == least.one_se_index_ and sparse.k_ <= least.k_
    limit = results["mean_error"][least.min_index_] + results["se"][least.min_index_]
    assert -sparse.best_score_ <= limit
    assert results["params"][least.best_index_] == {"lambda0": least.lambda0_, "ridge": 0.0}
    same = Lass0(lambda0=least.lambda0_).fit(X, y)
    np.testing.assert_array_equal(same.coef_, least.coef_)


def test_the_ridge_is_chosen_where_asked():
    X, y = make_data(7, n=60, p=30, k=10, noise=4.0)
    model = Lass0CV(rule="min").fit(X, y)
    assert model.ridge_ in model.cv_results_["param_ridge"]
    assert len(np.unique(model.cv_results_["param_ridge"])) == 7
    plain = Lass0CV(rule="min", ridge=0).fit(X, y)
    assert model.best_score_ >= plain.best_score_ - 1e-9


def test_seeds(data):
    X, y = data
    first = Lass0CV(random_state=4).fit(X, y).cv_results_["mean_error"]
    np.testing.assert_array_equal(
        first, Lass0CV(random_state=4).fit(X, y).cv_results_["mean_error"]
    )
    assert (
        len(first) != len(other := Lass0CV(random_state=5).fit(X, y).cv_results_["mean_error"])
        or (first != other).any()
    )
    Lass0CV(random_state=None).fit(X, y)
    Lass0CV(random_state=np.random.RandomState(1)).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cv": 1}, "cv is 1"),
        ({"cv": [([0, 1, 2], [2, 3]), ([4, 5], [6])]}, "split 0 .*row 2 twice"),
        (
            {"cv": [([0, 1], [2]), ([4, 5], [-81])]},
            "split 1 .* names row -81, but rows are numbered from 0",
        ),
        ({"cv": [([0, 1], [200]), ([4, 5], [6])]}, "row 200"),
        ({"cv": [([0, 1, 2.5], [3]), ([4, 5], [6])]}, "row numbers"),
        ({"cv": [(np.ones(3, dtype=bool), [3]), ([4, 5], [6])]}, r"a mask of shape \(3,\)"),
        ({"cv": []}, "no \\(train, test\\) pair"),
        ({"tune": "size"}, "tune is 'size', but must be one of 'lambda', 'k'"),
        ({"rule": "lse"}, "rule is 'lse', but must be one of 'min', '1se'"),
        ({"start": "empty"}, "start is 'empty', but must be one of 'table', 'paper'"),
        ({"effort": "slow"}, "effort is 'slow'"),
        ({"random_state": 2**70}, "random_state is"),
        ({"ridge": "many"}, "ridge is 'many'"),
        ({"n_lambdas": 1}, "n_lambdas is 1, but must be from 2 to 100000"),
        ({"start": "paper", "tune": "k"}, "start='paper' works with tune='lambda' only"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters, message, data):
    with pytest.raises(ValueError, match=message):
        Lass0CV(**parameters).fit(*data)
    with pytest.raises(TypeError, match="'colour'"):
        Lass0CV().fit(*data, colour=1)


@pytest.mark.parametrize("degree", [1, 2])
def test_on_diabetes_it_is_sparser_than_the_lasso_and_predicts_as_well(degree, diabetes):
    X, y = diabetes
    X = PolynomialFeatures(degree, include_bias=False).fit_transform(
        StandardScaler().fit_transform(X)
    )
    X = np.delete(X, [20] if degree == 2 else [], axis=1)  # sex squared is sex
    ours, theirs = Lass0CV().fit(X, y), LassoCV().fit(X, y)
    assert ours.k_ <= np.count_nonzero(theirs.coef_)
    # Three partitions: on 64 quadratic terms, either may be 4 % better on a single one.
    outer = [
        split for seed in (1, 2, 3) for split in KFold(5, shuffle=True, random_state=seed).split(X)
    ]
    scores = [
        -cross_val_score(model, X, y, cv=outer, scoring="neg_mean_squared_error")
        for model in (ours, theirs)
    ]
    # One standard error of the Lasso's mean error over the folds of one partition.
    assert scores[0].mean() <= scores[1].mean() + scores[1].std(ddof=1) / np.sqrt(5)


def test_quick_searches_look_at_a_short_list_and_full_ones_at_all_columns():
    random = np.random.default_rng(3)
    X = random.standard_normal((90, 1100))
    y = X[:, [5, 700, 1001]] @ [1.0, -1.0, 1.0] + 0.5 * random.standard_normal(90)
    for effort in ("quick", "full"):
        model = Lass0CV(cv=4, effort=effort).fit(X, y)
        assert model.status_ == "local_optimum"
        assert {5, 700, 1001} <= set(model.support_)
        checked = effort == "full"
        assert model.table_.status == "local_optimum"  # that of the full search on all rows
        assert lass0.path(X, y, effort=effort)[3].swap_optimal == checked
        status = "local_optimum" if checked else "unchecked"
        assert Lass0(k=3, effort=effort).fit(X, y).status_ == status
    with pytest.raises(ValueError, match="effort is 'little'"):
        Lass0CV(effort="little").fit(X, y)
    with pytest.raises(ValueError, match="k or lambda0"):
        Lass0(effort="quick").fit(X, y)
    with pytest.raises(ValueError, match="effort='quick' works with start='table' only"):
        Lass0(lambda0=2, effort="quick", start="paper").fit(X, y)
    with pytest.raises(ValueError, match="all columns"):
        Lass0(k=2, effort="quick", prove=True).fit(X, y)


def test_r_squared_on_held_out_rows_is_against_the_mean_of_the_training_rows():
    X, y = make_data(seed=11, n=60, p=8)
    splits = list(KFold(5).split(X))
    model = Lass0CV(cv=KFold(5), tune="k").fit(X, y)
    of_mean = np.mean([np.mean((y[test] - y[train].mean()) ** 2) for train, test in splits])
    chosen = model.cv_results_["mean_error"][model.best_index_]
    assert model.held_out_r2_ == pytest.approx(1 - chosen / of_mean, rel=1e-9)
    assert model.held_out_r2_ < model.score(X, y)
    assert Lass0CV(cv=5, tune="k", max_k=0).fit(X, y).held_out_r2_ == 0
