// The table of best supports when no coefficient has a sign, whatever the problem says of signs.
#pragma once

#include <lass0/support_table.hpp>

namespace lass0 {

SupportTable best_free_supports(const Moments& moments, const TableOptions& options);

}  // namespace lass0
