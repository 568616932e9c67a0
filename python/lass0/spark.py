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

_AT_ONCE = 16  # sums that a task merges

__all__ = ["moments"]


def moments(
    frame,
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
):
    """Sum up a Spark data frame: every partition on its own, then sixteen sums at a time, in a tree.

    If a worker is lost, Spark repeats its work. The sums equal those of one machine for any partitions. The executors need lass0 and
    pyarrow.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    target : str
    folds : int, optional
        Rows of a cluster have no stable number, so folds come from `fold_column` or `id_column`; without either only ``folds=1``
        works, for fits and paths.
    seed, fold_column, id_column, weights, levels, exclude, missing
        As in :func:`lass0.moments`.

    Returns
    -------
    Moments
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    if not hasattr(frame, "mapInArrow"):
        other = "its to_spark()" if hasattr(frame, "to_spark") else "lass0.moments for other tables"
        raise TypeError(f"a Spark data frame is needed, not {type(frame)}: use {other}")
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
    left_out = sums.left_out(frame.columns)
    frame = frame.drop(*left_out)  # they are not even read
    sums.check(to_arrow_schema(frame.schema).empty_table(), left_out)

    def sum_rows(batches):
        yield from _row(sums.of(batches))

    parts = frame.mapInArrow(sum_rows, _SCHEMA)
    try:
        # Asking the frame for its partitions would compute much of it twice: so the merges go on from these.
        contents = parts.rdd.map(lambda row: bytes(row[0]))
    except (AttributeError, NotImplementedError):  # Spark Connect
        return PartitionSums.result(_merged_in_levels(sums, parts))
    return PartitionSums.result(_merged_in_tree(sums, contents))


_SCHEMA = "moments binary"


def _merged_in_tree(sums, contents):
    """The sums of all partitions; None of none. A task gets at most sixteen of them, however many partitions there are."""

    def numbered(partition, some):
        return ((partition // _AT_ONCE, one) for one in some)

    def merge(some):
        content = sums.merge(one for _, one in some)
        return [] if content is None else [content]

    tasks = contents.getNumPartitions()
    while tasks > 1:
        tasks = -(-tasks // _AT_ONCE)
        groups = contents.mapPartitionsWithIndex(numbered).partitionBy(tasks, int)
        contents = groups.mapPartitions(merge)
    return next(iter(contents.collect()), None)


def _merged_in_levels(sums, parts):
    """Where the number of partitions is not known. Spark spreads the sums at random and hands a task all of its own at once, in one
    Arrow batch of at most 2 GB: so a task gets about four, or more if there are more than 1024 partitions."""

    def merge_rows(batches):
        yield from _row(sums.merge(one.as_py() for batch in batches for one in batch.column(0)))

    for tasks in (256, 64, 16, 4, 1):
        parts = parts.repartition(tasks).mapInArrow(merge_rows, _SCHEMA)
    rows = parts.collect()
    return bytes(rows[0][0]) if rows else None


def _row(content):
    """The only row of a partition; none if that has no sums."""
    import pyarrow

    if content is not None:
        yield pyarrow.record_batch([pyarrow.array([content], pyarrow.binary())], ["moments"])
