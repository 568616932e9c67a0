// Backward elimination, by arrays of fixed size and by blocks, against refits of every candidate.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "search/state/support_state.hpp"
#include "search/table/elimination.hpp"
#include "search/table/leave_one_out.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Set = std::vector<Index>;

Set ascending(Set support) {
  std::sort(support.begin(), support.end());
  return support;
}

double loss_of(const Moments& moments, const Set& support) {
  return fit_support(moments, support).loss;
}

// What the loss is at least when one member leaves.
double least_loss_with_one_less(const Moments& moments, const Set& support) {
  double least = std::numeric_limits<double>::infinity();
  for (const Index out : support) {
    Set rest = support;
    std::erase(rest, out);
    least = std::min(least, loss_of(moments, rest));
  }
  return least;
}

void expect_steps_by_definition(const Moments& moments, Index columns) {
  Set all(static_cast<std::size_t>(columns));
  for (Index j = 0; j < columns; ++j) all[static_cast<std::size_t>(j)] = j;
  const double rounding = 1e-9 * moments.target_square();
  Set before;
  Index steps = 0;
  ASSERT_TRUE(eliminate(moments, all, [&](const Set& support, double loss, bool) {
    EXPECT_EQ(std::ssize(support), columns - steps);
    EXPECT_NEAR(loss, loss_of(moments, support), rounding);
    if (steps > 0 && (steps < 4 || steps % 7 == 0)) {
      const Set now = ascending(support), then = ascending(before);
      EXPECT_TRUE(std::includes(then.begin(), then.end(), now.begin(), now.end()));
      EXPECT_NEAR(loss, least_loss_with_one_less(moments, before), rounding) << "step " << steps;
    }
    before = support;
    ++steps;
    return true;
  }));
  EXPECT_EQ(steps, columns + 1);
}

// 40 columns and fewer are taken down in arrays of fixed size, 32 of more leave together.
TEST(Elimination, RemovesTheMemberThatCostsLeast) {
  for (const Index columns : {1, 2, 12, 40, 41, 72, 73, 110}) {
    SCOPED_TRACE(columns);
    const OwnedProblem problem(with_random_extras(
        static_cast<std::uint64_t>(columns),
        random_data(static_cast<std::uint64_t>(columns),
                    {.n = 160, .p = columns + 2, .k = columns / 2, .rho = 0.5})));
    const Moments moments(*problem);
    if (moments.included().empty()) expect_steps_by_definition(moments, columns);
  }
}

TEST(Elimination, EndsWhereItIsToldTo) {
  for (const Index columns : {20, 60}) {
    const OwnedProblem problem(random_data(1, {.n = 100, .p = columns, .k = 5}));
    const Moments moments(*problem);
    Set all;
    for (Index j = 0; j < columns; ++j) all.push_back(j);
    Index visited = 0;
    EXPECT_TRUE(eliminate(moments, all, [&](const Set&, double, bool) { return ++visited < 7; }));
    EXPECT_EQ(visited, 7);
  }
}

TEST(Elimination, DependentColumnsAreNotTakenDown) {
  for (const Index columns : {10, 60}) {
    Data data = random_data(2, {.n = 100, .p = columns, .k = 5});
    data.X.col(3) = data.X.col(1) + data.X.col(2);
    const OwnedProblem problem(data);
    Set all;
    for (Index j = 0; j < columns; ++j) all.push_back(j);
    EXPECT_FALSE(eliminate(Moments(*problem), all, [](const Set&, double, bool) {
      ADD_FAILURE() << "visited";
      return true;
    }));
  }
}

TEST(LeaveOneOut, OffersWhatEliminationsFromAllButOneColumnPass) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const Index p = rng.between(4, 40);
    const OwnedProblem problem(
        random_data(seed, {.n = p + rng.between(5, 100), .p = p, .k = p / 2, .rho = 0.8}));
    const Moments moments(*problem);
    SCOPED_TRACE(seed);
    const Index max_k = rng.between(2, p - 1);
    std::set<Set> expected, offered;
    for (Index out = 0; out < p; ++out) {
      Set others;
      for (Index j = 0; j < p; ++j)
        if (j != out) others.push_back(j);
      eliminate(moments, others, [&](const Set& support, double, bool) {
        if (std::ssize(support) >= 2 && std::ssize(support) <= max_k)
          expected.insert(ascending(support));
        return true;
      });
    }
    const double no_limit = std::numeric_limits<double>::infinity();
    eliminate_without_each(
        moments, max_k, [&](Index) { return no_limit; },
        [&](const Set& support, double loss) {
          EXPECT_NEAR(loss, loss_of(moments, support), 1e-9 * moments.target_square());
          EXPECT_TRUE(offered.insert(ascending(support)).second) << "offered twice";
        });
    EXPECT_EQ(offered, expected);
  }
}

TEST(LeaveOneOut, OffersNothingThatIsNotBelowItsRow) {
  const OwnedProblem problem(random_data(3, {.n = 60, .p = 20, .k = 8, .rho = 0.9}));
  const Moments moments(*problem);
  const double row = 0.5 * moments.yty();
  int offers = 0;
  eliminate_without_each(
      moments, 19, [&](Index) { return row; },
      [&](const Set&, double loss) {
        EXPECT_LT(loss, row);
        ++offers;
      });
  EXPECT_GT(offers, 0);
}

}  // namespace
}  // namespace lass0::testing
