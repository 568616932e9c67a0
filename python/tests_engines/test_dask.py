"""Dask sums up what one machine sums up, whatever the partitions are, and when a worker is killed."""

import os
import signal
import threading
import time

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from conftest import ASKED, same
from distributed import Client, LocalCluster

import lass0
import lass0.dask


def two_workers():
    """Processes that listen on the loopback interface."""
    return LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
    )


@pytest.fixture(scope="module")
def cluster():
    with two_workers() as cluster, Client(cluster):
        yield cluster


def one_machine(frame, asked):
    if asked.get("folds") == 1:  # an engine has no numbers of rows, so its one fold has a label
        asked = {name: value for name, value in asked.items() if name != "folds"}
        return lass0.moments(frame.assign(all="none"), "y", fold_column="all", **asked)
    return lass0.moments(frame, "y", **asked)


def cut(frame, partitions):
    """A frame of dask with partitions of very different sizes, some of them empty."""
    rng = np.random.default_rng(partitions)
    ends = np.sort(rng.integers(0, len(frame), partitions - 1))
    ends = np.r_[0, ends, ends[-1:], len(frame)] if partitions > 1 else np.r_[0, len(frame)]
    parts = [dask.delayed(frame[a:b]) for a, b in zip(ends[:-1], ends[1:])]
    return dd.from_delayed(parts, meta=frame[:0])


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("partitions", [1, 2, 9, 40])
def test_sums_are_those_of_one_machine(cluster, frame, asked, partitions):
    found = lass0.dask.moments(cut(frame, partitions), "y", **ASKED[asked])
    same(found, one_machine(frame, ASKED[asked]))


def test_the_order_of_rows_does_not_matter(cluster, frame):
    shuffled = frame.sample(frac=1, random_state=1)
    found = lass0.dask.moments(dd.from_pandas(shuffled, npartitions=6), "y", **ASKED["an ID"])
    same(found, one_machine(frame, ASKED["an ID"]))


def test_models_are_those_of_one_machine(cluster, frame):
    found = lass0.dask.moments(dd.from_pandas(frame, npartitions=5), "y", **ASKED["an ID"])
    expected = one_machine(frame, ASKED["an ID"])
    ours, theirs = lass0.Lass0CV().fit(found), lass0.Lass0CV().fit(expected)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(
        ours.cv_results_["mean_error"], theirs.cv_results_["mean_error"], rtol=1e-9
    )


def test_nothing_is_computed_before_it_is_asked_for(cluster, frame):
    lazy = lass0.dask.moments(
        dd.from_pandas(frame, npartitions=3), "y", compute=False, **ASKED["a fold column"]
    )
    assert hasattr(lazy, "dask")
    same(lazy.compute(), one_machine(frame, ASKED["a fold column"]))


def test_arrays_have_the_folds_of_their_rows(cluster, frame):
    X, y = frame[[f"c{j}" for j in range(8)]].to_numpy(), frame["y"].to_numpy()
    expected = lass0.moments(X, y)
    for chunks in ((1000, 8), (700, 3), (6000, 8)):
        lazy = da.from_array(y, chunks=333)
        same(lass0.dask.moments(da.from_array(X, chunks=chunks), lazy), expected)
    unknown = da.from_array(X, chunks=(1000, 8))
    unknown = unknown[unknown[:, 3] > 0]
    with pytest.raises(ValueError, match="call compute_chunk_sizes"):
        lass0.dask.moments(unknown, lazy)
    with pytest.raises(ValueError, match="X has 6000 rows, but the target has 5999"):
        lass0.dask.moments(da.from_array(X, chunks=chunks), lazy[1:])


def slow(part, folder):
    """Takes a moment, and leaves the number of the process that did it."""
    open(os.path.join(folder, f"{os.getpid()} {part.index[0]}"), "w").close()
    time.sleep(0.15)
    return part


def test_a_killed_worker_changes_nothing(frame, tmp_path):
    with two_workers() as cluster, Client(cluster):
        partitions = dd.from_pandas(frame, npartitions=24).map_partitions(
            slow, str(tmp_path), meta=frame[:0]
        )
        killed = []

        def kill():
            patience = time.monotonic() + 120
            while len(os.listdir(tmp_path)) < 10 and time.monotonic() < patience:
                time.sleep(0.01)
            worker = int(os.listdir(tmp_path)[0].split()[0])
            killed.append(worker)
            os.kill(worker, signal.SIGKILL)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        found = lass0.dask.moments(partitions, "y", **ASKED["an ID"])
        killer.join(timeout=120)
        assert len(killed) == 1
        tasks = [name.split() for name in os.listdir(tmp_path)]
        assert len(tasks) > 24  # some partitions were summed again
        same(found, one_machine(frame, ASKED["an ID"]))


def test_mismatching_columns_are_named(cluster, frame):
    asked = {"fold_column": "site", "exclude": ["customer", "colour", "w"]}
    other = frame.drop(columns="c7")
    parts = dd.from_delayed(
        [dask.delayed(frame[:100]), dask.delayed(other[100:])],
        meta=frame[:0],
        verify_meta=False,
    )
    with pytest.raises(ValueError, match="c7"):
        lass0.dask.moments(parts, "y", **asked)


def test_messages(cluster, frame):
    parts = dd.from_pandas(frame, npartitions=2)
    numbers = parts.drop(columns=["customer", "site", "colour"])
    with pytest.raises(ValueError, match="these rows have no number .*folds=1"):
        lass0.dask.moments(numbers, "y")
    with pytest.raises(ValueError, match="the data have no column 'z', which is the target"):
        lass0.dask.moments(numbers, "z", folds=1)
    with pytest.raises(ValueError, match="column 'customer' has texts"):
        lass0.dask.moments(parts, "y", folds=1)
    with pytest.raises(TypeError, match="a Dask data frame or array is needed"):
        lass0.dask.moments(frame, "y")
    with pytest.raises(ValueError, match="no rows of positive weight"):
        lass0.dask.moments(numbers[numbers.c3 > 1e9], "y", folds=1)
