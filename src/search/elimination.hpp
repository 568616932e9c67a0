// Backward elimination without looking at any other column: O(k^2) a step, nothing of length p.
#pragma once

#include <functional>
#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

// From `support` (independent columns) removes the member whose loss is least, again and again;
// `visit` gets each support on the way, the first one and the empty one included, with its loss in
// internal units.
void eliminate(const Moments& moments, std::vector<Index> support,
               const std::function<void(const std::vector<Index>& support, double loss)>& visit);

}  // namespace lass0
