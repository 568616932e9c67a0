// Stands in for the fast_float library on systems that don't package it (Ubuntu 22.04): the same function, from the
// standard library. Right to the last bit as well, only slower.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace fast_float {

inline std::from_chars_result from_chars(const char* first, const char* last, double& value) {
  std::from_chars_result result = std::from_chars(first, last, value);
  if (result.ec == std::errc::result_out_of_range) {
    // fast_float goes on with infinity or zero. The exponent's sign, or a leading "0.", tells which.
    std::string_view text(first, static_cast<std::size_t>(result.ptr - first));
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const auto exponent = text.find_first_of("eE");
    const bool tiny = exponent == text.npos ? text.starts_with("0.") || text.starts_with('.')
                                            : text.substr(exponent + 1).starts_with('-');
    value = std::copysign(tiny ? 0.0 : std::numeric_limits<double>::infinity(), negative ? -1 : 1);
    result.ec = std::errc();
  }
  return result;
}

}  // namespace fast_float
