// Which lambdas select which row of a table.
#pragma once

#include <lass0/support_table.hpp>

namespace lass0 {

// The lower convex envelope of (k, loss_k / 2): where row k is best, lambda lies between the slopes
// to its neighbours on it. Sets lambda_min and lambda_max.
void find_lambda_ranges(std::vector<TableRow>& rows);

}  // namespace lass0
