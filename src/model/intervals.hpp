// CV+ intervals: the order statistics they are made of.
#pragma once

#include <lass0/model.hpp>
#include <span>
#include <vector>

namespace lass0 {

// The rank (from 1) of the lower end among all prediction - residual; the upper end has the same
// rank from above. Throws UsageError for a coverage outside (0, 1), Error where the rank would be
// 0.
Index check_coverage(double coverage, std::span<const std::vector<double>> residuals);

// The rank-th smallest (from 1) of all shift[f] + values[f][i], where each values[f] is ascending.
double smallest_of_shifted(std::span<const double> shifts,
                           std::span<const std::vector<double>> values, Index rank);

}  // namespace lass0
