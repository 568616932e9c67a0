"""The JSON of a model is the program's, field by field, and comes back as the same model."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from test_same_numbers import CASES, run, write_csv

from lass0 import Lass0, Lass0CV


@pytest.fixture
def table(tmp_path, monkeypatch):
    """data.csv in the current folder, and the same as a frame: X (with weights `w` apart), y and w."""
    monkeypatch.chdir(tmp_path)
    case = next(one for one in CASES if one["weights"])
    write_csv(case, "data.csv")
    frame = pd.read_csv("data.csv")
    return frame.drop(columns=["y", "w"]), frame["y"], frame["w"]


def assert_same(ours, theirs, path="model"):
    if isinstance(ours, dict):
        assert list(ours) == list(theirs), path
        for key in ours:
            assert_same(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(ours, list):
        assert len(ours) == len(theirs), path
        for i, (one, other) in enumerate(zip(ours, theirs)):
            assert_same(one, other, f"{path}[{i}]")
    elif isinstance(ours, float):
        assert ours == pytest.approx(theirs, rel=1e-10, abs=1e-12), path
    else:
        assert ours == theirs, path


def compare(model, theirs):
    ours = json.loads(model.to_json())
    assert ours.pop("columns") == [f"c{j}" for j in range(7)]
    assert ours["seconds"] >= 0 and theirs["seconds"] >= 0
    ours["seconds"] = theirs["seconds"] = 0
    assert_same(ours, theirs)


PROBLEMS = [
    ({}, []),
    ({"ridge": 3.0}, ["--ridge", 3]),
    ({"include": ["c2"]}, ["--include", "c2"]),
    ({"exclude": ["c0", "c3"]}, ["--exclude", "c0,c3"]),
    ({"signs": {"c1": "+", "c2": "-", "c5": "+"}}, ["--positive", "c1,c5", "--negative", "c2"]),
    (
        {"signs": {"c1": "-"}, "include": ["c0"], "exclude": ["c4"], "ridge": 1.5},
        ["--negative", "c1", "--include", "c0", "--exclude", "c4", "--ridge", 1.5],
    ),
]
FITS = [
    ({"lambda0": 0.5}, ["--lambda", 0.5]),
    ({"k": 3}, ["--k", 3]),
]
ids = {"ids": lambda one: json.dumps(one) if isinstance(one, dict) else ""}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("options", "flags"), PROBLEMS, **ids)
def test_of_a_fit(options, flags, weighted, table):
    X, y, w = table
    weights = {"sample_weight": w} if weighted else {}
    flags = [*flags, "--weights", "w"] if weighted else [*flags, "--exclude", "w"]
    if not weighted and "--exclude" in flags[:-2]:
        at = flags.index("--exclude")
        flags = [*flags[:at], "--exclude", flags[at + 1] + ",w", *flags[at + 2 : -2]]
    for at, at_flags in FITS:
        program = run("fit", "data.csv", "--target", "y", "--format", "json", *flags, *at_flags)
        compare(Lass0(**at, **options).fit(X, y, **weights), json.loads(program))


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"lambda0": 0.5, "start": "paper"}, ["--lambda", 0.5, "--start", "paper"]),
        ({"k": 3, "prove": True}, ["--k", 3, "--prove"]),
        ({"lambda0": 0.5, "power": 0.5}, ["--lambda", 0.5, "--power", 0.5]),
    ],
    **ids,
)
def test_of_other_fits(options, flags, table):
    X, y, w = table
    flags = ["fit", "data.csv", "--target", "y", "--weights", "w", "--format", "json", *flags]
    compare(Lass0(**options).fit(X, y, sample_weight=w), json.loads(run(*flags)))


@pytest.mark.parametrize(("options", "flags"), PROBLEMS, **ids)
def test_of_a_cross_validation(options, flags, table):
    X, y, w = table
    flags = ["cv", "data.csv", "--target", "y", "--weights", "w", "--format", "json", *flags]
    for how, how_flags in (
        ({"rule": "1se", "random_state": 4}, ["--rule", "1se", "--seed", 4]),
        ({"tune": "k"}, ["--tune", "k"]),
    ):
        printed = json.loads(run(*flags, *how_flags, "--model", "model.json"))
        model = Lass0CV(**how, **options).fit(X, y, sample_weight=w)
        with open("model.json") as file:
            saved = json.load(file)
        compare(model, dict(saved))
        # The file also has what predictions of other sizes and intervals need.
        for key in saved.keys() - printed["model"].keys():
            assert key in ("intervals", "steps"), key
            del saved[key]
        saved["seconds"] = printed["model"]["seconds"] = 0
        assert_same(saved, printed["model"])


def test_of_a_criterion(table):
    X, y, w = table
    printed = run(
        "cv",
        "data.csv",
        "--target",
        "y",
        "--weights",
        "w",
        "--format",
        "json",
        "--criterion",
        "bic",
    )
    compare(Lass0().fit(X, y, sample_weight=w), json.loads(printed)["model"])


def test_arrays_without_names_come_back_as_such(data):
    X, y = data
    for exclude in (None, [0, 3]):
        model = Lass0(k=3, exclude=exclude).fit(X, y)
        back = Lass0.from_json(model.to_json())
        assert back.n_features_in_ == 12 and not hasattr(back, "feature_names_in_")
        np.testing.assert_array_equal(back.coef_, model.coef_)
        np.testing.assert_array_equal(back.predict(X), model.predict(X))


def test_a_file_of_version_0_1_comes_back(data):
    X, y = data
    model = Lass0(k=3).fit(X, y)
    old = json.loads(model.to_json()) | {"numbered": True}
    np.testing.assert_array_equal(Lass0.from_json(json.dumps(old)).coef_, model.coef_)


@pytest.mark.parametrize("exclude", [None, [0]])
def test_columns_without_names_are_the_same_ones_in_the_program(
    exclude, tmp_path, monkeypatch, data
):
    """In Python they are x0, x1, ..., in files x1, x2, ...: what the program calls the columns of a file without names."""
    monkeypatch.chdir(tmp_path)
    X, y = data
    model = Lass0(k=4, exclude=exclude).fit(X, y)
    model.to_json("model.json")
    np.savetxt("data.csv", X, delimiter=",", fmt="%.17g")
    run("predict", "model.json", "data.csv", "--header", "no", "--output", "out.csv")
    predicted = pd.read_csv("out.csv")["prediction"]
    np.testing.assert_allclose(predicted, model.predict(X), rtol=1e-12)
    assert json.loads(model.to_json())["support"] == [f"x{j + 1}" for j in model.support_]


def test_the_target_has_its_name(table):
    X, y, _ = table
    for target, name in ((y, "y"), (y.to_frame("z"), "z"), (y.to_numpy(), "")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a column is not a vector
            model = Lass0(k=1).fit(X, target)
        assert json.loads(model.to_json())["target"] == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("{}", "'intercept' is missing"),
        ("[1]", "not an object"),
        ('{"intercept": 1}', "'coefficients' is missing"),
        ('{"intercept": 1, "coefficients": [1]}', "'coefficients' is not an object"),
        ('{"intercept": "a", "coefficients": {}}', "not a finite number"),
        ('{"intercept": NaN, "coefficients": {}}', "not a finite number"),
        ('{"intercept": 1, "coefficients": {"a": null}}', "not a finite number"),
        ('{"curve": [], "model": {"intercept": 1, "coefficients": {}}}', "output of lass0 cv"),
        ('{"intercept": 1, "coefficients": {"x1": 1}, "numbered": true}', "not among those given"),
        ('{"intercept": 1, "coefficients": {}, "numbered": "yes"}', "'numbered' is 'yes'"),
        ('{"intercept": 1, "coefficients": {}, "columns": 3}', "'columns' is not a list"),
        ('{"intercept": 1, "coefficients": {}, "columns": ["a", "a"]}', "same name twice"),
        ('{"intercept": 1, "coefficients": {}, "lambda": "a"}', "'lambda' is a"),
        ('{"intercept": 1, "coefficients": {}, "one_hot": [1]}', "'one_hot' is not an object"),
        ('{"intercept": 1, "coefficients": {}, "one_hot": {"a": 1}}', "levels of 'a'"),
        ('{"intercept": 1, "coefficients": {}, "imputed": {"a": null}}', "not a finite number"),
        ('{"intercept": 1%s, "coefficients": {}}' % ("0" * 400), "not a finite number"),
    ],
)
def test_what_is_no_model_is_refused(text, message):
    for source in (text, text.encode()):
        with pytest.raises(ValueError, match=message):
            Lass0.from_json(source)
