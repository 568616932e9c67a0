#include "exact/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace lass0 {

Incumbent Candidates::incumbent(Columns support) const {
  Incumbent at;
  for (const Index j : support) {
    at.support.push_back(representative_[static_cast<std::size_t>(j)]);
  }
  std::sort(at.support.begin(), at.support.end());
  at.loss = loss(at.support);
  // Dependent, to the last digits, in this order of its columns: anything is better.
  if (!std::isfinite(at.loss)) at.loss = kNoLoss;
  return at;
}

std::vector<Index> Candidates::columns(const Incumbent& at) const {
  std::vector<Index> columns;
  for (const Index j : at.support) columns.push_back(copies(j).front());
  return columns;
}

}  // namespace lass0
