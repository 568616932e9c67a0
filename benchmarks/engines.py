#!/usr/bin/env python3
"""Speed and memory of moments from other people's engines: engines.py LASS0 FOLDER [MEGABYTES].

Writes the same numbers (201 columns) as an NPY file and as a Parquet file, of this many megabytes (500 by default), into FOLDER, unless
they are there. Compares `lass0 moments` on the NPY file with lass0.moments on the Parquet file through pyarrow, polars and DuckDB, then
Dask with two worker processes with one process that sums the same partitions, then Spark with one task at a time and with two. Prints the wall time, the CPU seconds, the rate and the
peak memory of each run, above that of the process before it: where others use the machine, the CPU seconds are what can be compared.
Needs the packages of python/requirements-test.txt and requirements-engines.txt.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

COLUMNS = 201
ROWS_OF_GROUP = 16384
REPEATS = 3


def write_files(folder: Path, megabytes: int) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = megabytes * 1_000_000 // (8 * COLUMNS) // ROWS_OF_GROUP * ROWS_OF_GROUP
    rng = np.random.default_rng(1)
    names = [f"x{j + 1}" for j in range(COLUMNS - 1)] + ["y"]
    npy = np.lib.format.open_memmap(folder / "data.npy", "w+", np.float64, (rows, COLUMNS))
    schema = pa.schema([(name, pa.float64()) for name in names])
    with pq.ParquetWriter(folder / "data.parquet", schema, use_dictionary=False) as parquet:
        for first in range(0, rows, ROWS_OF_GROUP):
            block = rng.normal(3, 1, (ROWS_OF_GROUP, COLUMNS))
            npy[first : first + ROWS_OF_GROUP] = block
            parquet.write_table(
                pa.Table.from_arrays([pa.array(x) for x in block.T.copy()], schema=schema)
            )


def source(kind: str, path: str):
    if kind == "pyarrow dataset":
        import pyarrow.dataset

        return pyarrow.dataset.dataset(path)
    if kind == "pyarrow ParquetFile":
        import pyarrow.parquet

        return pyarrow.parquet.ParquetFile(path)
    if kind == "polars":
        import polars

        return polars.scan_parquet(path)
    import duckdb

    return duckdb.read_parquet(path)


def partitions(path: str):
    """The row groups of the file, a few at a time: what Dask has as partitions."""
    import dask.dataframe as dd

    return dd.read_parquet(path, split_row_groups=2, aggregate_files=False)


def by_dask(path: str) -> dict:
    import lass0.dask

    data = partitions(path)
    lass0.dask.moments(data.partitions[:4], "y", folds=1)  # imports are no part of it
    cpu, start = seconds_of_all(), time.monotonic()
    lass0.dask.moments(data, "y", folds=1)
    return {"wall": time.monotonic() - start, "cpu": seconds_of_all() - cpu}


def by_spark(path: str, tasks: int) -> dict:
    """In Spark's local mode: one process of Java, and one of Python for each task at a time."""
    from pyspark.sql import SparkSession

    import lass0.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{tasks}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.files.maxPartitionBytes", str(64 * 2**20))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    data = session.read.parquet(path)
    lass0.spark.moments(data, "y", folds=1)  # Java compiles what it runs often
    cpu, start = seconds_of_all(), time.monotonic()
    lass0.spark.moments(data, "y", folds=1)
    result = {"wall": time.monotonic() - start, "cpu": seconds_of_all() - cpu}
    session.stop()
    return result


def seconds_of_all() -> float:
    """Of this process and of those that it started."""
    import psutil

    this = psutil.Process()
    times = [one.cpu_times() for one in (this, *this.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def run(kind: str, folder: Path, threads: int) -> dict:
    """In a process of its own: what is asked for, once everything is imported."""
    import lass0

    path = str(folder / "data.parquet")
    if kind == "Dask, two workers":
        from distributed import Client, LocalCluster

        with (
            LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
            ) as cluster,
            Client(cluster),
        ):
            return by_dask(path)
    if kind == "the partitions in one process":
        import dask

        with dask.config.set(scheduler="synchronous"):
            return by_dask(path)
    if kind.startswith("Spark"):
        return by_spark(path, threads)
    data = source(kind, path)
    before, cpu, start = peak(), seconds(), time.monotonic()
    lass0.moments(data, "y", threads=threads)
    return {"wall": time.monotonic() - start, "cpu": seconds() - cpu, "memory": peak() - before}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def run_program(program: str, folder: Path, threads: int) -> dict:
    command = [
        program,
        "moments",
        str(folder / "data.npy"),
        "--target",
        str(COLUMNS),
        "--threads",
        str(threads),
    ]
    start = time.monotonic()
    child = subprocess.Popen(
        [*command, "--output", str(folder / "npy.moments")], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return {
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
    }


def tell(what: str, runs: list[dict], size: float) -> None:
    best = {name: sorted(run[name] for run in runs)[len(runs) // 2] for name in runs[0]}
    text = f"{what:32} {best['wall']:6.2f} s, {size / best['wall']:5.0f} MB/s"
    text += f"; {best['cpu']:6.2f} s of CPU, {size / best['cpu']:5.0f} MB per CPU second"
    if "memory" in best:
        text += f"; {best['memory']:5.0f} MiB"
    print(text, flush=True)


def main() -> None:
    if sys.argv[1] == "--run":
        print(json.dumps(run(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))))
        return
    program, folder = sys.argv[1], Path(sys.argv[2])
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "data.parquet").exists():
        write_files(folder, megabytes)
    size = (folder / "data.npy").stat().st_size / 1e6

    def measured(kind: str, threads: int) -> dict:
        command = [sys.executable, __file__, "--run", kind, str(folder), str(threads)]
        return json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
        )

    print(
        f"{size:.0f} MB of float64, {COLUMNS} columns; medians of {REPEATS}; load {os.getloadavg()[0]:.1f}"
    )
    for threads in (1, 2):
        print(f"{threads} thread" + "s" * (threads > 1))
        # Alternately, so that the load of the machine is that of all.
        kinds = [
            "lass0 moments on NPY",
            "pyarrow dataset",
            "pyarrow ParquetFile",
            "polars",
            "DuckDB",
        ]
        runs = {kind: [] for kind in kinds}
        for _ in range(REPEATS):
            for kind in kinds:
                runs[kind].append(
                    run_program(program, folder, threads)
                    if kind == kinds[0]
                    else measured(kind, threads)
                )
        for kind in kinds:
            tell(kind, runs[kind], size)
    # What each runs with: threads, or tasks at a time.
    for kinds in (
        {"the partitions in one process": 1, "Dask, two workers": 1},
        {"Spark, one task at a time": 1, "Spark, two tasks at a time": 2},
    ):
        runs = {kind: [] for kind in kinds}
        for _ in range(REPEATS):
            for kind, at_once in kinds.items():
                runs[kind].append(measured(kind, at_once))
        for kind in kinds:
            tell(kind, runs[kind], size)


if __name__ == "__main__":
    main()
