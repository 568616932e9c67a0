// Which format a file has.
#pragma once

#include <lass0/io.hpp>

namespace lass0::io {

// By the options, the content or the name. Throws Error where it is a spreadsheet, UsageError where
// an option does not work with the format.
FileFormat format_of(const std::string& path, std::string_view bytes, const ReadOptions& options);

}  // namespace lass0::io
