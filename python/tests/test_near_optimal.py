"""All near-optimal models, and the price of each column, from Python."""

import itertools
import json
import re

import numpy as np
import pandas as pd
import pytest
from conftest import make_data

from lass0 import Lass0, Lass0CV, plot_near_optimal


def objective(X, y, support, lambda0):
    design = np.column_stack([np.ones(len(y)), X[:, list(support)]])
    residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return residual @ residual / 2 + lambda0 * len(support)


def all_models(X, y, lambda0):
    p = X.shape[1]
    supports = [support for k in range(p + 1) for support in itertools.combinations(range(p), k)]
    return {support: objective(X, y, support, lambda0) for support in supports}


def test_the_models_and_prices_are_those_of_all_supports():
    X, y = make_data(5, n=40, p=7, k=3)
    models = all_models(X, y, 1.0)
    best = min(models.values())
    near = Lass0(lambda0=1.0, prove=True, within=0.8).fit(X, y).near_optimal_
    expected = {support for support, value in models.items() if value <= best + 0.8}
    assert {tuple(model["support"]) for model in near["models"]} == expected
    assert near["count"] == len(expected) > 1
    assert near["complete"] and near["best_listed"] and near["exact"]
    assert near["within"] == 0.8
    for one in near["columns"]:
        with_it = min(v for support, v in models.items() if one["column"] in support)
        without = min(v for support, v in models.items() if one["column"] not in support)
        assert one["price_in"] == pytest.approx(with_it - best, abs=1e-8)
        assert one["price_out"] == pytest.approx(without - best, abs=1e-8)
        assert one["name"] == f"x{one['column']}"


def test_columns_have_the_numbers_and_names_of_X_when_some_are_excluded():
    X, y = make_data(5, n=40, p=7, k=3)
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    model = Lass0(lambda0=1.0, prove=True, within="auto", exclude=["a", "c"], include=["d"])
    near = model.fit(frame, y).near_optimal_
    assert [one["name"] for one in near["columns"]] == ["b", "e", "f", "g"]
    assert [one["column"] for one in near["columns"]] == [1, 4, 5, 6]
    np.testing.assert_array_equal(near["models"][0]["support"], model.support_)
    assert near["models"][0]["objective"] == model.objective_
    assert all(3 in one["support"] for one in near["models"])
    assert near["within"] == 1.0
    saved = json.loads(model.to_json())["near_optimal"]
    assert saved["count"] == near["count"]
    assert saved["models"][0]["support"] == list(model.get_feature_names_out())


def test_a_share_and_a_limit_of_the_list():
    X, y = make_data(6, n=60, p=9, k=3)
    model = Lass0(k=3, prove=True, within="3000%", max_models=5).fit(X, y)
    near = model.near_optimal_
    assert near["within"] == pytest.approx(30 * model.objective_)
    assert len(near["models"]) == min(5, near["count"])
    assert near["count"] > 5
    assert all(len(one["support"]) == 3 for one in near["models"])


def test_nothing_is_looked_for_unless_asked():
    X, y = make_data(6, n=60, p=9, k=3)
    assert Lass0(k=3, prove=True).fit(X, y).near_optimal_ is None
    assert Lass0CV(cv=3).fit(X, y).near_optimal_ is None
    assert Lass0.from_json(Lass0(k=3).fit(X, y).to_json()).near_optimal_ is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 2, "within": 1.0}, "within works with prove only"),
        ({"k": 2, "prove": True, "within": "much"}, "within is 'much', but must be a distance"),
        ({"k": 2, "prove": True, "within": -1}, "within is -1, but must be 0 or more"),
        ({"k": 2, "prove": True, "within": "-1%"}, "within is -1, but must be 0 or more"),
        ({"k": 2, "prove": True, "within": 1, "max_models": 0}, "max_models is 0"),
        ({"within": 1.0}, "need k or lambda0"),
    ],
)
def test_bad_values_are_errors(options, message):
    X, y = make_data(6, n=60, p=9, k=3)
    with pytest.raises(ValueError, match=message):
        Lass0(**options).fit(X, y)


def test_a_wrong_type_is_an_error():
    X, y = make_data(6, n=60, p=9, k=3)
    with pytest.raises(TypeError, match="within is True, but must be a number"):
        Lass0(k=2, prove=True, within=True).fit(X, y)


def test_the_plot_has_a_cell_for_each_column_and_model():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = make_data(5, n=40, p=7, k=3)
    model = Lass0(lambda0=1.0, prove=True, within=0.8).fit(X, y)
    ax = plot_near_optimal(model)
    near = model.near_optimal_
    shown = [one for one in near["columns"] if one["class"] != "never"]
    picture = np.asarray(ax.collections[0].get_array()).reshape(len(shown), len(near["models"]))
    assert picture.sum() == sum(len(one["support"]) for one in near["models"])
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert all(any(label.startswith(one["name"] + " (") for label in labels) for one in shown)
    plt.close("all")
    with pytest.raises(ValueError, match="prove=True and within"):
        plot_near_optimal(Lass0(k=3).fit(X, y))
    with pytest.raises(TypeError, match="takes a fitted Lass0"):
        plot_near_optimal(3)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"lambda0": 1.0, "prove": True, "within": 0.8}, "fit"),
        ({"k": 2}, "fit"),
        ({}, "criterion"),
    ],
)
def test_a_report_shows_the_fit(options, kind, tmp_path):
    X, y = make_data(5, n=40, p=7, k=3)
    model = Lass0(**options).fit(X, y)
    path = tmp_path / "fit.html"
    try:
        model.report(path, source="measurements", target="yield")
    except ValueError as error:
        assert "Node.js" in str(error)
        pytest.skip("built without Node.js")
    text = path.read_text(encoding="utf-8")
    data = json.loads(
        re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S).group(1)
    )
    assert data["kind"] == kind and data["source"] == "measurements"
    shown = data["models"][data["shown"]]
    names = [data["columns"][j]["name"] for j in shown["support"]]
    assert names == [f"x{j}" for j in model.support_]
    assert ("near_optimal" in data) == ("within" in options)
    if "within" in options:
        assert data["near_optimal"]["count"] == model.near_optimal_["count"]
