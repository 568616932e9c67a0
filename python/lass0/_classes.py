"""Targets of two classes: any two labels, which the core sees as 0 and 1."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import column_or_1d

from ._numbers import is_missing, place, row_labels

# scikit-learn looks for the first sentence.
_MORE = (
    "Only binary classification is supported. The type of the target is {kind}: y has {count} classes; wrap the estimator in "
    "sklearn.multiclass.OneVsRestClassifier"
)


def _check_missing(y, labels):
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        missing = int(np.flatnonzero(np.ma.getmaskarray(y).ravel())[0])
    else:
        values = np.asarray(y).ravel()
        if values.dtype.kind == "f":
            missing = next(iter(np.flatnonzero(~np.isfinite(values))), None)
        elif values.dtype.kind == "O":
            missing = next((i for i, one in enumerate(values.tolist()) if is_missing(one)), None)
        else:
            missing = None
    if missing is not None:
        raise ValueError(
            f"Input y contains NaN or infinity: no class in {place(missing, labels)}, rows counted from 0; drop such rows"
        )


def as_classes(y):
    """0 and 1 for the rows, and the two labels that they stand for, sorted. ValueError unless there are exactly two."""
    _check_missing(y, row_labels(y))
    y = column_or_1d(np.asarray(y), warn=True)
    if y.dtype.kind == "O" and len({type(one) for one in y.tolist()}) > 1:
        kinds = sorted({type(one).__name__ for one in y.tolist()})
        raise ValueError(
            f"y has labels of several types ({', '.join(kinds)}): Unknown label type; use one type"
        )
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size > 2:
        kind = type_of_target(y, input_name="y")
        raise ValueError(_MORE.format(kind=kind, count=classes.size))
    if classes.size < 2:
        raise ValueError(
            f"y has one class only, {label_text(classes[0])}: a classifier needs rows of two classes"
        )
    return np.ascontiguousarray(codes.ravel(), dtype=np.float64), classes


def label_text(label):
    """A label as a text: as the program names the classes of a file with these values."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def labels_for_json(classes):
    """The labels, if JSON can keep them as they are; else None. (The list of classes has them as texts.)"""
    labels = [one.item() if isinstance(one, np.generic) else one for one in classes]
    return labels if all(isinstance(one, (bool, int, float, str)) for one in labels) else None


def labels_from_json(document):
    """The labels of a model: those that Python wrote, the classes of the program, or 0 and 1."""
    labels = document.get("labels", document.get("classes", [0, 1]))
    if not isinstance(labels, list) or len(labels) != 2 or labels[0] == labels[1]:
        raise ValueError(f"the classes are {labels!r}, not a list of two classes")
    if "labels" not in document:
        labels = _as_numbers(labels) or labels
    return np.array(labels)


def _as_numbers(texts):
    """The numbers that all texts are; None if one is another text. The program reads a target of numbers as numbers."""
    for kind in (int, float):
        try:
            numbers = [kind(one) for one in texts]
        except (TypeError, ValueError):
            continue
        if np.isfinite(numbers).all() and not any("_" in str(one) for one in texts):
            return numbers
    return None
