// The end of a fit whose table was made before.
#pragma once

#include "model/solver.hpp"

namespace lass0 {

// As fit(solver, options), where options.table is the table that this call would have made: unlike
// with a table of the caller's, it is an error where a model without finite coefficients is better.
Fit fit_own_table(const Solver& solver, const FitOptions& options);

}  // namespace lass0
