// Spreadsheets are not read, but people try: a sentence that says what the file is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <lass0/error.hpp>

#include "io/formats.hpp"

namespace lass0::io {
namespace {

constexpr std::string_view zip_magic = "PK\x03\x04", ole_magic = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

bool is_workbook(std::string_view bytes) {
  if (bytes.starts_with(ole_magic)) return true;  // .xls
  // .xlsx: the names of its parts stand in the directory at the end of the archive, and the first
  // ones at its beginning.
  constexpr std::string_view part = "xl/workbook";
  constexpr std::size_t enough = std::size_t{1} << 16;
  if (!bytes.starts_with(zip_magic)) return false;
  const std::string_view head = bytes.substr(0, enough);
  const std::string_view tail = bytes.substr(bytes.size() - std::min(enough, bytes.size()));
  return head.find(part) != head.npos || tail.find(part) != tail.npos;
}

}  // namespace

void reject_spreadsheet(std::string_view lower_case_name, std::string_view bytes,
                        const std::string& source) {
  if (is_workbook(bytes)) {
    throw Error(fmt::format(
        "{}: this is an Excel workbook, which can't be read; save the sheet as CSV and use that",
        source));
  }
  constexpr std::array<std::string_view, 4> extensions = {".xlsx", ".xls", ".xlsm", ".xlsb"};
  const bool named =
      std::any_of(extensions.begin(), extensions.end(),
                  [&](std::string_view extension) { return lower_case_name.ends_with(extension); });
  if (named) {
    throw Error(fmt::format(
        "{}: the name is that of an Excel workbook, but the content is not; if it is text, say "
        "which format, for instance --input-format csv",
        source));
  }
}

}  // namespace lass0::io
