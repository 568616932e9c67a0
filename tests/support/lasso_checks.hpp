// What must hold of every point of a Lasso path, whoever computed it.
#pragma once

#include <lass0/lasso.hpp>

#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {

Vector dense_beta(const Iterate& at, Index p);
void expect_well_formed(const LassoPoint& point, Index p);
// What the point says of itself holds when it is recomputed from the raw data.
void expect_honest(const LassoPoint& point, const Data& data, double tolerance);
// Coefficients in units of the columns' deviations: the largest difference from the oracle's,
// relative to the largest of these.
double distance(const LassoPoint& point, const OracleLasso& oracle, const Centred& centred);

}  // namespace lass0::testing
