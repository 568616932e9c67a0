// Backward elimination from all columns but one, for each of them: other ways down than that from
// all columns, for tables of few columns.
#pragma once

#include <functional>
#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

// Calls offer(support, loss) for each support on these ways whose loss is below that of the row of
// its size, up to max_k columns. A way ends where it is far above the row. Nothing is done where
// columns are many, or nearly dependent.
void eliminate_without_each(
    const Moments& moments, Index max_k, const std::function<double(Index k)>& row_loss,
    const std::function<void(const std::vector<Index>& support, double loss)>& offer);

}  // namespace lass0
