#include <lass0/version.hpp>

namespace lass0 {

std::string_view version() { return LASS0_VERSION; }

}  // namespace lass0
