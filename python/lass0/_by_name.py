"""Data frames read like tables in ``lass0 predict``: columns are found by name, and others ignored. Texts get the levels, and missing
values the means, of the model."""

import numpy as np

from ._frames import column_labels


def predictors_by_name(X, names, document):
    """The columns `names` of a model of the program, from a data frame; None for an array, which has them in order."""
    levels = document.get("one_hot", {})
    means = document.get("imputed", {})
    coded = {f"{text}={level}": text for text, known in levels.items() for level in known}
    wanted = [coded.get(one, one) for one in names]
    labels = column_labels(X)
    there = None if labels is None else [str(one) for one in labels]
    if there is None and not levels and not means:
        return None
    if there is None:
        raise ValueError(
            "the model encodes text columns or replaces missing values (one_hot, imputed): predict from a data frame with the "
            f"columns {', '.join(dict.fromkeys(wanted))}"
        )
    missing = [one for one in dict.fromkeys(wanted) if one not in there]
    if missing:
        raise ValueError(f"X lacks columns of the model: {', '.join(missing)}")
    texts = {
        one: _texts(X[one], one, levels[one])
        for one in dict.fromkeys(coded.values())
        if one in wanted
    }
    result = np.empty((X.shape[0], len(names)), order="F")
    for j, (name, source) in enumerate(zip(names, wanted)):
        if name in coded:
            result[:, j] = texts[source] == name[len(source) + 1 :]
        else:
            result[:, j] = _numbers(X[source], source, means.get(source))
    return result


def _texts(column, name, known):
    values = np.array([str(one) for one in np.asarray(column, dtype=object)], dtype=object)
    for row, value in enumerate(values):
        if value not in known:
            raise ValueError(
                f"column {name!r} has {value!r} in row {row}, which is not among the levels of the fit: {', '.join(known)}"
            )
    return values


def _numbers(column, name, mean):
    try:
        if hasattr(column, "isna"):  # pandas, which has several kinds of missing values
            values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            values = np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"column {name!r} of X is not numeric") from None
    if np.isinf(values).any():
        raise ValueError(f"column {name!r} of X has infinite values")
    absent = np.isnan(values)
    if not absent.any():
        return values
    if mean is None:
        raise ValueError(
            f"column {name!r} of X has missing values (NaN), but the model has no mean for it: drop these rows or impute them"
        )
    return np.where(absent, mean, values)
