// Backward elimination without looking at any other column: O(k^2) a step, nothing of length p.
#pragma once

#include <functional>
#include <lass0/moments.hpp>
#include <lass0/support_table.hpp>
#include <optional>
#include <vector>

namespace lass0 {

// From `support` removes the member whose loss is least, again and again; `visit` gets each support
// on the way, the first one and the empty one included, with its loss in internal units, and says
// whether to go on. Sure: no column was nearly dependent on the others, so the loss has its digits.
// False, and nothing is visited: the columns are dependent.
using Visit = std::function<bool(const std::vector<Index>& support, double loss, bool sure)>;
bool eliminate(const Moments& moments, std::vector<Index> support, const Visit& visit);

// A table of every size from all columns down: no search, but enough for a proof to start from
// where columns are few. Empty where they are dependent.
std::optional<SupportTable> eliminated_table(const Moments& moments);

}  // namespace lass0
