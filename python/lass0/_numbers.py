"""Columns as plain numbers, and messages about those that are not: texts, categories, dates, missing values.

Messages list the columns as the program does. Rows and unnamed columns (x0, x1, ...) count from 0, as everywhere in Python.
"""

from typing import Any, NamedTuple

import numpy as np

_LISTED = 5  # columns in a message

# What a column is, in a message, and what to do with it.
_KINDS = {
    "mixed": "numbers with other entries",
    "text": "text",
    "categorical": "categories",
    "date": "dates",
    "duration": "durations",
    "complex": "complex numbers",
    "nested": "lists or records",
    "object": "objects",
}
_WAYS_OUT = {
    "mixed": "replace them, for instance with pandas.to_numeric(column, errors='coerce'), which makes them NaN, and drop or impute "
    "these rows",
    "text": "encode them as numbers, for instance with sklearn.preprocessing.OneHotEncoder or pandas.get_dummies, or drop them",
    "categorical": "encode them, for instance with sklearn.preprocessing.OneHotEncoder or pandas.get_dummies, or, if the "
    "categories are meaningful numbers, convert them with astype(float)",
    "date": "convert them to numbers first, for instance days since a first date: (dates - dates.min()).dt.days",
    "duration": "convert them to numbers first, for instance with .dt.total_seconds()",
    "complex": "Complex data not supported: use the real and the imaginary parts as columns",
    "nested": "spread them over columns of numbers, or drop them",
    "object": "the argument must be a string or a number",
}


class NotNumbers(NamedTuple):
    """Why a column can't be used, with the first value of this kind."""

    kind: str
    row: int
    value: Any


def plural(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def column_name(names, j):
    return f"x{j}" if names is None else str(names[j])


def listed(items):
    more = f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
    return ", ".join(items[:_LISTED]) + more


def place(row, labels=None):
    """A row by its number and, if it differs, its label."""
    label = row if labels is None else labels[row]
    same = isinstance(label, (int, np.integer)) and label == row
    return f"row {row}" if same else f"row {row} (index {str(label)!r})"


def library(X):
    """The package that the type of X comes from."""
    return type(X).__module__.partition(".")[0]


def row_labels(X):
    """The index of a pandas object; else None."""
    return getattr(X, "index", None) if library(X) == "pandas" else None


def plain(array):
    """The array itself if the core can read it, else a float64 array."""
    dtype = array.dtype
    readable = (
        (dtype.kind == "f" and dtype.itemsize in (4, 8)) or dtype.kind in "iub"
    ) and dtype.isnative
    return array if readable else array.astype(np.float64)


def numbers_of(values):
    """A one-dimensional array of any type as numbers, or the reason why it is not. Missing objects become NaN."""
    kind = values.dtype.kind
    if kind in "fiub":
        return plain(values)
    if kind in "mM":
        return NotNumbers(
            "date" if kind == "M" else "duration", 0, values[0] if values.size else ""
        )
    if kind == "c":
        return NotNumbers("complex", 0, values[0] if values.size else "")
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return _one_by_one(values)


def _one_by_one(values):
    """Objects or texts, at least one of which is not a Python number."""
    result = np.empty(values.shape)
    for row, value in enumerate(values.tolist()):
        try:
            result[row] = np.nan if is_missing(value) else float(value)
        except ValueError:
            return NotNumbers("text" if _mostly_text(values) else "mixed", row, value)
        except TypeError:
            if type(value).__name__ in ("date", "datetime", "Timestamp", "Period", "time"):
                return NotNumbers("date", row, value)
            if type(value).__name__ in ("timedelta", "Timedelta"):
                return NotNumbers("duration", row, value)
            return NotNumbers("complex" if isinstance(value, complex) else "object", row, value)
        except OverflowError:
            result[row] = np.inf
    return result


def _mostly_text(values):
    """A column with less than half numbers is meant as text; otherwise single entries are wrong. The program has the same rule."""
    texts = [value for value in values.tolist() if isinstance(value, (str, bytes))]
    return 2 * sum(not _is_number(text) for text in texts) > values.size


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_missing(value):
    """None, the missing values of pandas and NumPy's masked arrays, or a NaN."""
    nothing = value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant")
    return nothing or (isinstance(value, float) and value != value)


def refuse_columns(bad, names, labels=None):
    """Raises ValueError for the columns {number: NotNumbers}, and lists those of the same kind as the first."""
    kind = next(iter(bad.values())).kind
    same = {j: why for j, why in bad.items() if why.kind == kind}
    examples = [
        f"{column_name(names, j)} ({str(why.value)!r} in {place(why.row, labels)})"
        for j, why in same.items()
    ]
    # scikit-learn requires a TypeError for objects that are not numbers, and these words.
    error = TypeError if kind == "object" else ValueError
    raise error(
        f"X has {plural(len(same), 'column')} of {_KINDS[kind]}: {listed(examples)}; {_WAYS_OUT[kind]}. Rows count from 0."
    )


def refuse_vector(why, what, labels, advice):
    """Raises ValueError for y or weights that are not numbers."""
    first = f"{str(why.value)!r} in {place(why.row, labels)}, rows counted from 0"
    advice = _WAYS_OUT[why.kind] if why.kind in ("mixed", "date", "duration") else advice
    raise ValueError(f"{what} has {_KINDS[why.kind]} where numbers are needed ({first}): {advice}")


class Gaps:
    """The values that are missing or infinite, by column."""

    def __init__(self, names, labels=None):
        self._names = names
        self._labels = labels
        self._missing = []
        self._infinite = []
        self._count = 0

    def look_at(self, j, values, mask=None):
        """Notes what is wrong with column j; `mask` has the entries of a masked array that are hidden."""
        hidden = np.zeros(values.shape, dtype=bool) if mask is None else mask
        bad = hidden if values.dtype.kind != "f" else hidden | ~np.isfinite(values)
        if bad.any():
            self.note(j, np.flatnonzero(bad), np.isinf(values[bad]) & ~hidden[bad])

    def note(self, j, rows, infinite):
        """Notes the rows of column j that have no number, and which of them are infinite."""
        name = column_name(self._names, j)
        gone = rows[~infinite]
        if gone.size:
            self._count += gone.size
            first = place(gone[0], self._labels)
            self._missing.append(f"{name} ({gone.size}, first in {first})")
        if infinite.any():
            first = place(rows[infinite][0], self._labels)
            self._infinite.append(f"{name} ({infinite.sum()}, first in {first})")

    def refuse(self, what="X"):
        """Raises ValueError if something was noted, worded like that of scikit-learn."""
        parts = []
        if self._missing:
            columns = plural(len(self._missing), "column")
            parts.append(
                f"{plural(self._count, 'missing value')} (NaN) in {columns}: {listed(self._missing)}"
            )
        if self._infinite:
            columns = plural(len(self._infinite), "column")
            parts.append(f"infinite values in {columns}: {listed(self._infinite)}")
        if parts:
            raise ValueError(
                f"Input {what} contains NaN or infinity: {'; '.join(parts)}. Rows count from 0. lass0 does not accept missing "
                "values: drop the rows, or impute them, for instance with sklearn.impute.SimpleImputer in a pipeline."
            )
