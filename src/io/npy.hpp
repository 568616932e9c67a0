// One NumPy array as .npy files and the members of .npz archives hold it.
#pragma once

#include <algorithm>
#include <lass0/design.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_progress.hpp"

namespace lass0::io {

class NpyArray {
 public:
  // Parses the header and checks that the data are all there. `bytes` must outlive the array;
  // `source` is for messages.
  NpyArray(std::string_view bytes, const std::string& source);

  Index dimensions() const { return std::ssize(shape_); }
  Index rows() const { return shape_.empty() ? 1 : shape_[0]; }
  Index cols() const { return shape_.size() < 2 ? 1 : shape_[1]; }  // a vector is one column

  // Where a column begins, for arrays of at most two dimensions whose numbers can stay where they
  // are: none in the other byte order, and no floats of two bytes.
  std::optional<ColumnView> column(Index j) const;
  bool whole_numbers() const { return !floating_; }
  double value(Index i, Index j) const {
    return value_at(fortran_ ? i + j * rows() : i * cols() + j);
  }

  // For arrays of at most two dimensions: calls store(i, j, value) for every element, nearly in the
  // order of a column-major table.
  template <typename Store>
  void for_each(ReadProgress& progress, const Store& store) const {
    constexpr Index block = 64;
    for (Index first = 0; first < rows(); first += block) {
      const Index last = std::min(rows(), first + block);
      progress.at_fraction(static_cast<double>(first) / static_cast<double>(rows()));
      for (Index j = 0; j < cols(); ++j) {
        for (Index i = first; i < last; ++i) store(i, j, value(i, j));
      }
    }
  }

 private:
  double value_at(Index position) const { return load_(data_.data() + position * item_size_); }
  void read_type(const std::string& type);

  std::string source_;
  std::string_view data_;
  std::vector<Index> shape_;
  bool fortran_ = false;
  Index item_size_ = 0;
  bool floating_ = false;
  std::optional<NumberType> stored_as_;  // none: it has to be converted
  double (*load_)(const char* from) = nullptr;
};

}  // namespace lass0::io
