"""Models of two classes as files, texts and pages, and the program's numbers."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import make_classes
from test_same_numbers import run

from lass0 import Lass0, Lass0Classifier, Lass0ClassifierCV


@pytest.fixture
def loans():
    X, y = make_classes(3, p=6)
    X = pd.DataFrame(X, columns=list("abcdef"))
    return X, pd.Series(np.where(y, "yes", "no"), name="default")


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1.0, 2.0), (False, True), ("7", "8")])
def test_a_model_survives_its_file(labels, tmp_path):
    X, y = make_classes(2)
    y = np.array(labels)[y]
    model = Lass0Classifier(k=3).fit(X, y)
    model.to_json(tmp_path / "model.json")
    again = Lass0Classifier.from_json(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.classes_.dtype.kind == model.classes_.dtype.kind
    assert again.deviance_ == model.deviance_
    assert again.null_deviance_ == model.null_deviance_
    assert again.coef_.shape == (1, X.shape[1])
    assert again.to_json() == model.to_json()


def test_a_file_is_for_the_estimator_of_its_family():
    X, y = make_classes(2)
    with pytest.raises(ValueError, match="family binomial: read it by Lass0Classifier.from_json"):
        Lass0.from_json(Lass0Classifier(k=1).fit(X, y).to_json())
    with pytest.raises(ValueError, match="family gaussian: read it by Lass0.from_json"):
        Lass0Classifier.from_json(Lass0(k=1).fit(X, y).to_json())
    broken = json.loads(Lass0Classifier(k=1).fit(X, y).to_json())
    for changes, message in [
        ({"classes": ["a"], "labels": ["a"]}, "not a list of two classes"),
        ({"classes": 3}, "not a list of texts"),
        ({"family": "poison"}, "family 'poison' is not one that this version knows"),
    ]:
        with pytest.raises(ValueError, match=message):
            Lass0Classifier.from_json(json.dumps(broken | changes))


def test_a_file_with_an_offset_asks_for_it():
    X, y = make_classes(2)
    offset = np.linspace(-1, 1, len(y))
    model = Lass0Classifier(k=1).fit(X, y, offset=pd.Series(offset, name="exposure"))
    document = json.loads(model.to_json())
    assert document["offset"] == "exposure"
    again = Lass0Classifier.from_json(model.to_json())
    with pytest.raises(ValueError, match="give the offset"):
        again.predict(X)
    np.testing.assert_array_equal(
        again.predict_proba(X, offset=offset), model.predict_proba(X, offset=offset)
    )


@pytest.mark.parametrize(
    "model", [Lass0Classifier(k=2), Lass0ClassifierCV(tune="k", cv=4), Lass0Classifier()], ids=str
)
def test_the_program_predicts_with_the_file(model, loans, tmp_path):
    X, y = loans
    model.fit(X, y).to_json(tmp_path / "model.json")
    X.to_csv(tmp_path / "new.csv", index=False)
    run("predict", tmp_path / "model.json", tmp_path / "new.csv", "--output", tmp_path / "out.csv")
    predicted = pd.read_csv(tmp_path / "out.csv").iloc[:, -1]
    np.testing.assert_allclose(predicted, model.predict_proba(X)[:, 1], rtol=1e-9)


def test_the_summary_and_the_report_tell_of_the_model(loans, tmp_path, capsys):
    X, y = loans
    for model in (Lass0Classifier(k=2), Lass0Classifier(), Lass0ClassifierCV(tune="k", cv=4)):
        model.fit(X, y).summary(source="loans.csv", target="default")
        text = capsys.readouterr().out
        assert "loans.csv" in text
        for name in model.get_feature_names_out():
            assert name in text
        model.report(tmp_path / "report.html", source="loans.csv", target="default")
        page = (tmp_path / "report.html").read_text()
        assert "<html" in page
        assert "loans.csv" in page


@pytest.mark.parametrize(
    ("model", "flags"),
    [
        (Lass0Classifier(k=2), ["fit", "--k", 2]),
        (Lass0Classifier(lambda0=1.5), ["fit", "--lambda", 1.5]),
        (Lass0Classifier(k=2, ridge=3.0, include=["a"]), ["fit", "--k", 2, "--ridge", 3, "--include", "a"]),
        (Lass0ClassifierCV(tune="k", cv=4), ["cv", "--tune", "k", "--folds", 4]),
        (Lass0ClassifierCV(cv=4, measure="auc", ridge=1.0), ["cv", "--folds", 4, "--measure", "auc", "--ridge", 1]),
        (Lass0Classifier(criterion="ebic"), ["cv", "--criterion", "ebic"]),
    ],
    ids=str,
)  # fmt: skip
def test_the_program_has_the_same_numbers(model, flags, loans, tmp_path):
    X, y = loans
    X.assign(default=y).to_csv(tmp_path / "loans.csv", index=False)
    command, *rest = flags
    data = [tmp_path / "loans.csv", "--target", "default", "--family", "binomial"]
    found = json.loads(run(command, *data, "--format", "json", *rest))
    found = found.get("model", found)
    ours = json.loads(model.fit(X, y).to_json())
    assert found["coefficients"].keys() == ours["coefficients"].keys()
    assert found["classes"] == ours["classes"] == ["no", "yes"]
    for key in ("intercept", "deviance", "null_deviance", "objective"):
        np.testing.assert_allclose(ours[key], found[key], rtol=1e-9)
    for name, value in found["coefficients"].items():
        np.testing.assert_allclose(ours["coefficients"][name], value, rtol=1e-8)
    model.summary(source=str(tmp_path / "loans.csv"), target="default")
