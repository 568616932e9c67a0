// A part of a table: the rows of a few sizes, from supports that somebody else has found.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "search/table/table_rows.hpp"

namespace lass0 {

// What starts are known to be. Nearly best: those of all sizes together are what a search of much
// the same problem has found. Then moves from them are enough: no Lasso path, no eliminations, no
// escapes from local optima.
enum class StartsAre { some, nearly_best };

// Rows of the sizes |from| + 1 .. last, filled by forward steps from `from`, then as the rows of
// any table, with `starts` offered to the rows of their sizes. Fewer where columns run out. The
// first is that of |from| + 1 columns. Throws Stop.
std::vector<Row> rows_between(const Moments& moments, const std::vector<Index>& from, Index last,
                              const std::vector<std::vector<Index>>& starts, Effort effort,
                              StartsAre known, const Budget& budget);

}  // namespace lass0
