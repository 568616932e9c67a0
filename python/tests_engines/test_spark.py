"""Spark sums up what one machine sums up, whatever the partitions are, and when tasks fail.

In local mode Spark is one process, which can't lose a worker. What it would do then, run the task again, it does for a task that
fails: with local[2,3] a task may fail twice.
"""

import pytest
from conftest import ASKED, same
from pyspark import TaskContext
from pyspark.sql import SparkSession

import lass0
import lass0.spark


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


def test_a_task_that_fails_changes_nothing(data, frame, tmp_path):
    def fails_at_first(batches):
        context = TaskContext.get()
        for batch in batches:
            yield batch
            # After rows of it have been summed.
            if context.partitionId() % 2 == 0 and context.attemptNumber() == 0:
                (tmp_path / str(context.partitionId())).touch()
                raise OSError("the worker is lost")

    flaky = data.repartition(4).mapInArrow(fails_at_first, data.schema)
    found = lass0.spark.moments(flaky, "y", **ASKED["an ID"])
    assert {one.name for one in tmp_path.iterdir()} == {"0", "2"}
    same(found, one_machine(frame, ASKED["an ID"]))


def test_messages(data):
    with pytest.raises(ValueError, match="these rows have no number .*folds=1"):
        lass0.spark.moments(data.drop("customer", "site", "colour"), "y")
    with pytest.raises(ValueError, match="the data have no column 'z', which is the target"):
        lass0.spark.moments(data, "z", folds=1)
    with pytest.raises(ValueError, match="column 'customer' has texts"):
        lass0.spark.moments(data, "y", folds=1)
    with pytest.raises(ValueError, match="no rows of positive weight"):
        lass0.spark.moments(data.where("c3 > 1e9"), "y", folds=1, exclude=["customer", "site", "colour"])  # fmt: skip
