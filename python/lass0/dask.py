"""Moments of Dask data frames and arrays, summed by the workers where the partitions are.

>>> import lass0.dask
>>> sums = lass0.dask.moments(frame, "y", id_column="customer")  # doctest: +SKIP
>>> lass0.Lass0CV().fit(sums)  # doctest: +SKIP
"""

import math

import numpy as np

from ._engines import PartitionSums
from ._moments import moments_of_arrays

try:
    import dask
except ImportError as error:
    raise ImportError("lass0.dask needs Dask: pip install 'lass0[dask]'") from error

_AT_ONCE = 8  # sums that a task merges

__all__ = ["moments"]


def moments(
    source,
    target,
    *,
    folds=10,
    seed=1,
    fold_column=None,
    id_column=None,
    weights=None,
    levels=None,
    exclude=None,
    missing="error",
    compute=True,
):
    """Sum up a Dask data frame or array: every partition on its own, then pairs of sums in a tree.

    Dask repeats what a lost worker had done. The sums are those of one machine, whatever the partitions are.

    Parameters
    ----------
    source : dask.dataframe.DataFrame, or dask.array.Array of shape (n_samples, n_features)
    target : str, or with an array dask.array.Array of shape (n_samples,)
    folds : int, default=10
        Rows of a data frame have no stable number, so folds come from `fold_column` or `id_column`; without either only ``folds=1``
        works, for fits and paths. Arrays have the random folds of :func:`lass0.moments`.
    seed, fold_column, id_column, weights, levels, exclude, missing
        As in :func:`lass0.moments`.
    compute : bool, default=True
        False returns a lazy object, whose ``compute()`` gives the moments.

    Returns
    -------
    Moments
    """
    if hasattr(source, "chunks"):
        given = {
            "fold_column": fold_column,
            "id_column": id_column,
            "weights": weights,
            "levels": levels,
            "exclude": exclude,
        }
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"{name} needs a data frame, not an array")
        parts = _of_chunks(source, target, folds, seed)
    elif hasattr(source, "to_delayed") and hasattr(source, "columns"):
        sums = PartitionSums(
            target,
            folds=folds,
            seed=seed,
            fold_column=fold_column,
            id_column=id_column,
            weights=weights,
            levels=levels,
            exclude=exclude,
            missing=missing,
        )
        sums.check(source._meta)
        of_frame = dask.delayed(_of_frame)
        parts = [of_frame(sums, part) for part in source.to_delayed()]
    else:
        raise TypeError(f"a Dask data frame or array is needed, not {type(source)}")
    merge = dask.delayed(PartitionSums.merged)
    while len(parts) > 1:
        parts = [merge(parts[i : i + _AT_ONCE]) for i in range(0, len(parts), _AT_ONCE)]
    result = dask.delayed(PartitionSums.result)(parts[0])
    return result.compute() if compute else result


def _of_frame(sums, frame):
    return sums.of([frame])


def _of_chunks(X, y, folds, seed):
    if not hasattr(y, "chunks") or X.ndim != 2 or y.ndim != 1:
        raise ValueError("with an array, target must be a Dask array with one value per row of X")
    if any(math.isnan(size) for size in (*X.shape, *y.shape)):
        raise ValueError(
            "the chunks of the arrays have unknown sizes, but the number of a row decides on its fold: call compute_chunk_sizes() on "
            "X and on the target first"
        )
    if X.shape[0] != y.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows, but the target has {y.shape[0]} values")
    X = X.rechunk({1: -1})
    y = y.rechunk((X.chunks[0],))
    first = 1 + np.concatenate([[0], np.cumsum(X.chunks[0])])
    of_arrays = dask.delayed(_of_arrays)
    return [
        of_arrays(rows, values, folds, seed, int(start))
        for rows, values, start in zip(X.to_delayed().ravel(), y.to_delayed(), first)
    ]


def _of_arrays(X, y, folds, seed, first_row):
    return moments_of_arrays(np.asanyarray(X), np.asanyarray(y), folds, seed, first_row, 1).to_bytes()
