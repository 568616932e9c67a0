// What bounds alone decide about a subproblem, before it is searched.
#pragma once

#include "exact/goal.hpp"
#include "exact/subproblem.hpp"
#include "util/budget.hpp"

namespace lass0 {

// Raises sub.lower by all bounds there are, and decides columns: one without which (with which) no
// support beats its threshold is moved to `in` (left out). True: some were, so that `reduced` is no
// longer that of `sub`. Otherwise reduced.delta is set. `reduced` is that of `sub`, and regular.
bool tighten(Reduced& reduced, const Goal& goal, const Budget& budget, Subproblem& sub);

// One for each of reduced.free, which is regular.
std::vector<OneSidedBounds> one_sided_bounds(const Reduced& reduced, const Goal& goal,
                                             const Budget& budget, Subproblem sub);

}  // namespace lass0
