"""Two classes: the estimators against scikit-learn, the definition and one another."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import make_classes
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import lass0
from lass0 import Lass0Classifier, Lass0ClassifierCV, SeparationError


@parametrize_with_checks(
    [
        Lass0Classifier(),
        Lass0Classifier(lambda0=0.5),
        Lass0ClassifierCV(),
        Lass0ClassifierCV(tune="k", cv=3, measure="auc"),
    ]
)
@pytest.mark.filterwarnings("ignore:.*uses a ridge of 1")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def reference(X, y, support, weights=None, **options):
    """scikit-learn's maximum likelihood on the columns of the support."""
    model = LogisticRegression(
        C=np.inf, tol=1e-12, max_iter=10000, solver="newton-cholesky", **options
    )
    return model.fit(np.asarray(X)[:, support], y, sample_weight=weights)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_the_coefficients_are_those_of_maximum_likelihood(seed, weighted):
    X, y = make_classes(seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if weighted else None
    model = Lass0Classifier(k=3).fit(X, y, sample_weight=weights)
    assert model.k_ == model.support_.size == 3
    expected = reference(X, y, model.support_, weights)
    np.testing.assert_allclose(model.coef_[:, model.support_], expected.coef_, rtol=1e-6)
    np.testing.assert_allclose(model.intercept_, expected.intercept_, rtol=1e-6, atol=1e-8)
    assert np.count_nonzero(model.coef_) == 3
    chosen = X[:, model.support_]
    np.testing.assert_allclose(
        model.predict_proba(X), expected.predict_proba(chosen), rtol=1e-6, atol=1e-9
    )


def test_the_ridge_is_that_of_scikit_learn_on_standardised_columns():
    X, y = make_classes(3)
    model = Lass0Classifier(k=3, ridge=2.0).fit(X, y)
    columns = StandardScaler().fit_transform(X)[:, model.support_]
    expected = LogisticRegression(C=0.5, tol=1e-12, max_iter=10000, solver="newton-cholesky").fit(
        columns, y
    )
    np.testing.assert_allclose(model.effects_, expected.coef_[0], rtol=1e-6)
    assert model.loss_ > model.deviance_
    ridge_term = 2.0 * np.sum(model.effects_**2)
    np.testing.assert_allclose(model.loss_, model.deviance_ + ridge_term, rtol=1e-9)


def test_no_pair_of_columns_is_better():
    X, y = make_classes(7, n=60, p=6, k=2)
    model = Lass0Classifier(k=2).fit(X, y)
    losses = {
        (i, j): log_loss(y, reference(X, y, [i, j]).predict_proba(X[:, [i, j]]))
        for i in range(6)
        for j in range(i)
    }
    best = min(losses, key=losses.get)
    assert set(model.support_) == set(best)
    np.testing.assert_allclose(model.deviance_, 2 * len(y) * losses[best], rtol=1e-7)


def test_deviance_and_share_explained():
    X, y = make_classes(1)
    model = Lass0Classifier(k=2).fit(X, y)
    np.testing.assert_allclose(
        model.deviance_, 2 * len(y) * log_loss(y, model.predict_proba(X)), rtol=1e-9
    )
    share = np.full(len(y), np.mean(y == model.classes_[1]))
    null = 2 * len(y) * log_loss(y == model.classes_[1], share)
    np.testing.assert_allclose(model.null_deviance_, null, rtol=1e-9)
    np.testing.assert_allclose(model.deviance_explained_, 1 - model.deviance_ / null, rtol=1e-9)
    np.testing.assert_allclose(model.objective_, model.deviance_ / 2, rtol=1e-12)
    assert not hasattr(model, "rss_")


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1.0, 2.0), (False, True), (7, 3)])
def test_any_two_labels(labels):
    X, y = make_classes(2)
    named = np.array(labels)[y]
    model = Lass0Classifier(k=2).fit(X, named)
    plain = Lass0Classifier(k=2).fit(X, named == max(labels))
    assert list(model.classes_) == sorted(labels)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.predict(X) == max(labels), plain.predict(X))
    assert set(model.predict(X)) == set(labels)


def test_labels_of_frames():
    X, y = make_classes(2)
    X = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    texts = pd.Series(np.where(y, "yes", "no"), name="default")
    expected = Lass0Classifier(k=2).fit(X, y).coef_
    for given in (texts, texts.astype("category"), texts.to_frame(), texts.astype("string")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a column vector
            model = Lass0Classifier(k=2).fit(X, given)
        np.testing.assert_array_equal(model.coef_, expected)


def test_predictions_belong_together():
    X, y = make_classes(4)
    model = Lass0Classifier(k=3).fit(X, y)
    decision, probability = model.decision_function(X), model.predict_proba(X)
    np.testing.assert_allclose(decision, X @ model.coef_[0] + model.intercept_, rtol=1e-12)
    np.testing.assert_allclose(probability[:, 1], 1 / (1 + np.exp(-decision)), rtol=1e-12)
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_allclose(model.predict_log_proba(X), np.log(probability), rtol=1e-9)
    np.testing.assert_array_equal(model.predict(X), model.classes_[probability.argmax(axis=1)])
    assert model.score(X, y) == np.mean(model.predict(X) == y)
    far = model.predict_log_proba(1e6 * X)
    assert np.isfinite(far).all()


def test_predicts_with_models_of_other_sizes():
    X, y = make_classes(4)
    model = Lass0Classifier(k=3, max_k=5).fit(X, y)
    for k in (0, 2, 5):
        other = Lass0Classifier(k=k).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X, k=k), other.predict_proba(X), rtol=1e-8)
    row = model.table_[2]
    assert model.table_.family == "binomial"
    np.testing.assert_array_equal(
        model.decision_function(X, lambda0=(row.lambda_min + row.lambda_max) / 2),
        model.decision_function(X, k=2),
    )


def test_a_weight_of_2_is_the_row_twice_and_of_0_no_row():
    X, y = make_classes(5)
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    weighted = Lass0Classifier(k=3).fit(X, y, sample_weight=weights)
    repeated = Lass0Classifier(k=3).fit(X[rows], y[rows])
    np.testing.assert_array_equal(weighted.support_, repeated.support_)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(weighted.deviance_, repeated.deviance_, rtol=1e-9)


def test_swapping_the_labels_changes_the_signs():
    X, y = make_classes(6)
    one, other = Lass0Classifier(k=3).fit(X, y), Lass0Classifier(k=3).fit(X, 1 - y)
    np.testing.assert_allclose(one.coef_, -other.coef_, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(one.intercept_, -other.intercept_, rtol=1e-7)


def test_an_offset_is_a_column_of_coefficient_1():
    X, y = make_classes(8)
    model = Lass0Classifier(k=2).fit(X, y)
    shift = X @ model.coef_[0]
    rest = Lass0Classifier(k=0).fit(X, y, offset=shift)
    np.testing.assert_allclose(rest.intercept_, model.intercept_, rtol=1e-6)
    np.testing.assert_allclose(
        rest.predict_proba(X, offset=shift), model.predict_proba(X), rtol=1e-6
    )
    assert rest.score(X, y, offset=shift) == model.score(X, y)
    with pytest.raises(ValueError, match="fitted with an offset: give the offset"):
        rest.predict(X)
    np.testing.assert_array_equal(rest.decision_function(X, offset=0), rest.intercept_[0])
    with pytest.raises(ValueError, match="offset has 3 values, but X has"):
        rest.predict(X, offset=[1, 2, 3])
    with pytest.raises(ValueError, match="offset contains NaN"):
        Lass0Classifier(k=1).fit(X, y, offset=np.full(len(y), np.nan))


def test_a_lambda_is_the_price_of_a_column_in_log_likelihood():
    X, y = make_classes(9)
    table = Lass0Classifier(k=0, max_k=6).fit(X, y).table_
    for lambda0 in (0.5, 2.0, 5.0):
        model = Lass0Classifier(lambda0=lambda0).fit(X, y)
        best = np.min(table.deviance / 2 + lambda0 * table.k)
        np.testing.assert_allclose(model.objective_, best, rtol=1e-7)
        np.testing.assert_allclose(model.objective_, model.deviance_ / 2 + lambda0 * model.k_)
        assert model.lambda0_ == lambda0


def test_a_proof_is_that_of_all_supports():
    X, y = make_classes(7, n=60, p=6, k=2)
    found = Lass0Classifier(k=2).fit(X, y)
    proven = Lass0Classifier(k=2, prove=True, within="5%").fit(X, y)
    assert proven.status_ == "proven_optimal"
    np.testing.assert_allclose(proven.objective_, found.objective_, rtol=1e-9)
    near = {tuple(one["support"]) for one in proven.near_optimal_["models"]}
    expected = {
        (i, j)
        for j in range(6)
        for i in range(j)
        if 2 * len(y) * log_loss(y, reference(X, y, [i, j]).predict_proba(X[:, [i, j]]))
        <= 1.05 * proven.deviance_
    }
    assert near == expected


def test_a_criterion_chooses_the_size_from_the_likelihood():
    X, y = make_classes(9)
    model = Lass0Classifier(criterion="bic").fit(X, y)
    expected = model.table_.deviance + np.log(len(y)) * model.table_.k
    np.testing.assert_allclose(model.criterion_, expected, rtol=1e-9)
    assert model.k_ == np.argmin(expected)


# Errors: what is wrong, and what to do.


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0] * 80, "one class only, 0: a classifier needs rows of two classes"),
        (
            ["a", "b", "c", "d"] * 20,
            "4 classes; wrap the estimator in sklearn.multiclass.OneVsRest",
        ),
        ([0.5, 1.25, 3.75, 1.5] * 20, "Unknown label type: continuous"),
        ([0, 1, None, 1] * 20, "no class in row 2"),
        ([0, 1, np.nan, 1] * 20, "no class in row 2"),
        (np.array(["a", 1] * 40, dtype=object), "labels of several types"),
        ([0, 1] * 39, "inconsistent numbers of samples"),
    ],
)
def test_targets_that_are_not_two_classes(y, message):
    X, _ = make_classes(0, n=80)
    for estimator in (Lass0Classifier(k=1), Lass0ClassifierCV(tune="k")):
        with pytest.raises(ValueError, match=message):
            estimator.fit(X, y)


def test_a_class_without_weight_is_no_class():
    X, y = make_classes(0)
    with pytest.raises(ValueError, match="class"):
        Lass0Classifier(k=1).fit(X, y, sample_weight=y)


def test_regressors_name_the_classifiers():
    X, y = make_classes(0)
    with pytest.raises(ValueError, match="Lass0Classifier"):
        lass0.Lass0(k=1).fit(X, np.where(y, "yes", "no"))


def separable(seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, (X[:, 2] > 0).astype(int)


def test_separation_is_an_error_without_a_ridge():
    X, y = separable()
    with pytest.raises(SeparationError, match="x2 separates the two classes.*ridge"):
        Lass0Classifier(k=1, ridge=0).fit(X, y)
    with pytest.raises(SeparationError, match="separates the two classes"):
        Lass0Classifier(lambda0=0.1, ridge=0).fit(X, y)
    model = Lass0Classifier(ridge=0).fit(X, y)
    assert model.k_ == 0
    assert list(model.table_.separated_by) == [2]
    assert "x2 would separate the classes" in repr(model.table_)


@pytest.mark.parametrize("options", [{}, {"k": 1}, {"k": 3}, {"lambda0": 0.1}], ids=str)
def test_separation_gets_a_ridge_by_default(options):
    X, y = separable()
    with pytest.warns(UserWarning, match="x2.* separate.*uses a ridge of 1"):
        model = Lass0Classifier(**options).fit(X, y)
    assert model.ridge_ == 1
    assert 2 in model.support_
    assert model.score(X, y) > 0.9
    expected = Lass0Classifier(**(options or {"k": 1}), ridge=1.0).fit(X, y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Lass0Classifier(k=1).fit(*make_classes(0)).ridge_ == 0


# Cross-validation.


MEASURES = {
    "deviance": lambda y, p: 2 * log_loss(y, p),
    "auc": lambda y, p: 1 - roc_auc_score(y, p),
    "error": lambda y, p: np.mean((p >= 0.5) != y),
    "brier": brier_score_loss,
}


@pytest.mark.parametrize("measure", MEASURES)
def test_the_curve_has_the_measure_on_held_out_rows(measure):
    X, y = make_classes(1, n=120, p=6)
    folds = StratifiedKFold(4)
    model = Lass0ClassifierCV(cv=folds, tune="k", measure=measure, ridge=0, max_k=3).fit(X, y)
    for f, (train, test) in enumerate(folds.split(X, y)):
        for place, k in enumerate(model.cv_results_["param_k"]):
            one = Lass0Classifier(k=k, ridge=0).fit(X[train], y[train])
            p = one.predict_proba(X[test])[:, 1]
            error = MEASURES[measure](y[test], p)
            score = model.cv_results_[f"split{f}_test_score"][place]
            np.testing.assert_allclose(score, -error, rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(
        model.cv_results_["mean_test_score"], -model.cv_results_["mean_error"]
    )
    assert (model.held_out_deviance_explained_ is None) == (measure != "deviance")


def test_held_out_predictions_are_those_of_the_folds():
    X, y = make_classes(1, n=120, p=6)
    folds = StratifiedKFold(4)
    model = Lass0ClassifierCV(cv=folds, tune="k", ridge=0, max_k=3).fit(X, y)
    expected = cross_val_predict(
        Lass0Classifier(k=model.k_, ridge=0), X, y, cv=folds, method="decision_function"
    )
    np.testing.assert_allclose(model.held_out_decision_, expected, rtol=1e-5, atol=1e-8)


def test_folds_of_its_own_are_stratified():
    X, y = make_classes(2, n=100, p=4, shift=-2)
    assert 8 <= y.sum() <= 30
    model = Lass0ClassifierCV(cv=y.sum() // 2, tune="k", measure="auc", ridge=1.0).fit(X, y)
    assert np.isfinite(model.cv_results_["mean_error"]).all()


def test_cross_validation_gives_the_model_of_the_chosen_size():
    X, y = make_classes(3)
    model = Lass0ClassifierCV(tune="k", cv=5).fit(X, y)
    chosen = Lass0Classifier(k=model.k_, ridge=model.ridge_).fit(X, y)
    np.testing.assert_allclose(model.coef_, chosen.coef_, rtol=1e-7, atol=1e-10)
    assert model.coef_.shape == (1, X.shape[1])
    assert model.frequencies_.shape == model.support_.shape


# In scikit-learn's machinery.


def test_in_pipelines_and_searches():
    X, y = make_classes(4)
    pipeline = make_pipeline(StandardScaler(), Lass0Classifier())
    grid = {"lass0classifier__k": [1, 2, 4]}
    search = GridSearchCV(pipeline, grid, scoring="roc_auc", cv=3).fit(X, y)
    best = search.best_estimator_[-1]
    assert np.count_nonzero(best.coef_) == search.best_params_["lass0classifier__k"]
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_more_classes_by_one_vs_rest():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    y = np.argmax(X[:, :3] + rng.normal(size=(150, 3)), axis=1)
    model = OneVsRestClassifier(Lass0Classifier(k=1)).fit(X, y)
    assert [int(one.support_[0]) for one in model.estimators_] == [0, 1, 2]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_pickles_clones_and_selects():
    X, y = make_classes(5)
    for estimator in (Lass0Classifier(k=3), Lass0ClassifierCV(tune="k", cv=3)):
        fitted = estimator.fit(X, y)
        again = pickle.loads(pickle.dumps(fitted))
        np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
        np.testing.assert_array_equal(clone(fitted).fit(X, y).coef_, fitted.coef_)
        np.testing.assert_array_equal(fitted.transform(X), X[:, fitted.support_])


def test_any_number_of_jobs_gives_the_same_bits():
    X, y = make_classes(6)
    for estimator in (Lass0Classifier(k=3), Lass0ClassifierCV(tune="k", cv=3)):
        one = clone(estimator).fit(X, y)
        two = clone(estimator).set_params(n_jobs=2).fit(X, y)
        np.testing.assert_array_equal(one.coef_, two.coef_)


def test_sparse_and_dense_give_the_same_model():
    from scipy import sparse

    X, y = make_classes(7)
    X[np.abs(X) < 0.5] = 0
    dense = Lass0Classifier(k=2).fit(X, y)
    model = Lass0Classifier(k=2).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(model.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        model.predict_proba(sparse.csc_matrix(X)), dense.predict_proba(X), rtol=1e-9
    )


def test_include_and_exclude():
    X, y = make_classes(8)
    free = Lass0Classifier(k=2).fit(X, y)
    out = int(free.support_[0])
    model = Lass0Classifier(k=2, include=[0], exclude=[out]).fit(X, y)
    assert out not in model.support_
    assert 0 in model.support_
    assert model.k_ == 2
    expected = reference(X, y, model.support_)
    np.testing.assert_allclose(model.coef_[:, model.support_], expected.coef_, rtol=1e-6)


# path, stability, plots.


def test_path_and_stability_of_two_classes():
    X, y = make_classes(9)
    named = np.where(y, "yes", "no")
    table = lass0.path(X, named, family="binomial", max_k=4)
    for row in table:
        model = Lass0Classifier(k=row.k).fit(X, y)
        np.testing.assert_array_equal(row.support, model.support_)
        np.testing.assert_allclose(row.deviance, model.deviance_, rtol=1e-8)
        np.testing.assert_allclose(row.coef, model.coef_[0], rtol=1e-7, atol=1e-10)
        assert row.rss is None
    assert "deviance" in repr(table)
    assert "deviance" in table.to_pandas().columns
    with pytest.raises(AttributeError, match="see deviance"):
        table.rss  # noqa: B018
    found = lass0.stability(X, named, family="binomial", k=2, pairs=5)
    assert found.frequencies.max() >= 0.8
    assert found.frequencies.sum() == pytest.approx(2)
    with pytest.raises(ValueError, match="family is 'poison', but must be one of"):
        lass0.path(X, y, family="poison")


def test_plots():
    import matplotlib.pyplot as plt

    X, y = make_classes(9)
    model = Lass0ClassifierCV(tune="k", cv=3, measure="auc").fit(X, y)
    assert "ROC" in lass0.plot_cv(model).get_ylabel()
    assert lass0.plot_path(model).get_ylabel() == "deviance"
    assert lass0.plot_path(model, show="coef", over="lambda").get_ylabel() == "coefficient"
    lass0.plot_support(model)
    with pytest.raises(ValueError, match="no rss"):
        lass0.plot_path(model, show="rss")
    plt.close("all")
