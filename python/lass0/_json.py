"""Models as the JSON of the program ``lass0``: the same fields, numbers to the last bit."""

import json
import math
import os

import numpy as np

from ._core import __version__


def _finite(value):
    return None if value is None or not math.isfinite(value) else value


def document(fit, keep, names, p):
    """The JSON object of a fit by the core. Columns without names are x1, x2, ..., as in the program."""

    def name(j):
        j = int(j if keep is None else keep[j])
        return f"x{j + 1}" if names is None else str(names[j])

    def listed(columns):
        return [name(j) for j in columns]

    result = {"version": __version__, "target": "", "lambda": fit["lambda0"]}
    if fit["in_table"]:
        result["lambda_min"] = _finite(fit["lambda_min"])
        result["lambda_max"] = _finite(fit["lambda_max"])
    if fit["power"] > 0:
        result["power"] = fit["power"]
    if fit["ridge"] > 0:
        result["ridge"] = fit["ridge"]
    result["k"] = fit["k"]
    if len(fit["include"]):
        result["include"] = listed(fit["include"])
    for key in ("objective", "rss", "r_squared", "n"):
        result[key] = fit[key]
    result["p"] = p
    result["status"] = fit["status"]
    if fit["nodes"] is not None:
        for key in ("lower_bound", "gap", "nodes"):
            result[key] = fit[key]
    result["intercept"] = fit["intercept"]
    result["coefficients"] = dict(zip(listed(fit["support"]), fit["coefficients"].tolist()))
    result["support"] = listed(fit["support"])
    lasso = fit["lasso"]
    result["start"] = {
        "method": fit["start"],
        "lambda1": lasso["lambda1"] if lasso else None,
        "support": listed(fit["start_support"]),
    }
    if lasso:
        result["lasso"] = {key: lasso[key] for key in ("objective", "relative_gap", "converged")}
    result["moves"] = len(fit["moves"])
    result["trace"] = [
        {"column": name(column), "move": move, "gain": gain, "objective": objective}
        for move, column, gain, objective in fit["moves"]
    ]
    swap = fit["improving_swap"]
    result["improving_swap"] = swap and {
        "remove": name(swap[0]),
        "add": name(swap[1]),
        "gain": swap[2],
    }
    result["alternatives"] = _alternatives(fit, name)
    result["aliased"] = listed(fit["aliased"])
    result["constant"] = listed(fit["constant"])
    result["seconds"] = fit["seconds"]
    # For the way back into Python, where X has all its columns; the program finds them by name.
    if names is None:
        result["numbered"] = True
    else:
        result["columns"] = [str(one) for one in names]
    return result


def _alternatives(fit, name):
    if fit["alternatives"] is None:
        return None
    loss = fit["rss"] + fit["ridge_penalty"]
    return [
        {
            "column": name(member),
            "stand_in": name(stand_in),
            "loss" if fit["ridge"] > 0 else "rss": loss + increase,
            "increase": 0.0 if increase == 0 else _finite(increase / loss) if loss else None,
        }
        for member, stand_in, increase in fit["alternatives"]
    ]


def dumps(result):
    return json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def read(source):
    """The JSON object of a text, or of a file given by its path."""
    if isinstance(source, os.PathLike) or not str(source).lstrip().startswith("{"):
        with open(source, encoding="utf-8") as file:
            source = file.read()
    try:
        result = json.loads(source)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from None
    for key in ("intercept", "coefficients"):
        if key not in result:
            raise ValueError(f"not a model of lass0: {key!r} is missing")
    for key, value in [("intercept", result["intercept"]), *result["coefficients"].items()]:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{key!r} is {value!r}, not a number")
    return result


def take(estimator, result, columns):
    """Makes the estimator the fitted model of a JSON object."""
    raw = bool(result.get("one_hot") or result.get("imputed"))
    if raw and columns is not None:
        raise ValueError(
            "the model has text columns or missing values of its own (one_hot, imputed) and finds its columns by name in a data "
            "frame: leave out columns"
        )
    names = list(result["coefficients"])
    numbered = columns is None and result.get("numbered", False)
    if numbered:
        all_names = [f"x{j + 1}" for j in range(result["p"])]
    else:
        all_names = [
            str(one) for one in (result.get("columns", names) if columns is None else columns)
        ]
    missing = sorted(set(names) - set(all_names))
    if missing:
        raise ValueError(
            f"the model has columns that are not among those given: {', '.join(missing)}"
        )
    place = {one: j for j, one in enumerate(all_names)}
    support = np.array([place[one] for one in names], dtype=np.int64)
    order = np.argsort(support)
    values = np.array(list(result["coefficients"].values()), dtype=np.float64)
    estimator.n_features_in_ = len(all_names)
    if not numbered:
        estimator.feature_names_in_ = np.array(all_names, dtype=object)
    estimator._take_model(support[order], values[order], float(result["intercept"]), None)
    estimator.k_ = result.get("k", len(names))
    estimator.lambda0_ = result.get("lambda")
    estimator.objective_ = result.get("objective")
    estimator.rss_ = result.get("rss")
    estimator.status_ = result.get("status")
    estimator.table_ = None
    estimator.alternatives_ = None
    estimator._document = result
    # A model of the program knows its own columns only, and finds them in a data frame by name.
    estimator._by_name = columns is None and "columns" not in result and not numbered
    return estimator
