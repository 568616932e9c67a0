// The swap gain, against a refit of every swap, and the loop that makes steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "moments/independent.hpp"
#include "search/state/all_swaps.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(Step, TheSwapGainIsWhatARefitGains) {
  const Budget unlimited{Control{}};
  int swaps = 0, barred = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 300);
    const OwnedProblem owned(random_general_data(seed, 10));
    const Moments moments(owned);
    const double close = 1e-9 * moments.target_square();
    const auto drawn = rng.subset(moments.cols(), rng.below(std::min<Index>(5, moments.cols())));
    const auto support = independent_columns(moments, drawn, kAliasTolerance).kept;
    const SupportState state(moments, support, SupportState::Detail::swaps, unlimited);
    AllSwaps all(moments, state);
    for (Index i = 0; i < state.size(); ++i) {
      const Replaced member = state.replaced(i);
      all.choose(i);
      for (Index j = 0; j < moments.cols(); ++j) {
        std::vector<Index> swapped = state.support();
        swapped[static_cast<std::size_t>(i)] = j;
        if (state.contains(j) || !moments.eligible(j)) {
          EXPECT_EQ(all.regain()[j], -1);
          ++barred;
          continue;
        }
        const SupportFit fit = fit_support(moments, swapped);
        if (!fit.independent) continue;
        const double B = state.B(i, j), unexplained = member.unexplained(state.s()[j], B);
        const double correlation = member.correlation(state.r()[j], B);
        EXPECT_NEAR(member.gain(correlation, unexplained, state.loss()), state.loss() - fit.loss,
                    close);
        EXPECT_NEAR(all.gain(j), state.loss() - fit.loss, close);
        ++swaps;
      }
    }
  }
  EXPECT_GT(swaps, 200);
  EXPECT_GT(barred, 100);
}

TEST(Step, TiesGoToTheLowerColumns) {
  Step best;
  best.take_better(7, 3, 0.0);  // gains nothing
  EXPECT_FALSE(best);
  best.take_better(7, 3, 1.0);
  best.take_better(5, 9, 1.0);
  best.take_better(5, 8, 1.0);
  best.take_better(6, 1, 1.0);
  best.take_better(1, 1, 0.5);
  EXPECT_EQ(best.remove, 5);
  EXPECT_EQ(best.add, 8);
}

TEST(Step, AStrictImprovementIsMoreThanRounding) {
  const Step step{0, 1, 1e-9};
  EXPECT_TRUE(strict(step, 1.0, 1.0));
  EXPECT_FALSE(strict(step, 100.0, 100.0));  // of the loss
  EXPECT_FALSE(strict(step, 0.0, 1e5));      // of y'y
  EXPECT_FALSE(strict(Step{}, 0.0, 0.0));
}

// Down a stair of numbers, whose last steps are seen only after a second look.
TEST(Descent, EndsWhereASecondLookFindsNothing) {
  int at = 9, lowest_seen = 4, looks = 0;
  descend(
      [&]() -> std::optional<int> {
        return at > lowest_seen ? std::optional(at - 1) : std::nullopt;
      },
      [&](const std::optional<int>& next) {
        at = *next;
        return true;
      },
      [&] {
        ++looks;
        return std::exchange(lowest_seen, 2) > 2;
      });
  EXPECT_EQ(at, 2);
  EXPECT_EQ(looks, 2);
}

TEST(Descent, EndsWithAStepThatBreaksItsPromise) {
  int made = 0;
  descend([] { return Step{0, 1, 1.0}; }, [&](const Step&) { return ++made < 3; });
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace lass0::testing
