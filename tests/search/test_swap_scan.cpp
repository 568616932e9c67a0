// The scan that looks at few swaps against all of them, each refitted.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/search.hpp>

#include "moments/independent.hpp"
#include "search/state/swap_scan.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

double best_by_refits(const Moments& moments, const std::vector<Index>& support, Index kept_out) {
  const double here = fit_support(moments, support).loss;
  double best = 0;
  for (std::size_t i = 0; i < support.size(); ++i) {
    for (Index j = 0; j < moments.cols(); ++j) {
      if (j == kept_out || !moments.eligible(j) ||
          std::find(support.begin(), support.end(), j) != support.end())
        continue;
      std::vector<Index> other = support;
      other[i] = j;
      const SupportFit fit = fit_support(moments, other);
      if (fit.independent) best = std::max(best, here - fit.loss);
    }
  }
  return best;
}

TEST(SwapScan, FindsTheBestOfAllSwaps) {
  const Budget unlimited{Control{}};
  int improving = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 1000);
    const OwnedProblem owned(data_with_copies(seed));
    const Moments moments(owned);
    SwapScan scan(moments);
    const auto drawn =
        rng.subset(moments.cols(), 1 + rng.below(std::min<Index>(7, moments.cols())));
    SupportState state(moments, independent_columns(moments, drawn, kAliasTolerance).kept,
                       SupportState::Detail::gains, unlimited);
    const Index kept_out = rng.chance(0.3) ? rng.below(moments.cols()) : -1;
    for (;;) {  // down to where no swap helps
      const double want = best_by_refits(moments, state.support(), kept_out);
      const Step swap = scan.best(state, kept_out);
      EXPECT_NEAR(swap.gain, want, 1e-9 * moments.target_square());
      if (!(swap.gain > 1e-8 * moments.target_square())) break;
      ASSERT_TRUE(state.contains(swap.remove));
      ASSERT_FALSE(state.contains(swap.add));
      ASSERT_NE(swap.add, kept_out);
      const double before = state.loss();
      state.remove(swap.remove);
      state.add(swap.add);
      EXPECT_NEAR(before - state.loss(), swap.gain, 1e-9 * moments.target_square());
      ++improving;
    }
    ++none;
  }
  EXPECT_GT(improving, 400);
  EXPECT_EQ(none, 400);
}

}  // namespace
}  // namespace lass0::testing
