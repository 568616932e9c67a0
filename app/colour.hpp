// Colours for people at a terminal. Where standard output is no terminal, where NO_COLOR is set
// (no-color.org) or the terminal is dumb, text stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace lass0::app {

enum class Paint {
  heading,  // of a table
  label,    // at the beginning of a line
  up,       // bars of positive numbers
  down,     // bars of negative numbers
  chosen,   // what the answer is
};

std::string paint(Paint paint, std::string_view text);

// The length of the escape sequence that `text` begins with; 0: none.
std::size_t escape_length(std::string_view text);

}  // namespace lass0::app
