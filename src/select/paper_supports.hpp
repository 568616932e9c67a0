// Lass0 to the letter of the paper at one lambda after another.
#pragma once

#include <vector>

#include "model/solver.hpp"
#include "util/budget.hpp"

namespace lass0 {

// For every lambda (largest first) the support that Algorithm 1 finds from that of the Lasso at the
// same lambda. The Lassos are one path: each is solved from the one before, to this tolerance
// (LassoOptions). Throws Stop.
std::vector<std::vector<Index>> paper_supports(const Solver& rows, std::span<const double> lambdas,
                                               double l1_tolerance, const Budget& budget);

}  // namespace lass0
