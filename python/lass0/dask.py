"""Moments of Dask data frames and arrays, summed by the workers where the partitions are.

>>> import lass0.dask
>>> sums = lass0.dask.moments(frame, "y", id_column="customer")  # doctest: +SKIP
>>> lass0.Lass0CV().fit(sums)  # doctest: +SKIP
"""

import math

import numpy as np

from ._engines import PartitionSums
from ._moments import merged
from ._summing import array_options, moments_of_arrays, refuse_names

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
    folds=None,
    seed=None,
    fold_column=None,
    id_column=None,
    weights=None,
    levels=None,
    exclude=None,
    missing="error",
    compute=True,
):
    """Sum up a Dask data frame or array: every partition on its own, then eight sums at a time, in a tree.

    If a worker is lost, Dask repeats its work. The sums equal those of one machine for any partitions.

    Parameters
    ----------
    source : dask.dataframe.DataFrame, or dask.array.Array of shape (n_samples, n_features)
    target : str, or with an array dask.array.Array of shape (n_samples,)
    folds : int, optional
        Rows of a data frame have no stable number, so folds come from `fold_column` or `id_column`; without either only ``folds=1``
        works, for fits and paths. Arrays have the random folds of :func:`lass0.moments`.
    seed, fold_column, id_column, weights, levels, exclude, missing
        As in :func:`lass0.moments`. With arrays, `weights` is a dask.array.Array of shape (n_samples,).
    compute : bool, default=True
        False returns a lazy object, whose ``compute()`` gives the moments.

    Returns
    -------
    Moments
    """
    if hasattr(source, "to_delayed") and hasattr(source, "chunks"):
        refuse_names(
            missing, fold_column=fold_column, id_column=id_column, levels=levels, exclude=exclude
        )
        parts = _of_chunks(source, target, weights, array_options(folds, seed, threads=1))
        merge = dask.delayed(_merged)
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
        left_out = sums.left_out(source.columns)
        if left_out:  # they are not even read
            source = source[[one for one in source.columns if one not in left_out]]
        sums.check(source._meta, left_out)
        of_frame = dask.delayed(_of_frame)
        parts = [of_frame(sums, part) for part in source.to_delayed()]
        merge = dask.delayed(sums.merge)
    else:
        raise TypeError(
            f"a Dask data frame or array is needed, not {type(source)}: use lass0.moments for other tables"
        )
    while len(parts) > 1:
        parts = [merge(parts[i : i + _AT_ONCE]) for i in range(0, len(parts), _AT_ONCE)]
    result = dask.delayed(PartitionSums.result)(parts[0])
    return result.compute() if compute else result


def _merged(contents):
    return merged(contents).to_bytes()


def _of_frame(sums, frame):
    return sums.of([frame])


def _of_chunks(X, y, weights, options):
    vectors = {"target": y} if weights is None else {"target": y, "weights": weights}
    for name, vector in vectors.items():
        if hasattr(vector, "to_dask_array"):
            argument = "y" if name == "target" else name
            raise ValueError(
                f"with an array, {name} must be a Dask array, not {type(vector)}: give {argument}.to_dask_array(lengths=True)"
            )
        if not hasattr(vector, "chunks") or X.ndim != 2 or vector.ndim != 1:
            raise ValueError(
                f"with an array, {name} must be a Dask array with one value per row of X"
            )
    if any(math.isnan(size) for one in (X, *vectors.values()) for size in one.shape):
        raise ValueError(
            "the chunks of the arrays have unknown sizes, but the number of a row decides on its fold: call compute_chunk_sizes() on "
            f"X and on the {' and '.join(vectors)} first"
        )
    for name, vector in vectors.items():
        if X.shape[0] != vector.shape[0]:
            raise ValueError(
                f"X has {X.shape[0]} rows, but the {name} has {vector.shape[0]} values"
            )
    if (
        X.numblocks[1] > 1
    ):  # chunks of all columns, but of fewer rows: not larger than Dask's usual ones
        X = X.rechunk({0: "auto", 1: -1})
    rows = X.to_delayed().ravel()
    y, weights = (
        [None] * len(rows) if one is None else one.rechunk((X.chunks[0],)).to_delayed()
        for one in (y, weights)
    )
    of_arrays = dask.delayed(_of_arrays)
    firsts = _first_rows(X.chunks[0], weights)
    return [of_arrays(*parts, options) for parts in zip(rows, y, weights, firsts)]


def _first_rows(sizes, weights):
    """The number of the first row of every chunk. Rows of weight 0 are not counted, so with weights only Dask finds the numbers."""
    firsts = [1]
    for size, some in zip(sizes[:-1], weights):
        firsts.append(
            firsts[-1] + int(size) if some is None else dask.delayed(_next_row)(firsts[-1], some)
        )
    return firsts


def _next_row(first, weights):
    return first + int(np.count_nonzero(np.asanyarray(weights)))


def _of_arrays(X, y, weights, first_row, options):
    weights = None if weights is None else np.asanyarray(weights)
    options = options | {"first_row": first_row}
    try:
        sums = moments_of_arrays(np.asanyarray(X), np.asanyarray(y), weights, options)
    except ValueError as error:
        counted = "row" if weights is None else "row of positive weight"
        raise ValueError(
            f"{error} (rows of the chunk that begins with {counted} {first_row - 1})"
        ) from None
    return sums.to_bytes()
