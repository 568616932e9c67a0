"""summary() prints what the program prints."""

import pickle
import re
import subprocess

import pandas as pd
import pytest
from conftest import make_data
from test_same_numbers import PROGRAM

from lass0 import Lass0, Lass0CV


@pytest.mark.parametrize(
    ("model", "flags"),
    [
        (Lass0(k=3), ["fit", "--k", "3"]),
        (Lass0(lambda0=0.5, prove=True), ["fit", "--lambda", "0.5", "--prove"]),
        (Lass0(criterion="bic"), ["cv", "--criterion", "bic"]),
        (Lass0CV(), ["cv"]),
        (Lass0CV(rule="min", ridge=0, inference="splits", exclude=["c"]),
         ["cv", "--rule", "min", "--ridge", "0", "--inference", "splits", "--exclude", "c"]),
    ],
    ids=str,
)  # fmt: skip
def test_it_is_that_of_the_program(model, flags, tmp_path, capsys):
    X, y = make_data(5, n=60, p=6, k=3)
    X = pd.DataFrame(X, columns=list("abcdef"))
    X.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    printed = subprocess.run(
        [PROGRAM, flags[0], "data.csv", "--target", "y", *flags[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    model.fit(X, y).summary(source="data.csv")
    ours = capsys.readouterr().out
    assert "coefficient" in ours
    without_time = [re.sub(r"\d[\d.e-]* s\b", "", text) for text in (ours, printed)]
    assert without_time[0] == without_time[1]


def test_a_model_without_its_data_says_so():
    X, y = make_data(5, n=40, p=4, k=2)
    model = pickle.loads(pickle.dumps(Lass0(k=1).fit(X, y)))
    with pytest.raises(ValueError, match="no data for a summary.*fit it again"):
        model.summary()
