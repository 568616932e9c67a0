// The swept matrix of few columns against SupportState and against refits, on walks through
// supports.
#include <gtest/gtest.h>

#include <lass0/search.hpp>

#include "moments/independent.hpp"
#include "search/tableau.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

void expect_same(const Tableau& tableau, const SupportState& state, const Moments& moments) {
  const double unit = moments.target_square(), close = 1e-8 * unit;
  ASSERT_EQ(tableau.size(), state.size());
  EXPECT_NEAR(tableau.loss(), state.loss(), close);
  EXPECT_NEAR(tableau.condition() / state.condition(), 1, 1e-6);
  for (Index i = 0; i < tableau.size(); ++i) {
    const Index member = tableau.support()[static_cast<std::size_t>(i)];
    ASSERT_TRUE(state.contains(member));
    ASSERT_EQ(tableau.position(member), i);
    EXPECT_NEAR(tableau.remove_loss(i), state.remove_loss(state.position(member)), close);
  }
  for (Index j = 0; j < moments.cols(); ++j) {
    EXPECT_EQ(tableau.contains(j), state.contains(j));
    // Near the border of what counts as aliased rounding decides.
    if (state.contains(j) || !(state.s()[j] > 1e-6 * moments.squares()[j])) continue;
    ASSERT_TRUE(tableau.addable(j));
    EXPECT_NEAR(tableau.s()[j], state.s()[j], 1e-8 * moments.squares()[j]);
    EXPECT_NEAR(tableau.add_gain(j), state.add_gain(j), close);
    EXPECT_NEAR(tableau.add_gain_rounding(j), state.add_gain_rounding(j), close);
  }
}

TEST(Tableau, IsWhatAStateBuiltAnewIs) {
  const Budget unlimited{Control{}};
  int moves = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 500);
    const OwnedProblem owned(data_with_copies(seed));
    const Moments moments(owned);
    const auto drawn = rng.subset(moments.cols(), rng.below(std::min<Index>(9, moments.cols())));
    Tableau tableau(moments, independent_columns(moments, drawn, kAliasTolerance).kept, unlimited);
    for (int step = 0; step < 12; ++step, ++moves) {
      const SupportState state(moments, tableau.support(), SupportState::Detail::gains, unlimited);
      expect_same(tableau, state, moments);
      const Index j = rng.below(moments.cols());
      if (tableau.contains(j)) {
        tableau.remove(j);
      } else if (state.addable(j) && state.s()[j] > 1e-6 * moments.squares()[j]) {
        tableau.add(j);
      }
    }
    const auto other = rng.subset(moments.cols(), rng.below(std::min<Index>(9, moments.cols())));
    const auto target = independent_columns(moments, other, kAliasTolerance).kept;
    tableau.walk_to(target);
    expect_same(tableau, SupportState(moments, target, SupportState::Detail::gains, unlimited),
                moments);
  }
  EXPECT_GT(moves, 2000);
}

// More moves than columns outside wait for.
TEST(Tableau, IsThatAfterHundredsOfMovesToo) {
  const Budget unlimited{Control{}};
  Rng rng(17);
  const OwnedProblem owned(random_data(17, ProblemSpec{.n = 200, .p = 45, .k = 9, .rho = 0.5}));
  const Moments moments(owned);
  Tableau tableau(moments, {}, unlimited);
  for (int step = 0; step < 700; ++step) {
    const Index j = rng.below(moments.cols());
    if (tableau.contains(j)) {
      tableau.remove(j);
    } else {
      tableau.add(j);
    }
    if (step % 50 != 49) continue;
    const SupportState state(moments, tableau.support(), SupportState::Detail::swaps, unlimited);
    expect_same(tableau, state, moments);
    for (Index i = 0; i < tableau.size(); ++i) {
      const Index member = tableau.support()[static_cast<std::size_t>(i)];
      for (Index a = 0; a < moments.cols(); ++a) {
        if (tableau.contains(a)) continue;
        const double want = state.B(state.position(member), a);
        EXPECT_NEAR(tableau.column(member)[a], want, 1e-9);
        EXPECT_NEAR(tableau.column(a)[member], want, 1e-9);
      }
    }
  }
}

TEST(Tableau, ItsScanFindsWhatTheScanOfManyColumnsFinds) {
  const Budget unlimited{Control{}};
  int improving = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 900);
    const OwnedProblem owned(data_with_copies(seed));
    const Moments moments(owned);
    const auto drawn =
        rng.subset(moments.cols(), 1 + rng.below(std::min<Index>(9, moments.cols())));
    const auto support = independent_columns(moments, drawn, kAliasTolerance).kept;
    const Index kept_out = rng.chance(0.3) ? rng.below(moments.cols()) : -1;
    const ScannedSwap few =
        TableauScan(moments).best(Tableau(moments, support, unlimited), kept_out);
    const ScannedSwap many = SwapScan(moments).best(
        SupportState(moments, support, SupportState::Detail::gains, unlimited), kept_out);
    EXPECT_NEAR(few.gain, many.gain, 1e-8 * moments.target_square());
    improving += few.gain > 1e-6 * moments.target_square() ? 1 : 0;
    if (few.gain > 0) {
      EXPECT_NE(few.add, kept_out);
      std::vector<Index> swapped = support;
      std::replace(swapped.begin(), swapped.end(), few.remove, few.add);
      EXPECT_NEAR(fit_support(moments, support).loss - fit_support(moments, swapped).loss, few.gain,
                  1e-8 * moments.target_square());
    }
  }
  EXPECT_GT(improving, 200);
}

}  // namespace
}  // namespace lass0::testing
