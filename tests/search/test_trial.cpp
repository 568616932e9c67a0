// Trials, which take along only what they look at, against the same moves in a tableau of their
// own.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/search.hpp>
#include <optional>

#include "moments/independent.hpp"
#include "search/tableau/trial.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

struct Reached {
  std::vector<Index> support;
  double loss = 0;
  int swaps = 0;
};

// By the definition, every tableau built anew.
std::optional<Reached> by_definition(const Moments& moments, std::vector<Index> support,
                                     Index kept_out) {
  const Budget unlimited{Control{}};
  std::erase(support, kept_out);
  Index instead = -1;
  const Tableau rest(moments, support, unlimited);
  double most = slack(rest.loss(), moments.target_square());
  for (Index j = 0; j < moments.cols(); ++j) {
    if (j == kept_out || !rest.addable(j) || !(rest.add_gain(j) > most)) continue;
    most = rest.add_gain(j);
    instead = j;
  }
  if (instead < 0) return {};
  support.push_back(instead);
  for (int swaps = 0;; ++swaps) {
    const Tableau tableau(moments, support, unlimited);
    const Step swap = TableauScan(moments).best(tableau, kept_out);
    if (swap.remove < 0 || !(swap.gain > slack(tableau.loss(), moments.target_square())))
      return Reached{support, tableau.loss(), swaps};
    std::replace(support.begin(), support.end(), swap.remove, swap.add);
  }
}

TEST(Trial, ReachesWhatTheSameMovesReach) {
  const Budget unlimited{Control{}};
  int swaps = 0, sure = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 1300);
    const OwnedProblem owned(
        seed % 3 == 0 ? data_with_copies(seed)
                      : random_data(seed, ProblemSpec{.n = 60, .p = 40, .k = 8, .rho = 0.7}));
    const Moments moments(owned);
    const auto drawn =
        rng.subset(moments.cols(), 1 + rng.below(std::min<Index>(9, moments.cols())));
    const auto support = independent_columns(moments, drawn, kAliasTolerance).kept;
    if (support.empty()) continue;
    Tableau tableau(moments, {}, unlimited);
    tableau.walk_to(support);
    Trial trial(moments);
    for (const Index member : support) {
      const bool any = trial.without(member, tableau, unlimited);
      if (!trial.sure()) continue;
      ++sure;
      auto want = by_definition(moments, support, member);
      ASSERT_EQ(any, want.has_value());
      if (!any) continue;
      swaps += want->swaps;
      several += want->swaps > 2 ? 1 : 0;
      EXPECT_NEAR(trial.loss(), want->loss, 1e-9 * moments.target_square());
      std::vector<Index> got = trial.support();
      EXPECT_EQ(std::find(got.begin(), got.end(), member), got.end());
      EXPECT_NEAR(fit_support(moments, got).loss, trial.loss(), 1e-9 * moments.target_square());
      if (seed % 3 == 0) continue;  // a copy may be there instead
      std::sort(got.begin(), got.end());
      std::sort(want->support.begin(), want->support.end());
      EXPECT_EQ(got, want->support);
      // And its neighbours are worth what it says.
      const Step remove = trial.best_remove(), add = trial.best_add();
      std::vector<Index> fewer = trial.support(), more = trial.support();
      ASSERT_EQ(std::erase(fewer, remove.remove), 1u);
      EXPECT_NEAR(fit_support(moments, fewer).loss, trial.loss() - remove.gain, 1e-9);
      if (!add) continue;
      more.push_back(add.add);
      EXPECT_NEAR(fit_support(moments, more).loss, trial.loss() - add.gain, 1e-9);
    }
  }
  EXPECT_GT(sure, 400);
  EXPECT_GT(swaps, 400);
  EXPECT_GT(several, 50);
}

// Nearly dependent columns cost digits: then a trial has no answer.
TEST(Trial, SaysWhereDigitsWereLost) {
  Data data = random_data(3, ProblemSpec{.n = 50, .p = 10, .k = 3});
  Vector near = data.X.col(0) + 1e-5 * data.X.col(1);
  data.append(near);
  const OwnedProblem owned(data);
  const Moments moments(owned);
  const Budget unlimited{Control{}};
  const Tableau tableau(moments, {0, 3, 10}, unlimited);
  Trial trial(moments);
  trial.without(3, tableau, unlimited);
  EXPECT_FALSE(trial.sure());
}

}  // namespace
}  // namespace lass0::testing
