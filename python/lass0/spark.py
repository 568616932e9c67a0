"""Moments of Spark data frames, summed by the executors where the partitions are.

>>> import lass0.spark
>>> sums = lass0.spark.moments(frame, "y", id_column="customer")  # doctest: +SKIP
>>> lass0.Lass0CV().fit(sums)  # doctest: +SKIP
"""

from ._engines import PartitionSums

try:
    import pyspark  # noqa: F401
except ImportError as error:
    raise ImportError("lass0.spark needs Spark: pip install 'lass0[spark]'") from error

_MERGING = 16  # tasks that merge the sums of all partitions, before one merges theirs

__all__ = ["moments"]


def moments(
    frame,
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
):
    """Sum up a Spark data frame: every partition on its own, then their sums in a tree.

    Spark repeats tasks that fail. The sums are those of one machine, whatever the partitions are. The executors need lass0 and pyarrow.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    target : str
    folds : int, default=10
        Rows of a cluster have no stable number, so folds come from `fold_column` or `id_column`; without either only ``folds=1``
        works, for fits and paths.
    seed, fold_column, id_column, weights, levels, exclude, missing
        As in :func:`lass0.moments`.

    Returns
    -------
    Moments
    """
    from pyspark.sql.pandas.types import to_arrow_schema

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
    sums.check(to_arrow_schema(frame.schema).empty_table())

    def sum_rows(batches):
        yield from _row(sums.of(batches))

    def merge_rows(batches):
        contents = (one.as_py() for batch in batches for one in batch.column(0))
        yield from _row(PartitionSums.merged(contents))

    parts = frame.mapInArrow(sum_rows, "moments binary")
    for tasks in (_MERGING, 1):
        parts = parts.repartition(tasks).mapInArrow(merge_rows, "moments binary")
    rows = parts.collect()
    return PartitionSums.result(bytes(rows[0][0]) if rows else None)


def _row(content):
    """The only row of a partition; none if that has no sums."""
    import pyarrow

    if content is not None:
        yield pyarrow.record_batch([pyarrow.array([content], pyarrow.binary())], ["moments"])
