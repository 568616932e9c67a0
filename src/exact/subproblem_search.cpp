#include "exact/subproblem_search.hpp"

#include <algorithm>
#include <limits>

namespace lass0 {

double promise(const Subproblem& sub, const Goal& goal) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < sub.lower.size(); ++m) {
    const Index size = static_cast<Index>(sub.in.size() + m);
    if (size > goal.max_size()) break;
    most = std::max(most, goal.threshold(size) - sub.lower[m]);
  }
  return most;
}

}  // namespace lass0
