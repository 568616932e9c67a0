"""The page that the program writes with --report, from Python."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import make_data

from lass0 import Lass0, Lass0CV

HOSTILE = "<script>alert(1)</script>"
PACKAGES = Path(__file__).parents[2] / "report" / "node_modules"


@pytest.fixture(scope="module")
def fitted():
    X, y = make_data(3, n=80, p=6, k=2)
    names = [HOSTILE, "two", "three", "four", "five", "six"]
    return Lass0CV(include=[0]).fit(pd.DataFrame(X, columns=names), y)


def written(model, tmp_path, **options):
    path = tmp_path / "out.html"
    try:
        model.report(path, **options)
    except ValueError as error:
        assert "Node.js" in str(error)  # says what is missing
        assert not path.exists()
        assert not PACKAGES.exists(), "Node.js was there when this was built"
        pytest.skip("built without Node.js")
    return path.read_text(encoding="utf-8")


def test_the_page_has_the_model_and_what_repeats_it(fitted, tmp_path):
    page = written(fitted, tmp_path, source="measurements", target="yield")
    text = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S).group(
        1
    )
    data = json.dumps(json.loads(text))
    assert "measurements" in data and "yield" in data and "Lass0CV(" in data
    assert all(name in data for name in fitted.get_feature_names_out()[1:])
    assert HOSTILE in data and HOSTILE not in page


def test_the_page_shows_the_cross_validation_of_the_fit(tmp_path):
    X, y = make_data(3, n=80, p=6, k=2)
    model = Lass0CV(cv=4).fit(X, y)
    model._fitted_on[2]["seed"] = 99  # other folds, if there were new ones
    page = written(model, tmp_path)
    data = json.loads(
        re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S).group(1)
    )
    errors = [point["error"] for point in data["curve"]["points"]]
    np.testing.assert_array_equal(errors, model.cv_results_["mean_error"])


def test_columns_without_names_count_from_0(tmp_path):
    X, y = make_data(3, n=80, p=6, k=2)
    page = written(Lass0CV(include=[0]).fit(X, y), tmp_path)
    assert '"x0"' in page and '"x5"' in page and '"x6"' not in page


def test_a_table_of_many_columns_is_small():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 20000)), rng.normal(size=60)
    table = Lass0(lambda0=0.1).fit(X, y).table_
    assert len(table) > 20
    assert len(pickle.dumps(table)) < 8 * 20000


def test_a_saved_model_is_small_and_says_that_it_has_no_data(tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(2000, 50)), rng.normal(size=2000)
    saved = pickle.dumps(Lass0CV(cv=3).fit(X, y))
    assert len(saved) < X.nbytes / 4
    with pytest.raises(ValueError, match="fit it again"):
        pickle.loads(saved).report(tmp_path / "out.html")
