// What Python hands over, as the library sees it: views of the caller's memory. Nothing is copied.
#pragma once

#include <nanobind/nanobind.h>

#include <lass0/design.hpp>
#include <memory>
#include <vector>

namespace lass0::python {

// The memory of an object that has the buffer protocol, for as long as this lives. To be made and
// ended with the GIL held.
class Buffer {
 public:
  explicit Buffer(nanobind::handle object);
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  int dimensions() const { return view_.ndim; }
  Index size(int axis) const { return view_.shape[axis]; }
  std::ptrdiff_t step(int axis) const { return view_.strides[axis]; }  // bytes
  NumberType type() const { return type_; }
  const void* data() const { return view_.buf; }

  // One-dimensional and contiguous, of this type: how the package hands over all but X.
  template <class T>
  std::span<const T> values() const {
    return {static_cast<const T*>(data()), static_cast<std::size_t>(size(0))};
  }

 private:
  Py_buffer view_ = {};
  NumberType type_ = NumberType::float64;
};

// X: a two-dimensional array; a list of one-dimensional ones, one per column; the tuple (rows,
// indptr, indices, data) of compressed sparse columns (int64, int32 or int64, float64); or what
// _array_api.py makes of an array of another library.
class Matrix {
 public:
  explicit Matrix(nanobind::handle X);
  const Design& design() const { return *design_; }

 private:
  std::vector<Buffer> buffers_;
  std::unique_ptr<Design> design_;
};

}  // namespace lass0::python
