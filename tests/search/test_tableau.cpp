// Walks through supports, by the swept matrix of few columns and by the state of many: each step is
// where a state built anew is.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/search.hpp>

#include "moments/independent.hpp"
#include "search/state/swap_scan.hpp"
#include "search/tableau/tableau.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

template <class State>
void expect_same(const State& moved, const SupportState& state, const Moments& moments) {
  const double unit = moments.target_square(), close = 1e-8 * unit;
  ASSERT_EQ(moved.size(), state.size());
  EXPECT_NEAR(moved.loss(), state.loss(), close);
  EXPECT_NEAR(moved.condition() / state.condition(), 1, 1e-6);
  for (Index i = 0; i < moved.size(); ++i) {
    const Index member = moved.support()[static_cast<std::size_t>(i)];
    ASSERT_TRUE(state.contains(member));
    ASSERT_EQ(moved.position(member), i);
    EXPECT_NEAR(moved.remove_loss(i), state.remove_loss(state.position(member)), close);
  }
  for (Index j = 0; j < moments.cols(); ++j) {
    EXPECT_EQ(moved.contains(j), state.contains(j));
    // Near the border of what counts as aliased rounding decides.
    if (state.contains(j) || !(state.s()[j] > 1e-6 * moments.squares()[j])) continue;
    ASSERT_TRUE(moved.addable(j));
    EXPECT_NEAR(moved.s()[j], state.s()[j], 1e-8 * moments.squares()[j]);
    EXPECT_NEAR(moved.add_gain(j), state.add_gain(j), close);
    EXPECT_NEAR(moved.add_gain_rounding(j), state.add_gain_rounding(j), close);
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

TEST(SupportState, SwapsAndWalksEndWhereAStateBuiltAnewIs) {
  const Budget unlimited{Control{}};
  const auto detail = SupportState::Detail::gains;
  int swaps = 0, walks = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 900);
    const OwnedProblem owned(data_with_copies(seed));
    const Moments moments(owned);
    const auto draw = [&] {
      const Index most = std::min<Index>(13, moments.cols());
      const auto drawn = rng.subset(moments.cols(), 1 + rng.below(most));
      return independent_columns(moments, drawn, kAliasTolerance).kept;
    };
    SupportState state(moments, draw(), detail, unlimited);
    for (int step = 0; step < 12 && state.size() > 0; ++step) {
      const Index removed = state.support()[static_cast<std::size_t>(rng.below(state.size()))];
      const Index added = rng.below(moments.cols());
      SupportState without = state;
      without.remove(removed);
      if (added == removed || !without.addable(added) ||
          without.s()[added] < 1e-6 * moments.squares()[added])
        continue;
      state.swap(removed, added);
      EXPECT_FALSE(state.contains(removed));
      expect_same(state, SupportState(moments, state.support(), detail, unlimited), moments);
      ++swaps;
    }
    // To a support that shares most members, as the rows of a table do.
    std::vector<Index> target = state.support();
    for (int l = 0; l < 3 && !target.empty(); ++l)
      target[static_cast<std::size_t>(rng.below(std::ssize(target)))] = rng.below(moments.cols());
    std::sort(target.begin(), target.end());
    target.erase(std::unique(target.begin(), target.end()), target.end());
    target = independent_columns(moments, target, 1e-4).kept;
    state.walk_to(target);
    expect_same(state, SupportState(moments, target, detail, unlimited), moments);
    ++walks;
  }
  EXPECT_GT(swaps, 800);
  EXPECT_EQ(walks, 200);
}

// Walks of many moves, which are made together: from large supports to larger and smaller ones.
TEST(SupportState, LongWalksEndWhereAStateBuiltAnewIs) {
  const Budget unlimited{Control{}};
  const auto detail = SupportState::Detail::gains;
  int longer = 0, shorter = 0, of_one_size = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const double rho = seed % 2 == 0 ? 0.3 : 0.95;
    const OwnedProblem owned(random_data(seed, {.n = 150, .p = 130, .k = 9, .rho = rho}));
    const Moments moments(owned);
    SupportState state(moments, rng.subset(moments.cols(), 60), detail, unlimited);
    for (int walk = 0; walk < 6; ++walk) {
      const Index leave = seed % 3 == 0 ? 0 : rng.below(22), come = rng.below(22);
      std::vector<Index> target = state.support();
      for (Index l = 0; l < std::min(leave, state.size() - 40); ++l)
        target.erase(target.begin() + rng.below(std::ssize(target)));
      for (Index l = 0; l < come && std::ssize(target) < 90; ++l) {
        const Index j = rng.below(moments.cols());
        if (std::find(target.begin(), target.end(), j) == target.end()) target.push_back(j);
      }
      (std::ssize(target) > state.size()   ? longer
       : std::ssize(target) < state.size() ? shorter
                                           : of_one_size) += 1;
      state.walk_to(target);
      expect_same(state, SupportState(moments, target, detail, unlimited), moments);
    }
  }
  EXPECT_GT(longer, 50);
  EXPECT_GT(shorter, 50);
  EXPECT_GT(of_one_size, 5);
}

// Columns and their near copies: what comes may be all but what is there.
TEST(SupportState, LongWalksAmongNearCopiesEndThereToo) {
  const Budget unlimited{Control{}};
  const auto detail = SupportState::Detail::gains;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Data data = random_data(seed, {.n = 100, .p = 60, .k = 5, .rho = 0.5});
    for (Index j = 0; j < 30; ++j) {
      data.X.col(30 + j) = data.X.col(j);
      if (seed % 2 == 0)
        data.X.col(30 + j) += 1e-3 * random_data(seed + 99, {.n = 100, .p = 60, .k = 5}).X.col(j);
    }
    const OwnedProblem owned(data);
    const Moments moments(owned);
    const auto independent = [&](const std::vector<Index>& support) {
      return independent_columns(moments, support, 1e-8).kept;
    };
    SupportState state(moments, independent(rng.subset(30, 25)), detail, unlimited);
    for (int walk = 0; walk < 6; ++walk) {
      std::vector<Index> target = state.support();
      for (int l = 0; l < 8; ++l) {
        Index& j = target[static_cast<std::size_t>(rng.below(std::ssize(target)))];
        j = j < 30 ? j + 30 : j - 30;
      }
      std::sort(target.begin(), target.end());
      target.erase(std::unique(target.begin(), target.end()), target.end());
      target = independent(target);
      state.walk_to(target);
      const SupportState anew(moments, target, detail, unlimited);
      ASSERT_EQ(state.size(), anew.size());
      EXPECT_NEAR(state.loss(), anew.loss(), 1e-8 * moments.target_square());
      for (Index j = 0; j < moments.cols(); ++j) EXPECT_EQ(state.contains(j), anew.contains(j));
    }
  }
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
    const Step few = TableauScan(moments).best(Tableau(moments, support, unlimited), kept_out);
    const Step many = SwapScan(moments).best(
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
