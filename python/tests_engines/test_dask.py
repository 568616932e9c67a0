"""Dask sums up what one machine sums up, whatever the partitions are, and when a worker is killed."""

import os
import signal
import threading
import time

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from conftest import ASKED, same
from distributed import Client, LocalCluster
from sklearn.base import clone

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
    columns = frame[expected.names]
    large = columns.columns[columns.mean().abs() > 1e6].tolist()
    assert large == ["c0", "c1"]
    for exclude in (large, None):
        model = lass0.Lass0CV(exclude=exclude)
        ours, theirs = clone(model).fit(found), clone(model).fit(expected)
        np.testing.assert_array_equal(ours.support_, theirs.support_)
        np.testing.assert_allclose(
            ours.cv_results_["mean_error"], theirs.cv_results_["mean_error"], rtol=1e-9
        )
        if exclude:
            np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
            continue
        # A fit works on rows with the same sums. In columns of mean 1e8 these are rounded to 1e-8 of a standard deviation, and
        # differently for other partitions. That moves the coefficients of correlated columns as well.
        effects = (ours.coef_ - theirs.coef_) * columns.std().to_numpy()
        np.testing.assert_allclose(effects, 0, atol=5e-9 * frame["y"].std())


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
    X = da.from_array(X, chunks=chunks)
    with pytest.raises(ValueError, match="X has 6000 rows, but the target has 5999"):
        lass0.dask.moments(X, lazy[1:])
    for missing in ("drop", "mean"):
        with pytest.raises(ValueError, match=f"missing is '{missing}', which needs a table"):
            lass0.dask.moments(X, lazy, missing=missing, compute=False)
    with pytest.raises(ValueError, match="folds is 0, but must be at least 1"):
        lass0.dask.moments(X, lazy, folds=0, compute=False)
    with pytest.raises(TypeError, match="seed is 'a', but must be a whole number"):
        lass0.dask.moments(X, lazy, seed="a", compute=False)


def test_rows_of_chunks_are_named(cluster):
    X, y = np.zeros((900, 2)), da.zeros(900, chunks=300)
    X[601, 1] = np.nan
    lazy = da.from_array(X, chunks=(300, 2))
    with pytest.raises(
        ValueError, match=r"x1 \(1, first in row 1\).*chunk that begins with row 600\)"
    ):
        lass0.dask.moments(lazy, y)
    weights = da.from_array(np.r_[np.zeros(200), np.ones(700)], chunks=300)
    with pytest.raises(ValueError, match="begins with row of positive weight 400"):
        lass0.dask.moments(lazy, y, weights=weights)


def test_arrays_have_weights(cluster, frame):
    X, y = frame[[f"c{j}" for j in range(2, 8)]].to_numpy(), frame["y"].to_numpy()
    weights = frame["w"].to_numpy(dtype=float)  # rows of weight 0 have no number
    lazy = [da.from_array(one, chunks=700) for one in (X, y, weights)]
    later = lass0.dask.moments(lazy[0], lazy[1], weights=lazy[2], compute=False)
    assert hasattr(later, "dask")
    same(later.compute(), lass0.moments(X, y, weights=weights))
    found, expected = lass0.Lass0CV().fit(later.compute()), lass0.Lass0CV().fit(X, y, weights)
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-8)
    np.testing.assert_allclose(
        found.cv_results_["mean_error"], expected.cv_results_["mean_error"], rtol=1e-8
    )
    with pytest.raises(ValueError, match="X has 6000 rows, but the weights has 5999"):
        lass0.dask.moments(*lazy[:2], weights=lazy[2][1:])
    with pytest.raises(ValueError, match="weights must be a Dask array"):
        lass0.dask.moments(*lazy[:2], weights=weights)
    columns = dd.from_pandas(frame, npartitions=3)
    with pytest.raises(
        ValueError, match=r"target must be .*: give y\.to_dask_array\(lengths=True\)"
    ):
        lass0.dask.moments(lazy[0], columns["y"])
    with pytest.raises(ValueError, match=r"give weights\.to_dask_array\(lengths=True\)"):
        lass0.dask.moments(*lazy[:2], weights=columns["w"])
    y, w = (columns[name].to_dask_array(lengths=True) for name in ("y", "w"))
    same(lass0.dask.moments(lazy[0], y, weights=w), lass0.moments(X, frame["y"].to_numpy(), weights=weights))  # fmt: skip


def test_chunks_of_all_columns_are_not_larger_than_usual(cluster):
    X = da.zeros((400_000, 3000), chunks=(400_000, 3))  # 9.6 GB
    with dask.config.set({"array.chunk-size": "32MiB"}):
        lazy = lass0.dask.moments(X, da.zeros(400_000, chunks=100_000), compute=False)
    summing = [key for key in lazy.dask if "_of_arrays" in str(key)]
    assert len(summing) > 250


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
    with pytest.raises(KeyError, match="c7"):
        lass0.dask.moments(parts, "y", **asked)
    numbers = [f"c{j}" for j in range(8)] + ["y"]
    parts = dd.from_delayed(
        [dask.delayed(frame[numbers][:100]), dask.delayed(frame[numbers[1:]][100:])],
        meta=frame[numbers][:0],
        verify_meta=False,
    )
    with pytest.raises(ValueError, match="c0"):
        lass0.dask.moments(parts, "y", folds=1)


def test_excluded_columns_are_not_read(cluster, frame, tmp_path):
    numbers = frame[[f"c{j}" for j in range(8)] + ["y"]]
    objects = dd.from_pandas(numbers, npartitions=3).map_partitions(
        lambda part: part.assign(note=[{1, 2}] * len(part)),
        meta=numbers[:0].assign(note=pd.Series(dtype=object)),
    )
    expected = one_machine(numbers, {"folds": 1})
    same(lass0.dask.moments(objects, "y", folds=1, exclude="note"), expected)
    with pytest.raises(ValueError, match="no column 'q', which is to be excluded"):
        lass0.dask.moments(objects, "y", folds=1, exclude=["note", "q"])
    frame.to_parquet(tmp_path / "data.parquet")
    lazy = lass0.dask.moments(
        dd.read_parquet(tmp_path), "y", folds=1, exclude=["w", "customer", "site", "colour"], compute=False
    )  # fmt: skip
    [read] = [task.func for key, task in lazy.dask.items() if "read_parquet" in str(key)]
    assert read.columns == list(numbers.columns)
    same(lazy.compute(), expected)


def gap(frame):
    return frame[["c3", "y"]][:5].assign(c3=[1.0, 2.0, np.nan, 4.0, 5.0])


def test_sums_without_folds_merge_with_those_of_one_machine(cluster, frame):
    numbers = frame[[f"c{j}" for j in range(8)] + ["y"]]
    far = lass0.dask.moments(dd.from_pandas(numbers[:4000], npartitions=3), "y", folds=1)
    near = lass0.moments(numbers[4000:], "y", folds=1)
    assert repr(far).endswith("no folds") and repr(near + far).endswith("no folds")
    expected = one_machine(numbers, {"folds": 1})
    same(far + near, expected)
    same(near + far, expected)
    same(near + far + near, one_machine(pd.concat([numbers, numbers[4000:]]), {"folds": 1}))
    with pytest.raises(ValueError, match="the folds differ: 10 random folds and no folds"):
        lass0.moments(numbers, "y") + far


def test_messages(cluster, frame):
    parts = dd.from_pandas(frame, npartitions=2)
    numbers = parts.drop(columns=["customer", "site", "colour"])
    with pytest.raises(ValueError, match="rows of a cluster have no stable number.*folds=1"):
        lass0.dask.moments(numbers, "y")
    with pytest.raises(ValueError, match="the data have no column 'z', which is the target"):
        lass0.dask.moments(numbers, "z", folds=1)
    with pytest.raises(ValueError, match="column 'customer' has texts"):
        lass0.dask.moments(parts, "y", folds=1)
    with pytest.raises(
        TypeError, match="a Dask data frame or array is needed, .*: use lass0.moments"
    ):
        lass0.dask.moments(frame, "y")
    with pytest.raises(ValueError, match="row 2 of its partition, counted from 0, column 'c3'"):
        lass0.dask.moments(dd.from_delayed([dask.delayed(gap(frame))], meta=frame[["c3", "y"]][:0]), "y", folds=1)  # fmt: skip
    with pytest.raises(ValueError, match="'id' has more than 1000 labels .*id_column"):
        ids = numbers.assign(id=numbers.index)
        lass0.dask.moments(ids.repartition(npartitions=8), "y", fold_column="id")
    for name in ("folds", "seed"):
        with pytest.raises(ValueError, match=f"{name} does not work with fold_column"):
            lass0.dask.moments(parts, "y", fold_column="site", **{name: 2})
    with pytest.raises(TypeError, match="use lass0.dask.moments"):
        lass0.moments(parts, "y")
    with pytest.raises(ValueError, match="no rows of positive weight"):
        lass0.dask.moments(numbers[numbers.c3 > 1e9], "y", folds=1)
