"""scikit-learn's conventions, checked by scikit-learn itself and by use."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lass0 import Lass0, Lass0Classifier, Lass0ClassifierCV, Lass0CV, LassoPath, _core


@parametrize_with_checks(
    [
        Lass0(),
        Lass0(lambda0=0.5),
        Lass0(lambda0=0.5, start="paper"),
        Lass0CV(),
        Lass0CV(tune="k"),
        Lass0(lambda0=0.5, signs=1),
        LassoPath(),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [Lass0(k=3), Lass0CV(), LassoPath()])
def test_pickles_and_clones_predict_the_same(estimator, data):
    X, y = data
    fitted = estimator.fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(clone(fitted).fit(X, y).coef_, fitted.coef_)
    if not isinstance(fitted, LassoPath):
        assert again.to_json() == fitted.to_json()


@pytest.mark.parametrize(
    "estimator", [Lass0(), Lass0CV(), Lass0Classifier(), Lass0ClassifierCV()], ids=str
)
def test_defaults_are_those_of_the_library(estimator):
    ours = estimator.get_params()
    compared = 0
    for option in _core.OPTIONS:
        if option["default"] and option["parameter"] in ours.keys() - {"n_jobs"}:
            if ours[option["parameter"]] == "auto":  # cross-validation chooses it
                continue
            value = ours[option["parameter"]]
            if option["parameter"] == "cv" and value is None:  # or the folds of moments: see below
                continue
            text = f"{value:g}" if isinstance(value, float) else str(value)
            assert text == option["default"]
            compared += 1
    assert compared > (2 if isinstance(estimator, Lass0Classifier) else 3)  # which has no power


@pytest.mark.parametrize("estimator", [Lass0CV, Lass0ClassifierCV])
def test_by_default_there_are_as_many_folds_as_in_the_library(estimator, data):
    X, y = data
    y = y > np.median(y) if estimator is Lass0ClassifierCV else y
    [default] = [option["default"] for option in _core.OPTIONS if option["parameter"] == "cv"]
    ours, asked = estimator(max_k=3).fit(X, y), estimator(cv=int(default), max_k=3).fit(X, y)
    assert ours.n_splits_ == int(default)
    np.testing.assert_array_equal(ours.cv_results_["mean_error"], asked.cv_results_["mean_error"])


def test_in_pipelines_and_searches(diabetes):
    X, y = diabetes
    pipeline = make_pipeline(StandardScaler(), PolynomialFeatures(2, include_bias=False), Lass0())
    search = GridSearchCV(pipeline, {"lass0__k": [2, 4, 6]}, n_jobs=2, cv=3).fit(X, y)
    assert search.best_params_["lass0__k"] in (2, 4, 6)
    assert np.count_nonzero(search.best_estimator_[-1].coef_) == search.best_params_["lass0__k"]


def test_selects_columns_for_another_estimator(diabetes):
    X, y = diabetes
    transformer = ColumnTransformer(
        [("few", Lass0(k=2), ["bmi", "s5", "age"]), ("all", "passthrough", ["sex"])]
    )
    transformer.set_output(transform="pandas")
    chosen = transformer.fit_transform(X, y)
    assert list(chosen.columns) == ["few__bmi", "few__s5", "all__sex"]
    model = make_pipeline(Lass0(k=4), LinearRegression()).fit(X, y)
    expected = Lass0(k=4).fit(X, y).predict(X)
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-9)


def test_the_selector_gives_mask_numbers_and_names(diabetes):
    X, y = diabetes
    model = Lass0(k=3).fit(X, y)
    assert model.get_support().sum() == 3
    np.testing.assert_array_equal(model.get_support(indices=True), model.support_)
    assert list(model.get_feature_names_out()) == ["bmi", "bp", "s5"]
    assert list(model.set_output(transform="pandas").transform(X).columns) == ["bmi", "bp", "s5"]


@pytest.mark.parametrize("estimator", [Lass0(k=4), Lass0CV(ridge="auto"), LassoPath()])
def test_any_number_of_jobs_gives_the_same_bits(estimator, data):
    X, y = data
    one = clone(estimator).fit(X, y)
    two = clone(estimator).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.coef_, two.coef_)
    assert one.intercept_ == two.intercept_


def test_works_in_joblib_workers(data):
    X, y = data
    predicted = cross_val_predict(Lass0CV(cv=5), X, y, n_jobs=2)
    assert np.corrcoef(predicted, y)[0, 1] > 0.8


def test_import_needs_neither_scikit_learn_nor_matplotlib():
    import subprocess
    import sys

    code = "import lass0, sys; assert not {'sklearn', 'matplotlib', 'numpy'} & set(sys.modules), 'loaded'"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "from lass0 import Lass0, Lass0CV; import sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_console_command_is_the_program():
    import subprocess
    import sys
    from pathlib import Path

    import lass0

    command = Path(sys.executable).parent / "lass0"
    found = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["lass0", lass0.__version__]
