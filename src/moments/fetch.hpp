// Gram columns for a solver that may be stopped: asked for in pieces of about a tenth of a second.
#pragma once

#include <algorithm>
#include <iterator>
#include <lass0/moments.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

inline void fetch_within_budget(const Moments& moments, Columns columns, const Budget& budget) {
  constexpr double kFlopsPerPiece = 4e9;
  const double flops = 2.0 * static_cast<double>(moments.problem().design->rows()) *
                       static_cast<double>(moments.cols());
  const auto piece = static_cast<std::size_t>(std::clamp(kFlopsPerPiece / (flops + 1), 1.0, 1e6));
  std::vector<Index> missing;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(missing),
               [&](Index j) { return !moments.cached(j); });
  for (std::size_t done = 0; done < missing.size(); done += piece) {
    budget.check();
    moments.prefetch(Columns(missing).subspan(done, std::min(piece, missing.size() - done)));
  }
}

}  // namespace lass0
