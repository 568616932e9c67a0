// A target of two classes: which of them is 1.
#pragma once

#include <lass0/io.hpp>
#include <string>
#include <vector>

#include "io/raw_table.hpp"

namespace lass0::io {

struct Classes {
  std::vector<std::string> names;  // of y = 0 and of y = 1
  Vector y;                        // one per row, 0 or 1
};

// From the target as texts, which may all be numbers (1 and 1.0 are then the same class), or as
// numbers. In a fit the classes are those that occur, in the order of numbers or of the alphabet,
// and Error says so unless they are two. In predictions they are `known`, and Error names the first
// row with another.
Classes classes_of(const RawTable& raw, const TextColumn& target,
                   const std::vector<std::string>& known);
Classes classes_of(const RawTable& raw, const Vector& target,
                   const std::vector<std::string>& known);

}  // namespace lass0::io
