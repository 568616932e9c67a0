// Supports for a table to begin with: each distinct one on the Lasso path, and what backward
// elimination makes of it.
#pragma once

#include <functional>
#include <lass0/moments.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

// Calls visit(support, loss, sure) for those of up to max_k columns, as eliminate() does.
void visit_lasso_supports(
    const Moments& moments, Index max_k, const Budget& budget,
    const std::function<void(const std::vector<Index>& support, double loss, bool sure)>& visit);

}  // namespace lass0
