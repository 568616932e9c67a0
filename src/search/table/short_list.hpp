// Which of many columns a quick search looks at.
//
// The columns nearest to y are a first list. Forward selection among those that are listed gives
// models of several sizes, and one pass over X what all columns have in common with their
// residuals: the nearest to each join the list, and so on. A column that matters for a model of any
// size is near the residual of a good model that lacks it; which columns are far from all of them
// is never looked at again.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

// Ascending. For models of up to max_k columns.
std::vector<Index> short_list(const Moments& moments, Index max_k, const Budget& budget);

}  // namespace lass0
