"""Data frames of pandas, polars and pyarrow as one array per column, not copied if the library allows it."""

import numpy as np

from ._numbers import NotNumbers, library, numbers_of, plain, refuse_columns, row_labels


def column_labels(X):
    """The column labels of a data frame, texts or not; None for anything else."""
    if library(X) == "polars" and hasattr(X, "collect"):
        raise TypeError("X is a lazy frame of polars: call collect() on it first")
    if library(X) == "pyarrow":  # whose `columns` are the values
        return list(X.schema.names) if hasattr(X, "schema") else None
    return list(X.columns) if hasattr(X, "columns") else None


def column_names(X):
    """The names of a data frame's columns; None for anything else, and if they are not texts: scikit-learn ignores others."""
    labels = column_labels(X)
    return labels if labels and all(isinstance(one, str) for one in labels) else None


def frame_columns(X):
    """The columns of a data frame as arrays of numbers. None for anything else, and for a frame of pandas that is one block of
    numbers: scikit-learn makes a view of that. ValueError lists columns that are not numbers."""
    read = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_pyarrow}.get(library(X))
    columns = None if read is None else read(X)
    if columns is None:
        return None
    bad = {j: one for j, one in enumerate(columns) if isinstance(one, NotNumbers)}
    if bad:
        refuse_columns(bad, column_names(X), row_labels(X))
    return columns


def _first(values):
    return values[0] if len(values) else ""


def _of_pandas(X):
    if getattr(X, "ndim", 0) != 2 or not hasattr(X, "dtypes"):
        return None
    types = set(X.dtypes)
    if len(types) == 1 and _is_plain(next(iter(types))):
        return None
    return [_pandas_column(X.iloc[:, j]) for j in range(X.shape[1])]


def _is_plain(dtype):
    return isinstance(dtype, np.dtype) and dtype.kind in "fiub"


def _pandas_column(column):
    from pandas.api import types

    dtype = column.dtype
    if _is_plain(dtype):
        return plain(column.to_numpy())
    if isinstance(dtype, np.dtype):
        return numbers_of(column.to_numpy())
    if dtype.name == "category":
        return NotNumbers("categorical", 0, _first(column.tolist()))
    if types.is_numeric_dtype(dtype) or types.is_bool_dtype(dtype):
        if hasattr(dtype, "fill_value"):  # sparse, whose to_numpy has no na_value
            return plain(np.asarray(column))
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers_of(column.to_numpy(dtype=object))


def _of_polars(X):
    if not hasattr(X, "get_columns"):
        return None
    return [_polars_column(column) for column in X.get_columns()]


def _polars_column(column):
    kind = str(column.dtype)
    if kind.startswith(("Categorical", "Enum")):
        return NotNumbers("categorical", 0, _first(column))
    if kind.startswith(("List", "Array", "Struct")):
        return NotNumbers("nested", 0, _first(column))
    if kind.startswith(("Date", "Time")):
        return NotNumbers("date", 0, _first(column))
    return numbers_of(column.to_numpy())


def _of_pyarrow(X):
    if not hasattr(X, "num_columns"):
        return None
    return [_arrow_column(X.column(j)) for j in range(X.num_columns)]


def _arrow_column(column):
    import pyarrow

    if hasattr(column, "num_chunks"):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if pyarrow.types.is_dictionary(column.type):
        return NotNumbers("categorical", 0, _first(column.to_pylist()))
    if pyarrow.types.is_nested(column.type):
        return NotNumbers("nested", 0, _first(column.to_pylist()))
    return numbers_of(column.to_numpy(zero_copy_only=False))
