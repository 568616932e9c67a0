// Is any column related to the target? By definition: the t-test of every single column.
#include <gtest/gtest.h>

#include <algorithm>

#include "select/any_column.hpp"
#include "select/t_tests.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

double p_value_of(const Problem& problem) {
  return any_column_p_value(*make_solver(problem, {}, {}));
}

double by_definition(const Problem& problem) {
  const Moments moments(problem);
  double smallest = 1, tests = 0;
  for (Index j = 0; j < problem.design->cols(); ++j) {
    if (!moments.eligible(j)) continue;
    ++tests;
    smallest = std::min(smallest, t_test_p_values(problem, std::vector<Index>{j}).front());
  }
  return tests == 0 ? 1 : std::min(1.0, tests * smallest);
}

TEST(AnyColumn, IsTheSmallestPValueTimesTheNumberOfColumns) {
  int clear = 0, unclear = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Data data = random_general_data(seed, 8);
    Rng rng(seed);
    const double signal = 0.3 * static_cast<double>(seed % 3);
    for (Index i = 0; i < data.n(); ++i) data.y[i] = rng.normal() + signal * data.y[i];
    const OwnedProblem problem(data);
    const double expected = by_definition(problem), got = p_value_of(problem);
    EXPECT_NEAR(got, expected, 1e-8 * expected + 1e-12);
    (expected < 0.05 ? clear : unclear) += 1;
  }
  EXPECT_GT(clear, 10);
  EXPECT_GT(unclear, 30);
}

TEST(AnyColumn, CountsOnlyColumnsWithTheirSign) {
  Data data = random_data(3, {.n = 60, .p = 1, .k = 1, .snr = 9});
  const bool rises = data.X.col(0).dot((data.y.array() - data.y.mean()).matrix()) > 0;
  const OwnedProblem owned(data);
  Problem problem = *owned;
  ASSERT_LT(p_value_of(problem), 1e-6);
  std::vector<int> signs = {rises ? 1 : -1};
  problem.signs = signs;
  EXPECT_LT(p_value_of(problem), 1e-6);
  signs = {rises ? -1 : 1};
  EXPECT_EQ(p_value_of(problem), 1);
}

TEST(AnyColumn, WithoutRowsColumnsOrVariationThereIsNone) {
  Data data = random_data(1, {.n = 2, .p = 3, .k = 1});
  EXPECT_EQ(p_value_of(OwnedProblem(data)), 1);  // no degree of freedom
  data = random_data(1, {.n = 20, .p = 3, .k = 1});
  data.y.setConstant(7);
  EXPECT_EQ(p_value_of(OwnedProblem(data)), 1);
  data.y = 3 * data.X.col(1);
  EXPECT_EQ(p_value_of(OwnedProblem(data)), 0);
  data.X.setOnes();
  EXPECT_EQ(p_value_of(OwnedProblem(data)), 1);
}

TEST(AnyColumn, OfTwoClassesAnOffsetLeavesItUnknown) {
  Data data = random_data(5, {.n = 80, .p = 2, .k = 2, .snr = 9});
  data.y = (data.y.array() > data.y.mean()).cast<double>();
  const OwnedProblem owned(data);
  Problem problem = *owned;
  problem.family = Family::binomial;
  EXPECT_LT(p_value_of(problem), 0.01);
  const std::vector<double> offset(80, 0.5);
  problem.offset = offset;
  EXPECT_EQ(p_value_of(problem), 1);
}

// Of pure noise it is below 0.05 in at most one of twenty cases: 400 of them, and three standard
// errors more.
TEST(AnyColumn, IsSeldomSmallInNoise) {
  int small = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Data data = random_data(seed, {.n = 25, .p = 10, .k = 1, .rho = 0.5});
    Rng rng(seed + 1000);
    for (Index i = 0; i < data.n(); ++i) data.y[i] = rng.normal();
    small += p_value_of(OwnedProblem(data)) <= 0.05;
  }
  EXPECT_LE(small, 33);
  EXPECT_GE(small, 4) << "with ten columns it is not that strict";
}

}  // namespace
}  // namespace lass0::testing
