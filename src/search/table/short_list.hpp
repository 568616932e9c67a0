// Which of many columns a quick search looks at.
//
// The columns nearest to y are a first list. Forward selection among those that are listed gives
// models of several sizes, and one pass over X what all columns have in common with their
// residuals: the nearest to each join the list, and so on. A column that matters for a model of any
// size is near the residual of a good model that lacks it; which columns are far from all of them
// is never looked at again.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/support_table.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

// All lists are ascending.

// For models of up to max_k columns.
std::vector<Index> short_list(const Moments& moments, Index max_k, const Budget& budget);

// That list and as many columns again, those nearest to the residuals of Lasso solutions: where
// many columns are true and rows are few, forward selection goes astray, and the Lasso finds most
// of them among many others.
std::vector<Index> long_list(const Moments& moments, const std::vector<Index>& first, Index max_k,
                             const Budget& budget);

// The members of a table's rows and the columns nearest to their residuals, at sizes up to max_k
// for which rows are few (hard_sizes): the last true columns that a list lacks are near the
// residual of a row that has nearly all others.
std::vector<Index> list_near(const Moments& moments, const SupportTable& table, Index max_k,
                             const Budget& budget);

// The members of a table's rows and the columns nearest to their residuals, at sizes that are
// evenly spread.
std::vector<Index> list_around(const Moments& moments, const SupportTable& table,
                               const Budget& budget);

}  // namespace lass0
