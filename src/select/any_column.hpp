// Is any column related to the target at all? One test of all rows, beside what folds say.
#pragma once

#include "model/solver.hpp"

namespace lass0 {

// A p-value of the hypothesis that none is: the smallest one of the t-tests of the single columns
// (each with the intercept and the included columns alone), times the number of columns that a
// solver may choose (Bonferroni), at most 1. Columns that are held to one sign count where they
// have it. Weights are precisions: the degrees of freedom count rows. Of a target of two classes
// the t-test is nearly the score test of logistic regression; with an offset it is not, and 1.
double any_column_p_value(const Solver& rows);

}  // namespace lass0
