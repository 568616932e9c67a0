// Where the search under signs begins: the supports along the path of the Lasso whose coefficients
// keep the signs.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

// The distinct ones, by falling lambda; the last is the first of more than `max_support` columns,
// where there is one.
std::vector<std::vector<Index>> signed_lasso_supports(const Moments& moments, Index max_support,
                                                      const Budget& budget);

}  // namespace lass0
