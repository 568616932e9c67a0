// Algorithm 1 when coefficients have signs: adds and removes, each refitted under signs, as long as
// the objective strictly falls.
//
// A refit may set more columns to 0 than a move takes out. At the end no support that keeps the
// signs and is an add, a remove or a swap away is better: an add that pushes members out is no
// worse than the swap for one of them, which the scan of swaps sees, and a remove that leads to
// more than one column less is better than the remove alone.
#pragma once

#include <lass0/search.hpp>

namespace lass0 {

// Throws UsageError where the penalty has a power.
SearchResult signed_search(const Moments& moments, Columns start, const Penalty& penalty,
                           const Control& control);

}  // namespace lass0
