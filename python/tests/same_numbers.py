"""Small problems whose answers the library, the program and the package agree on: tests/fixtures/same_numbers.json.

python python/tests/same_numbers.py     writes the file anew, with the package's answers
"""

import json
from pathlib import Path

import numpy as np
from conftest import make_data

from lass0 import Lass0, Lass0CV

FILE = Path(__file__).parents[2] / "tests" / "fixtures" / "same_numbers.json"

OPTIONS = [
    {"lambda": 1.0},
    {"lambda": 0.2, "start": "paper"},
    {"k": 3},
    {"k": 2, "ridge": 5.0},
    {"lambda": 0.5, "ridge": 2.0, "standardize": False},
    {"lambda": 0.8, "intercept": False, "standardize": False},
    {"k": 2, "include": [1, 4]},
    {"lambda": 1.0, "weights": True},
    {"k": 4, "weights": True, "include": [0], "ridge": 1.0},
    {"cv": {"folds": 5, "seed": 3, "tune": "lambda", "rule": "min"}},
    {"cv": {"folds": 4, "seed": 9, "tune": "k", "rule": "1se"}},
    {
        "cv": {"folds": 6, "seed": 2, "tune": "lambda", "rule": "1se"},
        "ridge": "auto",
        "weights": True,
    },
]


def estimator(options):
    shared = {
        "ridge": options.get("ridge", 0.0),
        "fit_intercept": options.get("intercept", True),
        "standardize": options.get("standardize", True),
        "include": options.get("include"),
    }
    if "cv" in options:
        cv = options["cv"]
        return Lass0CV(
            cv["folds"], tune=cv["tune"], rule=cv["rule"], random_state=cv["seed"], **shared
        )
    return Lass0(
        options.get("k"), options.get("lambda"), start=options.get("start", "table"), **shared
    )


def answer(case):
    X, y = np.array(case["X"]), np.array(case["y"])
    weights = np.array(case["weights"]) if case["weights"] else None
    model = estimator(case["options"]).fit(X, y, sample_weight=weights)
    expected = {
        "support": model.support_.tolist(),
        "coefficients": model.coef_[model.support_].tolist(),
        "intercept": model.intercept_,
        "objective": model.objective_,
        "rss": model.rss_,
    }
    if "cv" in case["options"]:
        expected["mean_error"] = -model.best_score_
        expected["ridge"] = model.ridge_
    return expected


def main():
    cases = []
    for seed, options in enumerate(OPTIONS):
        X, y = make_data(seed, n=36, p=7, k=3, noise=1.0)
        weights = np.random.default_rng(seed).uniform(0.2, 3, 36).round(3).tolist()
        case = {
            "options": {key: value for key, value in options.items() if key != "weights"},
            "X": X.round(4).tolist(),
            "y": y.round(4).tolist(),
            "weights": weights if options.get("weights") else [],
        }
        case["expected"] = answer(case)
        cases.append(case)
    FILE.write_text(
        json.dumps(cases, indent=None, separators=(",", ":")).replace('{"options"', '\n{"options"')
        + "\n"
    )


if __name__ == "__main__":
    main()
