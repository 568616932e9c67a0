#include "select/sizes_that_matter.hpp"

#include <algorithm>

namespace lass0 {
namespace {

// Columns whose price a full search may save at a size, beyond what it saves at the chosen one.
constexpr double kMaySave = 3;
// Larger sizes lead to better rows of smaller ones, by removes: a few of them, and this share.
constexpr Index kFewMore = 2, kShareMore = 4;

Index with_some_more(Index k) { return k + std::max(kFewMore, k / kShareMore); }

Index last_at_lambda(const SupportTable& quick, double lambda) {
  const Index chosen = std::ssize(quick.at_lambda(lambda).support);
  const auto objective = [&](Index k) {
    return 0.5 * quick.at_k(k).loss + lambda * static_cast<double>(k);
  };
  Index last = chosen;
  for (Index k = chosen + 1; k <= quick.max_k(); ++k) {
    if (objective(k) <= objective(chosen) + kMaySave * lambda) last = k;
  }
  for (Index k = chosen + 1; k <= quick.max_k(); ++k) {
    if (!quick.at_k(k).lambda_max) continue;
    last = std::max(last, k);
    break;
  }
  return last;
}

}  // namespace

Index last_size_that_matters(const SupportTable& quick, const Tuning& chosen, Tune tune) {
  const Index last = tune == Tune::k ? *chosen.k : last_at_lambda(quick, chosen.lambda);
  return std::min(quick.max_k(), with_some_more(last));
}

}  // namespace lass0
