// Parquet and Arrow files are for Python, which has libraries that read them: say so, instead of
// reading them as text.
#include <fmt/format.h>

#include <lass0/error.hpp>

#include "io/formats.hpp"

namespace lass0::io {

void reject_arrow_file(std::string_view bytes, const std::string& source) {
  const bool parquet = bytes.starts_with("PAR1");
  if (!parquet && !bytes.starts_with("ARROW1")) return;
  throw Error(fmt::format(
      "{}: this is {} file, which lass0 reads from Python only: make a file of moments of it, "
      "python -m lass0 moments DATA --target Y --output FILE",
      source, parquet ? "a Parquet" : "an Arrow"));
}

}  // namespace lass0::io
