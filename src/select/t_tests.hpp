// The t-tests of ordinary (weighted) least squares, one per column.
#pragma once

#include <lass0/problem.hpp>
#include <vector>

namespace lass0 {

// Two-sided p-values of the tested columns in the least-squares fit on these, on the problem's
// included columns and on the intercept, over the rows of positive weight. Weights are precisions
// (inverse variances): the degrees of freedom count rows. 1 for columns whose coefficient the rows
// do not determine, because they are constant or depend linearly on others of the fit. Ridge and
// signs of the problem are not used. `tested`: ascending, without included ones.
std::vector<double> t_test_p_values(const Problem& problem, Columns tested);

}  // namespace lass0
