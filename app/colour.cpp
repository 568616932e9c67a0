#include "colour.hpp"

#include <unistd.h>

#include <cstdlib>

namespace lass0::app {
namespace {

bool wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string_view code(Paint paint) {
  switch (paint) {
    case Paint::heading:
      return "\x1b[1m";
    case Paint::label:
      return "\x1b[2m";
    case Paint::up:
      return "\x1b[36m";
    case Paint::down:
      return "\x1b[35m";
    case Paint::chosen:
      return "\x1b[1;32m";
  }
  return "";
}

}  // namespace

std::string paint(Paint paint, std::string_view text) {
  static const bool colours = wanted();
  if (!colours || text.empty()) return std::string(text);
  return std::string(code(paint)).append(text).append("\x1b[0m");
}

std::size_t escape_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace lass0::app
