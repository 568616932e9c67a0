#!/usr/bin/env python3
"""lass0 on an array of another library, such as one on a GPU: how fast, where the time goes, and is the answer the same.

    python benchmarks/gpu.py                                      2000 rows x 10^6 columns on a GPU, by PyTorch (16 GB)
    python benchmarks/gpu.py --library cupy                       the same by CuPy
    python benchmarks/gpu.py --device cpu --columns 20000 --library array_api_strict      a small run without a GPU

It checks the answer before it times it: on the first columns (--compare) the model and the curve must be those of the same data as a
NumPy array.
"""

import argparse
import os
import sys
import time
from contextlib import contextmanager

import lass0
import numpy as np
from lass0 import Lass0CV, _array_api

RIGHT_HAND_SIDES = 8
TRUE_COLUMNS = 30


class Torch:
    def __init__(self, device, single):
        import torch

        if device != "cuda":
            sys.exit("torch works with --device cuda only: other tensors are read as NumPy arrays")
        self._torch, self._device = torch, device
        self._type = torch.float32 if single else torch.float64
        torch.manual_seed(1)

    def name(self):
        return self._torch.cuda.get_device_name()

    def normal(self, rows, columns, by_rows):
        shape = (rows, columns) if by_rows else (columns, rows)
        X = self._torch.randn(shape, dtype=self._type, device=self._device)
        return X if by_rows else X.T

    def wait(self):
        self._torch.cuda.synchronize()


class CuPy:
    def __init__(self, device, single):
        import cupy

        if device != "cuda":
            sys.exit("cupy works with --device cuda only")
        self._cupy, self._type = cupy, np.float32 if single else np.float64
        cupy.random.seed(1)

    def name(self):
        return self._cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def normal(self, rows, columns, by_rows):
        shape = (rows, columns) if by_rows else (columns, rows)
        X = self._cupy.empty(shape, dtype=self._type)
        for part in np.array_split(np.arange(shape[0]), 64):
            if part.size:
                X[part[0] : part[-1] + 1] = self._cupy.random.standard_normal(
                    (part.size, shape[1]), dtype=self._type
                )
        return X if by_rows else X.T

    def wait(self):
        self._cupy.cuda.get_current_stream().synchronize()


class Strict:
    def __init__(self, device, single):
        import array_api_strict

        if device != "cpu":
            sys.exit("array_api_strict works with --device cpu only")
        self._library, self._type = array_api_strict, np.float32 if single else np.float64
        self._random = np.random.default_rng(1)

    def name(self):
        return "processor"

    def normal(self, rows, columns, by_rows):
        X = self._random.standard_normal((rows, columns) if by_rows else (columns, rows))
        X = X.astype(self._type)
        return self._library.asarray(X if by_rows else X.T)

    def wait(self):
        pass


LIBRARIES = {"torch": Torch, "cupy": CuPy, "array_api_strict": Strict}


def host_columns(X, count):
    columns = _array_api.ArrayColumns(X)
    out = np.empty((columns.rows, count), order="F")
    for first in range(0, count, 1000):
        numbers = np.arange(first, min(count, first + 1000))
        columns.columns(numbers, out[:, numbers[0] : numbers[-1] + 1])
    return out


def make_target(X, rng):
    """A sum of some of the first columns, with as much noise."""
    n, p = X.shape
    true = np.sort(rng.choice(min(p, 20_000), TRUE_COLUMNS, replace=False))
    chosen = np.empty((n, TRUE_COLUMNS), order="F")
    _array_api.ArrayColumns(X).columns(true, chosen)
    signal = chosen @ rng.choice([-1.0, 1.0], TRUE_COLUMNS)
    return signal + rng.normal(size=n) * signal.std(), true


def time_products(X, library, centred):
    """Seconds of X'V for all columns, with the results in the processor's memory: the best of several."""
    columns = _array_api.ArrayColumns(X)
    n, p, width = columns.rows, columns.cols, columns.columns_per_call
    V = np.random.default_rng(2).normal(size=(n, RIGHT_HAND_SIDES))
    centre = np.full(width, 0.5) if centred else None
    out = np.empty((width, RIGHT_HAND_SIDES), order="F")
    best = np.inf
    for _ in range(4):
        library.wait()
        start = time.perf_counter()
        for first in range(0, p, width):
            count = min(width, p - first)
            one = out if count == width else np.empty((count, RIGHT_HAND_SIDES), order="F")
            columns.products(
                first, count, None if centre is None else centre[:count], None, None, V, one
            )
        best = min(best, time.perf_counter() - start)
    return best


class Clock:
    """Seconds in the library's operations and in transfers, of a run on one thread."""

    def __init__(self, library):
        self.transfers = self.calls = 0.0
        self.bytes = self.count = self.passes = 0
        self._library = library

    @contextmanager
    def watching(self):
        classes = [_array_api._Standard, *_array_api._LIBRARIES.values()]
        before = [
            (one, name, one.__dict__[name])
            for one in classes
            for name in ("upload", "download")
            if name in one.__dict__
        ]
        operations = ("products", "squares", "columns", "row")
        columns = _array_api.ArrayColumns
        before += [(columns, name, columns.__dict__[name]) for name in operations]
        for owner, name, function in before:
            watched = self._call if owner is columns else self._transfer
            setattr(owner, name, watched(function))
        try:
            yield
        finally:
            for owner, name, function in before:
                setattr(owner, name, function)

    def _transfer(self, function):
        def transfer(operations, *arguments):
            self._library.wait()  # what is under way is no transfer
            start = time.perf_counter()
            try:
                return function(operations, *arguments)
            finally:
                self._library.wait()
                self.transfers += time.perf_counter() - start
                self.bytes += arguments[-1].nbytes

        return transfer

    def _call(self, function):
        def call(columns, *arguments):
            start = time.perf_counter()
            try:
                return function(columns, *arguments)
            finally:
                self.calls += time.perf_counter() - start
                self.count += 1
                if function.__name__ in ("products", "squares"):
                    self.passes += arguments[1] / columns.cols

        return call


def estimator(options, threads):
    ridge = options.ridge if options.ridge == "auto" else float(options.ridge)
    return Lass0CV(
        options.folds, ridge=ridge, max_k=options.max_k, tune=options.tune, n_jobs=threads
    )


def fit(options, X, y, threads):
    start = time.perf_counter()
    model = estimator(options, threads).fit(X, y)
    return model, time.perf_counter() - start


def compare(options, X, y):
    """The same columns as a NumPy array give the same model."""
    count = min(options.compare, X.shape[1])
    there, seconds_there = fit(options, X[:, :count], y, options.threads)
    here, seconds_here = fit(options, host_columns(X, count), y, options.threads)
    errors = [-np.asarray(model.cv_results_["mean_test_score"]) for model in (there, here)]
    difference = np.max(np.abs(errors[0] - errors[1]) / errors[1])
    same = there.support_.tolist() == here.support_.tolist()
    print(
        f"first {count} columns: {seconds_there:.2f} s, as a NumPy array {seconds_here:.2f} s; "
        f"supports {'equal' if same else 'DIFFER'}, errors of the curve differ by at most {difference:.1e}",
        flush=True,
    )
    return same and difference <= 1e-9


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--library", choices=LIBRARIES, default="torch")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=1_000_000)
    parser.add_argument("--single", action="store_true", help="X in single precision")
    parser.add_argument("--by-rows", action="store_true", help="the values of a row lie together")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--max-k", type=int, default=50)
    parser.add_argument("--tune", choices=["lambda", "k"], default="lambda")
    parser.add_argument("--ridge", default="auto")
    parser.add_argument("--compare", type=int, default=100_000, help="columns")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()

    library = LIBRARIES[options.library](options.device, options.single)
    gigabytes = options.rows * options.columns * (4 if options.single else 8) / 1e9
    print(
        f"lass0 {lass0.__version__}, {options.library} on {library.name()}, {options.threads} threads, load {os.getloadavg()[0]:.1f}; "
        f"X: {options.rows} x {options.columns}, {gigabytes:.2f} GB"
    )
    X = library.normal(options.rows, options.columns, options.by_rows)
    y, true = make_target(X, np.random.default_rng(3))
    library.wait()

    same = compare(options, X, y)
    for centred in (False, True):
        seconds = time_products(X, library, centred)
        print(
            f"X'V, {RIGHT_HAND_SIDES} columns of V{', centred' if centred else ''}: {1e3 * seconds:.1f} ms, {gigabytes / seconds:.0f} GB/s",
            flush=True,
        )

    model, seconds = fit(options, X, y, options.threads)
    found = len(set(model.support_.tolist()) & set(true.tolist()))
    print(
        f"{options.folds} folds to K = {options.max_k}, {options.threads} threads: {seconds:.2f} s; {model.k_} columns, {found} of them among "
        f"the {TRUE_COLUMNS} true ones",
        flush=True,
    )
    clock = Clock(library)
    with clock.watching():
        _, seconds = fit(options, X, y, 1)
    print(
        f"one thread, watched: {seconds:.2f} s: products {clock.calls - clock.transfers:.2f} s ({clock.passes:.0f} passes over X in {clock.count} "
        f"calls), transfers {clock.transfers:.2f} s ({clock.bytes / 1e9:.2f} GB), host {seconds - clock.calls:.2f} s"
    )
    if not same:
        sys.exit("the answers differ")


if __name__ == "__main__":
    main()
