// The table that a goal is answered from: as many sizes as the goal needs.
#pragma once

#include <lass0/fit.hpp>

#include "model/solver.hpp"

namespace lass0 {

// Of a size: the sizes up to it. At a lambda: the default sizes, and more where lambda selects the
// last of them, because it may select a larger model then. At least `sizes` in any case.
SupportTable table_for_goal(const Solver& solver, const FitGoal& goal, Effort effort, Index sizes,
                            const Budget& budget);

bool selects_last_row(const SupportTable& table, double lambda);

}  // namespace lass0
