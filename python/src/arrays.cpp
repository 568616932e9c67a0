#include "arrays.hpp"

#include <lass0/error.hpp>
#include <string>
#include <utility>

#include "array_design.hpp"

namespace nb = nanobind;

namespace lass0::python {
namespace {

NumberType signed_type(Py_ssize_t bytes) {
  return bytes == 8   ? NumberType::int64
         : bytes == 4 ? NumberType::int32
         : bytes == 2 ? NumberType::int16
                      : NumberType::int8;
}

NumberType unsigned_type(Py_ssize_t bytes) {
  return bytes == 8   ? NumberType::uint64
         : bytes == 4 ? NumberType::uint32
         : bytes == 2 ? NumberType::uint16
                      : NumberType::uint8;
}

NumberType number_type(const Py_buffer& view) {
  std::string format = view.format ? view.format : "B";
  if (format.starts_with('=') || format.starts_with('@'))
    format.erase(0, 1);  // this machine's order
  if (format == "d") return NumberType::float64;
  if (format == "f") return NumberType::float32;
  if (format.size() == 1 && std::string("bhilqn").find(format) != std::string::npos)
    return signed_type(view.itemsize);
  if (format.size() == 1 && std::string("?BHILQN").find(format) != std::string::npos)
    return unsigned_type(view.itemsize);
  throw Error("an array of numbers is needed, not of type '" + format + "'");
}

}  // namespace

Buffer::Buffer(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  try {
    type_ = number_type(view_);
  } catch (...) {
    PyBuffer_Release(&view_);
    throw;
  }
}

Buffer::Buffer(Buffer&& other) noexcept
    : view_(std::exchange(other.view_, Py_buffer{})), type_(other.type_) {
  // Exporters with one dimension may have the view point to members of its own.
  if (view_.shape == &other.view_.len) view_.shape = &view_.len;
  if (view_.strides == &other.view_.itemsize) view_.strides = &view_.itemsize;
}

Buffer::~Buffer() { PyBuffer_Release(&view_); }

Matrix::Matrix(nb::handle X) {
  if (nb::isinstance<nb::tuple>(X)) {
    const auto parts = nb::cast<nb::tuple>(X);
    for (std::size_t i = 1; i < 4; ++i) buffers_.emplace_back(parts[i]);
    const auto make = [&](auto row_numbers) {
      return std::make_unique<SparseDesign>(nb::cast<Index>(parts[0]), buffers_[0].size(0) - 1,
                                            buffers_[0].values<std::int64_t>(), row_numbers,
                                            buffers_[2].values<double>());
    };
    design_ = buffers_[1].type() == NumberType::int64 ? make(buffers_[1].values<std::int64_t>())
                                                      : make(buffers_[1].values<std::int32_t>());
    return;
  }
  if (ArrayDesign::takes(X)) {
    design_ = std::make_unique<ArrayDesign>(nb::borrow(X));
    return;
  }
  std::vector<ColumnView> columns;
  Index rows = 0;
  if (nb::isinstance<nb::list>(X)) {
    const auto list = nb::cast<nb::list>(X);
    buffers_.reserve(list.size());
    for (const nb::handle column : list) {
      const Buffer& buffer = buffers_.emplace_back(column);
      rows = buffer.size(0);
      columns.push_back({buffer.data(), buffer.step(0), buffer.type()});
    }
  } else {
    const Buffer& buffer = buffers_.emplace_back(X);
    rows = buffer.size(0);
    const Index cols = buffer.size(1);
    const auto value = static_cast<std::ptrdiff_t>(sizeof(double));
    const bool by_columns = buffer.type() == NumberType::float64 &&
                            (buffer.step(0) == value || rows == 1) && buffer.step(1) % value == 0 &&
                            buffer.step(1) / value >= rows &&
                            reinterpret_cast<std::uintptr_t>(buffer.data()) % alignof(double) == 0;
    if (by_columns) {
      design_ = std::make_unique<DenseDesign>(static_cast<const double*>(buffer.data()), rows, cols,
                                              buffer.step(1) / value);
      return;
    }
    columns.reserve(static_cast<std::size_t>(cols));
    for (Index j = 0; j < cols; ++j)
      columns.push_back({static_cast<const char*>(buffer.data()) + j * buffer.step(1),
                         buffer.step(0), buffer.type()});
  }
  design_ = std::make_unique<ColumnsDesign>(rows, std::move(columns));
}

}  // namespace lass0::python
