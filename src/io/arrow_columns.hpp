// Columns of Arrow arrays as numbers and as texts, by the types of their schema.
#pragma once

#include <array>
#include <lass0/arrow.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lass0::arrow {

// Rows `first` and on of a column of a batch, which itself may begin within its arrays.
struct Part {
  const ArrowSchema& type;
  const ArrowArray& array;
  Index first;
};

// Why a column of this type is no column of numbers, and what to do; empty: it is one.
std::string not_numbers(const ArrowSchema& type);
// The same for what can't be excluded: the target or the weights.
std::string not_numbers(const ArrowSchema& type, const std::string& role);
// The same for texts, whole numbers and categories, as labels and levels are.
std::string not_labels(const ArrowSchema& type);

// Whether the values are doubles that can be used where they are, none of them missing.
bool in_place(const Part& column, Index count);
const double* doubles(const Part& column);
// Otherwise they are converted; missing ones (null) become NaN.
void convert(const Part& column, Index count, double* out);

// The texts of a column, row by row.
class Texts {
 public:
  explicit Texts(const Part& column);
  ~Texts();

  // None where the value is missing. Valid until the next call.
  std::optional<std::string_view> at(Index row);

 private:
  std::string_view text(Index i) const;

  const ArrowArray* array_;
  Index first_;
  char format_;
  bool view_;
  std::unique_ptr<Texts> categories_;
  std::array<char, 24> digits_ = {};
};

}  // namespace lass0::arrow
