// Gram columns for a solver that may be stopped: asked for in pieces of about a tenth of a second.
#pragma once

#include <algorithm>
#include <iterator>
#include <lass0/moments.hpp>
#include <vector>

#include "moments/access.hpp"
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
    prefetch_within(moments, Columns(missing).subspan(done, std::min(piece, missing.size() - done)),
                    budget);
  }
}

// A missing Gram column is computed together with those of the candidates of highest score: one
// pass over X, or over the rows that a training set leaves out, serves all of them.
template <class Score>
void fetch_with_likely(const Moments& moments, Index wanted, std::vector<Index> candidates,
                       const Score& score, const Budget& budget) {
  const bool over_all_rows = moments.cached_over_all_rows(wanted);
  std::erase_if(candidates, [&](Index j) {
    return j == wanted || moments.cached(j) || moments.cached_over_all_rows(j) != over_all_rows;
  });
  const auto count = std::min(static_cast<std::size_t>(kGramBatch - 1), candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                    candidates.end(), [&](Index i, Index j) { return score(i) > score(j); });
  candidates.resize(count);
  candidates.push_back(wanted);
  fetch_within_budget(moments, candidates, budget);
}

}  // namespace lass0
