// The table of best supports when coefficients have signs (Problem::signs): the best of those
// supports whose least-squares coefficients have the right signs, which is the best fit of at most
// k columns under signs. From the best support of k columns there is always an add that lowers the
// loss, unless its fit is the best of all columns under signs (the problem without a bound on k is
// convex): so the loss falls strictly from row to row, no size is missing, and the table ends
// there.
#pragma once

#include <lass0/support_table.hpp>

namespace lass0 {

SupportTable best_signed_supports(const Moments& moments, const TableOptions& options);

}  // namespace lass0
