#pragma once

#include <string_view>

namespace lass0 {

std::string_view version();  // "0.1.0"

}  // namespace lass0
