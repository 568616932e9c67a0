#include <fmt/format.h>

#include <lass0/error.hpp>

namespace lass0 {
namespace {

std::string escaped(const std::string& message) {
  std::string text;
  text.reserve(message.size());
  for (const char c : message) {
    if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      text += fmt::format("\\x{:02x}", static_cast<int>(c));
    else
      text += c;
  }
  return text;
}

}  // namespace

Error::Error(const std::string& message) : std::runtime_error(escaped(message)) {}

}  // namespace lass0
