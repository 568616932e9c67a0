"""Models in the JSON of the program ``lass0``; the library writes it for both."""

import json
import math
import os

import numpy as np


def document(text, names, p):
    """The JSON object of a fit by the core, for an X of `p` columns in all, plus what Python needs."""
    result = json.loads(text)
    # For the way back into Python, where X has all its columns; the program finds them by name. Columns without names are x1, x2,
    # ... in files, which is what the program calls the columns of a file without names; in Python they are x0, x1, ...
    if names is None:
        result["numbered"] = p
    else:
        result["columns"] = [str(one) for one in names]
    return result


def dumps(result):
    return json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def read(source):
    """The JSON object of a text, or of a file given by its path."""
    if isinstance(source, (bytes, bytearray)):
        source = source.decode()
    if isinstance(source, os.PathLike) or not str(source).lstrip().startswith(("{", "[")):
        with open(source, encoding="utf-8") as file:
            source = file.read()
    try:
        result = json.loads(source)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from None
    if isinstance(result, dict) and "curve" in result and "model" in result:
        raise ValueError(
            "this is the output of lass0 cv, not a model: use the file that its option --model writes"
        )
    _check(result)
    return result


def _check(result):
    if not isinstance(result, dict):
        raise ValueError("not a model of lass0: the JSON is not an object {...}")
    for key in ("intercept", "coefficients"):
        if key not in result:
            raise ValueError(f"not a model of lass0: {key!r} is missing")
    for key in ("coefficients", "one_hot", "imputed"):
        if not isinstance(result.get(key, {}), dict):
            raise ValueError(f"not a model of lass0: {key!r} is not an object {{...}}")
    numbers = {**result["coefficients"], **result.get("imputed", {})}
    numbers["intercept"] = result["intercept"]
    numbers |= {key: result[key] for key in ("lambda", "ridge", "k") if result.get(key) is not None}
    for key, value in numbers.items():
        _check_number(key, value)
    for key, levels in result.get("one_hot", {}).items():
        if not isinstance(levels, list) or not all(isinstance(one, str) for one in levels):
            raise ValueError(f"the levels of {key!r} are {levels!r}, not a list of texts")
    classes = result.get("classes", ["0", "1"])
    if not isinstance(classes, list) or not all(isinstance(one, str) for one in classes):
        raise ValueError(f"the classes are {classes!r}, not a list of texts")
    numbered = result.get("numbered", False)
    if not isinstance(numbered, int) or numbered < 0:
        raise ValueError(f"'numbered' is {numbered!r}, not the number of columns")
    if not isinstance(result.get("columns", []), list):
        raise ValueError("'columns' is not a list of names")


def _check_number(key, value):
    try:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        number = number and math.isfinite(value)
    except OverflowError:  # an integer beyond all doubles
        number = False
    if not number:
        raise ValueError(f"{key!r} is {str(value)[:40]}, not a finite number")


def _check_family(estimator, result):
    family = result.get("family", "gaussian")
    if family == estimator._family:
        return
    readers = {"gaussian": "Lass0", "binomial": "Lass0Classifier"}
    if family not in readers:
        raise ValueError(f"the family {str(family)[:40]!r} is not one that this version knows")
    raise ValueError(
        f"this is a model of the family {family}: read it by {readers[family]}.from_json"
    )


def take(estimator, result, columns):
    """Makes the estimator the fitted model of a JSON object."""
    _check_family(estimator, result)
    raw = bool(result.get("one_hot") or result.get("imputed"))
    if raw and columns is not None:
        raise ValueError(
            "the model encodes text columns or replaces missing values (one_hot, imputed) and finds its columns by name in a data "
            "frame: do not give columns"
        )
    names = list(result["coefficients"])
    numbered = columns is None and result.get("numbered", False)
    if numbered:
        # Version 0.1 wrote true, and in p the number of all columns.
        p = int(result.get("p", 0)) if numbered is True else numbered
        all_names = [f"x{j + 1}" for j in range(p)]
    else:
        all_names = [
            str(one) for one in (result.get("columns", names) if columns is None else columns)
        ]
    if len(set(all_names)) < len(all_names):
        raise ValueError("the list of columns has the same name twice")
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
    estimator._take_loss_of_file(result)
    estimator.status_ = result.get("status")
    estimator.table_ = None
    estimator.alternatives_ = None
    estimator.near_optimal_ = None
    estimator._document = result
    # A model of the program has only its own columns, and finds them in a data frame by name.
    estimator._by_name = columns is None and "columns" not in result and not numbered
    return estimator
