"""Spark sums up what one machine sums up, whatever the partitions are, and when workers are killed.

In local mode the executor is a thread of the driver, but Python workers are processes of their own. With local[2,3] a task may
fail twice.
"""

import os
import signal
import tempfile

import pytest
from conftest import ASKED, same
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

import lass0
import lass0.spark
from lass0._engines import PartitionSums


@pytest.fixture(scope="module")
def spark():
    session = (
        SparkSession.builder.master("local[2,3]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def data(spark, frame):
    return spark.createDataFrame(frame).cache()


def one_machine(frame, asked):
    if asked.get("folds") == 1:  # an engine has no numbers of rows, so its one fold has a label
        asked = {name: value for name, value in asked.items() if name != "folds"}
        return lass0.moments(frame.assign(all="none"), "y", fold_column="all", **asked)
    return lass0.moments(frame, "y", **asked)


@pytest.mark.parametrize("asked", ASKED)
def test_sums_are_those_of_one_machine(data, frame, asked):
    same(lass0.spark.moments(data, "y", **ASKED[asked]), one_machine(frame, ASKED[asked]))


@pytest.mark.parametrize("partitions", [1, 3, 40])
def test_whatever_the_partitions_are(data, frame, partitions):
    cut = data.repartition(partitions, "site") if partitions == 40 else data.repartition(partitions)
    # By site, most of 40 partitions are empty.
    same(lass0.spark.moments(cut, "y", **ASKED["an ID"]), one_machine(frame, ASKED["an ID"]))


def test_a_killed_worker_changes_nothing(data, frame, tmp_path):
    def dies_at_first(batches):
        context = TaskContext.get()
        for batch in batches:
            yield batch
            # After rows of it have been summed.
            if context.partitionId() % 2 == 0 and context.attemptNumber() == 0:
                (tmp_path / f"{context.partitionId()} {os.getpid()}").touch()
                os.kill(os.getpid(), signal.SIGKILL)

    flaky = data.repartition(4).mapInArrow(dies_at_first, data.schema)
    found = lass0.spark.moments(flaky, "y", **ASKED["an ID"])
    killed = [one.name.split()[0] for one in tmp_path.iterdir()]
    assert sorted(killed) == ["0", "2"]  # each once
    same(found, one_machine(frame, ASKED["an ID"]))


def counting(folder):
    """PartitionSums that leave a file per merge, whose name begins with the number of sums."""
    merge = PartitionSums.merge

    def merge_and_count(self, contents):
        contents = list(contents)
        handle, _ = tempfile.mkstemp(prefix=f"{len(contents)} ", dir=folder)
        os.close(handle)
        return merge(self, contents)

    class Counting(PartitionSums):  # shipped to the workers by its value
        merge = merge_and_count

    return Counting


def test_a_task_merges_at_most_sixteen_sums(data, frame, tmp_path, monkeypatch):
    monkeypatch.setattr(lass0.spark, "PartitionSums", counting(tmp_path))
    cut = data.repartition(300)
    same(lass0.spark.moments(cut, "y", **ASKED["an ID"]), one_machine(frame, ASKED["an ID"]))
    merged = sorted(int(one.name.split()[0]) for one in tmp_path.iterdir())
    assert merged == sorted([16] * 18 + [12] + [16, 3] + [2])  # 300 -> 19 -> 2 -> 1


def test_without_rdds_few_sums_are_merged_at_a_time(data, frame, tmp_path):
    asked = ASKED["an ID"]
    sums = counting(tmp_path)("y", **asked, **dict.fromkeys(["fold_column"]))
    parts = data.repartition(60).mapInArrow(
        lambda batches: lass0.spark._row(sums.of(batches)), lass0.spark._SCHEMA
    )
    found = PartitionSums.result(lass0.spark._merged_in_levels(sums, parts))
    same(found, one_machine(frame, asked))
    merged = [int(one.name.split()[0]) for one in tmp_path.iterdir()]
    assert max(merged) <= 12 and sum(count > 1 for count in merged) > 10


def test_excluded_columns_may_have_any_type(data, frame):
    asked = {"fold_column": "site", "exclude": ["customer", "colour", "w"]}
    odd = data.withColumn("when", expr("make_interval(1)"))  # Arrow can't hold it
    odd_asked = asked | {"exclude": [*asked["exclude"], "when"]}
    same(lass0.spark.moments(odd, "y", **odd_asked), one_machine(frame, asked))
    with pytest.raises(ValueError, match="no column 'q', which is to be excluded"):
        lass0.spark.moments(data, "y", folds=1, exclude=["customer", "q"])


def test_messages(data, frame):
    with pytest.raises(ValueError, match="rows of a cluster have no stable number.*folds=1"):
        lass0.spark.moments(data.drop("customer", "site", "colour"), "y")
    with pytest.raises(ValueError, match="the data have no column 'z', which is the target"):
        lass0.spark.moments(data, "z", folds=1)
    with pytest.raises(ValueError, match="column 'customer' has texts"):
        lass0.spark.moments(data, "y", folds=1)
    with pytest.raises(TypeError, match="a Spark data frame is needed, .*: use lass0.moments"):
        lass0.spark.moments(frame, "y")
    with pytest.raises(TypeError, match="use lass0.spark.moments"):
        lass0.moments(data, "y")
    with pytest.raises(ValueError, match="no rows of positive weight"):
        lass0.spark.moments(data.where("c3 > 1e9"), "y", folds=1, exclude=["customer", "site", "colour"])  # fmt: skip
