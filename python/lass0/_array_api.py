"""X as an array of another library: CuPy, PyTorch, anything with `__array_namespace__`.

The library that holds X computes the products of its columns, where X is: in the memory of a GPU, for instance. The core calls the
methods of `ArrayColumns`, from threads of its own, with views of its own memory. Only results come to the processor's memory.
"""

import threading
from contextlib import contextmanager, nullcontext
from importlib import import_module

import numpy as np

from ._numbers import library

# Columns that are centred or converted are copied, this many bytes at a time.
_PANEL_BYTES = 2**30


def is_array(X):
    """X is an array of a library other than NumPy that has the operations needed."""
    return not isinstance(X, (np.ndarray, np.generic)) and (
        library(X) in _LIBRARIES or hasattr(X, "__array_namespace__")
    )


class _Standard:
    """The operations needed, by the array API standard."""

    def __init__(self, X):
        self._xp = X.__array_namespace__()
        self._device = X.device

    def context(self):
        """What calls from other threads have to be in."""
        return nullcontext()

    def settle(self):
        """X may be the result of operations that are still under way."""

    def doubles(self, x):
        return self._xp.astype(x, self._xp.float64)

    def take(self, x, numbers, axis):
        return self._xp.take(x, self.upload(numbers), axis=axis)

    def pick(self, x, numbers):
        """A few columns. (NumPy's take, which some libraries use, may copy all of x first.)"""
        if not len(numbers):
            return x[:, :0]
        return self._xp.concat([x[:, j : j + 1] for j in numbers.tolist()], axis=1)

    def all_finite(self, x):
        """Of each column."""
        return self._xp.all(self._xp.isfinite(x), axis=0)

    def upload(self, values):
        return self._xp.asarray(values, device=self._device)

    def download(self, x, out):
        try:
            out[...] = np.asarray(x)
        except (TypeError, ValueError, RuntimeError, BufferError):  # it is on another device
            out[...] = np.from_dlpack(x, device="cpu")


class _CuPy(_Standard):
    def __init__(self, X):
        self._xp = import_module("cupy")
        self._device = X.device

    def context(self):
        return self._xp.cuda.Device(self._device.id)

    def settle(self):
        self._xp.cuda.get_current_stream().synchronize()

    def doubles(self, x):
        return x.astype(self._xp.float64)

    def pick(self, x, numbers):
        return self.take(x, numbers, 1)

    def upload(self, values):
        return self._xp.asarray(values)

    def download(self, x, out):
        if out.dtype == x.dtype and out.flags.c_contiguous:
            self._xp.ascontiguousarray(x).get(out=out)
        else:
            out[...] = x.get()


class _Torch(_Standard):
    def __init__(self, X):
        self._xp = import_module("torch")
        self._device = X.device

    def settle(self):
        if self._device.type == "cuda":
            self._xp.cuda.current_stream(self._device).synchronize()

    def doubles(self, x):
        return x.to(self._xp.float64)

    def take(self, x, numbers, axis):
        return self._xp.index_select(x, axis, self.upload(numbers))

    def pick(self, x, numbers):
        return self.take(x, numbers, 1)

    def all_finite(self, x):
        return self._xp.isfinite(x).all(0)

    def upload(self, values):
        return self._xp.from_numpy(np.ascontiguousarray(values)).to(self._device)

    def download(self, x, out):
        if out.flags.writeable and out.flags.c_contiguous:
            self._xp.from_numpy(out).copy_(x)
        else:
            out[...] = x.cpu().numpy()


_LIBRARIES = {"cupy": _CuPy, "torch": _Torch}


def _operations(X):
    return _LIBRARIES.get(library(X), _Standard)(X)


def _plain(X):
    """X without what its library adds for derivatives."""
    return X.detach() if hasattr(X, "detach") else X


def host_array(values):
    """A NumPy array of the values of an array of another library; anything else is returned unchanged."""
    if not is_array(values):
        return values
    values = _plain(values)
    operations = _operations(values)
    kind = _type_name(values)
    with operations.context():
        operations.settle()
        if kind not in _NUMPY_TYPES:  # bfloat16, for instance
            values, kind = operations.doubles(values), "float64"
        out = np.empty(tuple(values.shape), dtype=kind)
        operations.download(values, out)
    return out


def shared_with_numpy(X):
    """A tensor of PyTorch in the processor's memory as a NumPy array of the same memory, which lass0 reads faster than PyTorch would
    compute with it in small pieces. Anything else is returned unchanged."""
    if library(X) != "torch" or X.device.type != "cpu" or _type_name(X) not in _NUMPY_TYPES:
        return X
    return X if "strided" not in str(X.layout) else _plain(X).numpy()


_NUMPY_TYPES = {"bool", "float32", "float64", "complex64", "complex128"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def _type_name(X):
    return str(X.dtype).rpartition(".")[2]


def check_array(X):
    """Raises ValueError unless X is a matrix of real numbers."""
    if len(X.shape) != 2:
        raise ValueError(
            f"Expected 2D array, got an array of shape {tuple(X.shape)} instead: reshape it, with one row per observation"
        )
    if getattr(X, "is_sparse", False) or "sparse" in str(getattr(X, "layout", "")):
        raise ValueError(
            f"X is a sparse array of {library(X)}: convert it to a sparse matrix of SciPy, or to a dense array"
        )
    if "complex" in _type_name(X):
        raise ValueError(
            "Complex data not supported: use the real and the imaginary parts as columns"
        )


def take_columns(X, numbers):
    """The columns of X with these numbers, as an array of the same library."""
    operations = _operations(X)
    with operations.context():
        return operations.pick(X, np.asarray(numbers, dtype=np.int64))


class ArrayColumns:
    """The columns of X, or those with the numbers `keep`."""

    def __init__(self, X, keep=None):
        self._library = library(X)
        self._X = _plain(X)
        self._keep = None if keep is None else np.asarray(keep, dtype=np.int64)
        self._is_double = _type_name(X) == "float64"
        self._has_fractions = "float" in _type_name(X)
        self.rows = int(X.shape[0])
        self.cols = int(X.shape[1]) if keep is None else len(self._keep)
        # One panel at a time, whichever the number of threads.
        self._lock = threading.Lock()
        self.columns_per_call = min(max(1, self.cols), max(1, _PANEL_BYTES // (8 * self.rows + 1)))
        with self._call():
            self._operations = _operations(self._X)
            with self._operations.context():
                self._operations.settle()
                one = self._operations.doubles(self._X[:1, :1])
        if _type_name(one) != "float64":
            raise ValueError(
                f"{self._library} computes in {_type_name(one)} where double precision is needed: allow 64 bits there, or pass a "
                "NumPy array"
            )

    def among(self, keep):
        """The columns with these numbers alone; None: all."""
        return self if keep is None else ArrayColumns(self._X, keep)

    @contextmanager
    def _call(self):
        try:
            yield
        except Exception as error:
            if isinstance(error, MemoryError) or "out of memory" in str(error).lower():
                raise MemoryError(
                    f"{self._library} has no memory left for a copy of {self.columns_per_call} columns of X at a time: free some of "
                    f"the device's memory, or use a smaller X there ({error})"
                ) from error
            raise RuntimeError(
                f"{self._library} could not compute with X, an array of type {_type_name(self._X)}: {error}"
            ) from error

    @contextmanager
    def _computing(self):
        # Values that are not finite are found by the core. Libraries that compute by NumPy would warn of them.
        quiet = np.errstate(over="ignore", invalid="ignore")
        with self._call(), self._lock, self._operations.context(), quiet:
            yield self._operations

    def _columns(self, first, count):
        if self._keep is None:
            return self._X[:, first : first + count]
        return self._operations.take(self._X, self._keep[first : first + count], 1)

    def _panel(self, first, count, centre, order):
        """Columns as doubles, less their centres, with the rows in this order; and whether that is a copy."""
        x, is_copy = self._columns(first, count), self._keep is not None
        if order is not None:
            x, is_copy = self._operations.take(x, order, 0), True
        if not self._is_double:
            x, is_copy = self._operations.doubles(x), True
        if centre is None:
            return x, is_copy
        centre = self._operations.upload(centre)
        if is_copy:
            x -= centre
        else:
            x = x - centre
        return x, True

    def products(self, first, count, centre, order, start, V, out):
        """out[j, g * m + l] = the sum over the rows of group g of (x_j - centre_j) * V[:, l], for columns first, first + 1, ...

        Group g has the rows order[start[g]:start[g + 1]]. No order: all rows are one group. No centre: it is 0.
        """
        with self._computing() as operations:
            panel, _ = self._panel(first, count, centre, order)
            if order is None:
                result = operations.upload(V).T @ panel
                del panel  # before its memory is waited for
                operations.download(result, out.T)
                return
            m = V.shape[1]
            V = operations.upload(V[order])
            for g, rows in enumerate(_slices(start)):
                operations.download(V[rows, :].T @ panel[rows, :], out.T[g * m : (g + 1) * m])

    def squares(self, first, count, centre, order, start, weights, out):
        """out[j, g] = the sum over the rows of group g of weights * (x_j - centre_j)**2, likewise."""
        with self._computing() as operations:
            panel, is_copy = self._panel(first, count, centre, order)
            if is_copy:
                panel *= panel
            else:
                panel = panel * panel
            weights = operations.upload(weights if order is None else weights[order])
            groups = [slice(None)] if order is None else _slices(start)
            for g, rows in enumerate(groups):
                operations.download(weights[rows] @ panel[rows, :], out[:, g])

    def columns(self, numbers, out):
        """The columns with these numbers."""
        if self._keep is not None:
            numbers = self._keep[numbers]
        with self._computing() as operations:
            x = operations.pick(self._X, np.asarray(numbers))
            operations.download(operations.doubles(x).T, out.T)

    def row(self, i, first, out):
        """Row i, from this column on."""
        columns = slice(first, first + out.shape[0])
        with self._computing() as operations:
            x = self._X[i, :]
            x = x[columns] if self._keep is None else operations.take(x, self._keep[columns], 0)
            operations.download(operations.doubles(x), out)

    def not_finite(self):
        """The numbers of the columns with a value that is not finite, one after the other, each with its values."""
        if not self._has_fractions:
            return
        for first in range(0, self.cols, self.columns_per_call):
            count = min(self.columns_per_call, self.cols - first)
            finite = np.empty(count, dtype=bool)
            with self._computing() as operations:
                operations.download(operations.all_finite(self._columns(first, count)), finite)
            for j in first + np.flatnonzero(~finite):
                values = np.empty((self.rows, 1), order="F")
                self.columns(np.array([j]), values)
                yield int(j), values[:, 0]


def _slices(start):
    return [slice(int(a), int(b)) for a, b in zip(start[:-1], start[1:])]
