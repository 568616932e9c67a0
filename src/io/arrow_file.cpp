// Parquet and Arrow files are for Python, which has libraries that read them: say so, instead of
// reading them as text.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>

#include "io/formats.hpp"

namespace lass0::io {

namespace {

// Parquet begins with PAR1 and numbers in binary, which no text file has: a CSV file may have a
// column PAR1.
bool is_parquet(std::string_view bytes) {
  constexpr std::size_t kMagic = 4, kLooked = 64;
  if (!bytes.starts_with("PAR1")) return false;
  const std::string_view next = bytes.substr(kMagic, kLooked);
  return std::any_of(next.begin(), next.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

}  // namespace

void reject_arrow_file(std::string_view bytes, const std::string& source) {
  using namespace std::string_view_literals;
  const bool parquet = is_parquet(bytes);
  if (!parquet && !bytes.starts_with("ARROW1\0"sv)) return;
  throw Error(fmt::format(
      "{}: this is {} file, which lass0 reads from Python only: make a file of moments of it, "
      "python -m lass0 moments DATA --target Y --output FILE",
      source, parquet ? "a Parquet" : "an Arrow"));
}

}  // namespace lass0::io
