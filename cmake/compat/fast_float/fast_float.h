// Stands in for the fast_float library on systems that don't package it (Ubuntu 22.04): the same function, from the
// standard library. Right to the last bit as well, only slower.
#pragma once

#include <charconv>

namespace fast_float {

inline std::from_chars_result from_chars(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

}  // namespace fast_float
