// The header of a .npy file: a Python dictionary of a fixed form, read strictly.
#pragma once

#include <lass0/types.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lass0::io {

struct NpyHeader {
  std::string type;  // "<f8"
  bool fortran = false;
  std::vector<Index> shape;
};

// `text` is the dictionary with the blanks and the line end behind it; `source` is for messages.
NpyHeader parse_npy_header(std::string_view text, const std::string& source);

}  // namespace lass0::io
