"""Array libraries for the tests: stand-ins for libraries whose arrays are in another memory, and what crosses to them.

Their arrays are NumPy arrays inside, but can be neither converted to NumPy nor mixed with it: whatever would fail with an array on a
GPU fails here. `Standard` has the functions of the array API standard that lass0 uses, `TorchLike` and `CuPyLike` those of
PyTorch and CuPy.
"""

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np


class Traffic:
    """What a stand-in was asked for."""

    def __init__(self):
        self.up = self.down = 0  # bytes
        self.products = []  # the shapes of the matrices that were multiplied from the right


class Array:
    """An array in another memory."""

    def __init__(self, values, home):
        self.values, self._home = np.asarray(values), home

    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)
    dtype = property(lambda self: self.values.dtype)
    device = property(lambda self: self._home.device)
    T = property(lambda self: self._new(self.values.T))

    def __array__(self, *args, **kwargs):
        raise TypeError("the array is on a device: it can't be converted implicitly")

    def _new(self, values):
        return type(self)(values, self._home)

    @staticmethod
    def _inside(other):
        if isinstance(other, (np.ndarray, np.generic)):
            raise TypeError("an array of NumPy beside one on a device")
        return other.values if isinstance(other, Array) else other

    def __getitem__(self, key):
        return self._new(self.values[key])

    def __matmul__(self, other):
        inside = self._inside(other)
        self._home.traffic.products.append(inside.shape)
        return self._new(self.values @ inside)

    def __sub__(self, other):
        return self._new(self.values - self._inside(other))

    def __mul__(self, other):
        return self._new(self.values * self._inside(other))

    def __isub__(self, other):
        self.values -= self._inside(other)
        return self

    def __imul__(self, other):
        self.values *= self._inside(other)
        return self


class _Library:
    float64 = np.float64
    array = Array

    def __init__(self):
        self.traffic = Traffic()

    def put(self, values):
        """Without a count: how a test makes its X."""
        return self.array(values, self)

    def _up(self, values):
        self.traffic.up += values.nbytes
        return self.put(values.copy())

    def _down(self, x):
        self.traffic.down += x.values.nbytes
        return x.values

    def isfinite(self, x):
        return self.put(np.isfinite(x.values))


class _StandardArray(Array):
    def __array_namespace__(self, api_version=None):
        return self._home

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, dl_device=None, **rest):
        assert dl_device == (1, 0)
        return self._home._down(self).copy().__dlpack__(dl_device=dl_device, **rest)


class Standard(_Library):
    array, device = _StandardArray, "a device"

    def asarray(self, values, *, device):
        assert device == self.device
        return self._up(values)

    def astype(self, x, dtype):
        return self.put(x.values.astype(dtype))

    def take(self, x, numbers, *, axis):
        return self.put(np.take(x.values, numbers.values, axis=axis))

    def concat(self, arrays, *, axis):
        return self.put(np.concatenate([x.values for x in arrays], axis=axis))

    def all(self, x, *, axis):
        return self.put(x.values.all(axis=axis))


class _Tensor(Array):
    def detach(self):
        return self

    def to(self, what):
        return self._new(self.values.astype(what))

    def all(self, axis):
        return self._new(self.values.all(axis))

    def cpu(self):
        return SimpleNamespace(numpy=lambda: self._home._down(self))


_Tensor.__module__ = "torch"


class TensorOfTheProcessor:
    """As PyTorch's: it can be viewed as a NumPy array, and does nothing else."""

    device = SimpleNamespace(type="cpu")

    def __init__(self, values, layout="torch.strided"):
        self._values, self.layout = values, layout

    shape = property(lambda self: self._values.shape)
    dtype = property(lambda self: f"torch.{self._values.dtype}")

    def detach(self):
        return self

    def numpy(self):
        return self._values


TensorOfTheProcessor.__module__ = "torch"


class TorchLike(_Library):
    array, device = _Tensor, SimpleNamespace(type="cuda")

    def __init__(self):
        super().__init__()
        stream = SimpleNamespace(synchronize=lambda: None)
        self.cuda = SimpleNamespace(current_stream=lambda device: stream)

    def from_numpy(self, values):
        def copy_(x):
            values[...] = self._down(x)

        return SimpleNamespace(to=lambda device: self._up(values), copy_=copy_)

    def index_select(self, x, axis, numbers):
        return self.put(np.take(x.values, numbers.values, axis=axis))


class _CuPyArray(Array):
    def astype(self, dtype):
        return self._new(self.values.astype(dtype))

    def get(self, out=None):
        values = self._home._down(self)
        if out is None:
            return values
        assert out.flags.c_contiguous and self.values.flags.c_contiguous
        out[...] = values


_CuPyArray.__module__ = "cupy"


class CuPyLike(Standard):
    array, device = _CuPyArray, SimpleNamespace(id=3)

    def __init__(self):
        super().__init__()
        self._inside = 0
        stream = SimpleNamespace(synchronize=lambda: None)
        self.cuda = SimpleNamespace(Device=self._on_device, get_current_stream=lambda: stream)

    @contextmanager
    def _on_device(self, number):
        assert number == self.device.id
        self._inside += 1
        yield
        self._inside -= 1

    def asarray(self, values):
        assert self._inside > 0
        return self._up(values)

    def ascontiguousarray(self, x):
        return self.put(np.ascontiguousarray(x.values))
