"""The package, the program and the library give the same numbers (the library: tests/select/test_same_numbers.cpp)."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from same_numbers import FILE, answer

from lass0 import Lass0, Lass0CV

CASES = json.loads(FILE.read_text())
PROGRAM = Path(sys.executable).parent / "lass0"


def run(*arguments):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True
    ).stdout


def flags(case):
    options = case["options"]
    list_ = ["cv"] if "cv" in options else ["fit"]
    list_ += ["data.csv", "--target", "y", "--format", "json"]
    for key in ("lambda", "k", "ridge", "start"):
        if key in options:
            list_ += [f"--{key}", options[key]]
    if "cv" in options and "ridge" not in options:
        list_ += ["--ridge", 0]
    for key, value in options.get("cv", {}).items():
        list_ += [f"--{key}", value]
    if "include" in options:
        list_ += ["--include", ",".join(f"c{j}" for j in options["include"])]
    list_ += ["--no-intercept"] * (not options.get("intercept", True))
    list_ += ["--no-standardize"] * (not options.get("standardize", True))
    list_ += ["--weights", "w"] * bool(case["weights"])
    return list_


def write_csv(case, path):
    frame = pd.DataFrame(case["X"], columns=[f"c{j}" for j in range(len(case["X"][0]))])
    if case["weights"]:
        frame["w"] = case["weights"]
    frame.assign(y=case["y"]).to_csv(path, index=False)


def check(found, expected):
    assert found["support"] == expected["support"]
    for key in expected.keys() - {"support"}:
        np.testing.assert_allclose(found[key], expected[key], rtol=1e-10, err_msg=key)


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.dumps(case["options"]))
def test_package(case):
    check(answer(case), case["expected"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.dumps(case["options"]))
def test_program(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(case, "data.csv")
    printed = json.loads(run(*flags(case)))
    model = printed.get("model", printed)
    found = {
        "support": [int(name[1:]) for name in model["support"]],
        "coefficients": list(model["coefficients"].values()),
        "intercept": model["intercept"],
        "objective": model["objective"],
        "rss": model["rss"],
    }
    if "chosen" in printed:
        found["mean_error"] = printed["chosen"]["mean_error"]
        found["ridge"] = model.get("ridge", 0.0)
    check(found, case["expected"])


def test_models_of_the_program_predict_in_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = CASES[0]
    write_csv(case, "data.csv")
    run("fit", "data.csv", "--target", "y", "--lambda", 1.0, "--model", "model.json")
    run("predict", "model.json", "data.csv", "--output", "predictions.csv")
    expected = pd.read_csv("predictions.csv")["prediction"].to_numpy()
    frame = pd.read_csv("data.csv").drop(columns="y")
    model = Lass0.from_json("model.json", columns=frame.columns)
    np.testing.assert_allclose(model.predict(frame), expected, rtol=1e-12)
    few = Lass0.from_json(Path("model.json"))
    np.testing.assert_allclose(few.predict(frame[few.feature_names_in_]), expected, rtol=1e-12)
    assert few.lambda0_ == 1.0 and few.k_ == len(few.feature_names_in_)
    with pytest.raises(ValueError, match="not among those given"):
        Lass0.from_json("model.json", columns=["a", "b"])


def test_models_of_python_predict_in_the_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = CASES[0]
    write_csv(case, "data.csv")
    frame = pd.read_csv("data.csv")
    X, y = frame.drop(columns="y"), frame["y"]
    for model in (Lass0(k=3), Lass0CV(rule="1se"), Lass0(lambda0=0.3, ridge=2.0, include=["c1"])):
        model.fit(X, y).to_json("model.json")
        run("predict", "model.json", "data.csv", "--output", "predictions.csv")
        predicted = pd.read_csv("predictions.csv")["prediction"].to_numpy()
        np.testing.assert_allclose(model.predict(X), predicted, rtol=1e-12)
        back = Lass0.from_json("model.json")
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
        assert list(back.feature_names_in_) == list(X.columns)


@pytest.fixture(scope="module")
def raw_table(tmp_path_factory):
    """A frame with texts and gaps, the program's model of it and the program's predictions."""
    folder = tmp_path_factory.mktemp("raw")
    rng = np.random.default_rng(5)
    n = 90
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "unused"])
    frame["c"] = rng.choice(["u", "v=1", "w"], n)
    frame["y"] = 2 * frame.a - frame.b + 3 * (frame.c == "v=1") + 0.1 * rng.normal(size=n)
    frame.loc[[3, 8], "a"] = np.nan
    frame.to_csv(folder / "data.csv", index=False)
    model, out = folder / "model.json", folder / "predictions.csv"
    coding = ["--one-hot", "c", "--missing", "mean"]
    run("fit", folder / "data.csv", "--target", "y", "--lambda", "1", *coding, "--model", model)
    run("predict", model, folder / "data.csv", "--output", out)
    return frame, model, pd.read_csv(out)["prediction"]


def test_texts_and_gaps_are_read_as_the_program_reads_them(raw_table):
    frame, file, expected = raw_table
    model = Lass0.from_json(file)
    assert "c=v=1" in model.feature_names_in_ and "a" in json.loads(file.read_text())["imputed"]
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for X in (
        frame,
        frame.convert_dtypes(),
        frame.astype({"c": "category"}),
        polars.from_pandas(frame),
        pyarrow.Table.from_pandas(frame),
    ):
        np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12)
    np.testing.assert_array_equal(
        Lass0.from_json(model.to_json()).predict(frame), model.predict(frame)
    )


@pytest.mark.parametrize(
    "change, message",
    [
        ({"c": "new"}, "'c' has 'new' in row 0"),
        ({"b": np.nan}, "'b' of X has missing values"),
        ({"b": np.inf}, "'b' of X has infinite"),
        ({"b": "text"}, "'b' of X is not numeric"),
    ],
)
def test_what_the_program_would_refuse_is_refused(raw_table, change, message):
    frame, file, _ = raw_table
    model = Lass0.from_json(file)
    with pytest.raises(ValueError, match=message):
        model.predict(frame.assign(**change))


def test_columns_of_the_program_are_found_by_name(raw_table):
    frame, file, _ = raw_table
    with pytest.raises(ValueError, match="lacks columns of the model: a"):
        Lass0.from_json(file).predict(frame.drop(columns="a"))
    with pytest.raises(ValueError, match="from a data frame with the columns a, b, c"):
        Lass0.from_json(file).predict(frame.to_numpy())
    with pytest.raises(ValueError, match="do not give columns"):
        Lass0.from_json(file, columns=list(frame))
    document = json.loads(file.read_text())
    plain = Lass0.from_json(
        json.dumps({"intercept": 1.0, "coefficients": {"b": 2.0}, "lambda": document["lambda"]})
    )
    np.testing.assert_allclose(plain.predict(frame), 1 + 2 * frame.b)
    np.testing.assert_allclose(plain.predict(frame[["b"]]), 1 + 2 * frame.b)
