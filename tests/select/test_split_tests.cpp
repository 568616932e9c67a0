#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/simulate.hpp>
#include <numeric>

#include "select/t_tests.hpp"
#include "support/random_problem.hpp"
#include "util/student_t.hpp"

namespace lass0 {
namespace {

using testing::Data;
using testing::OwnedProblem;
using testing::Rng;

// The textbook: inv(X'WX), s^2 = RSS / (n - columns), t = b / (s * root of its diagonal).
std::vector<double> textbook_p_values(const Data& data, const std::vector<Index>& tested) {
  std::vector<Index> columns = data.include, rows;
  columns.insert(columns.end(), tested.begin(), tested.end());
  for (Index i = 0; i < data.n(); ++i) {
    if (data.weight(i) > 0) rows.push_back(i);
  }
  const Index n = std::ssize(rows), m = std::ssize(columns) + (data.intercept ? 1 : 0);
  Matrix X(n, m);
  Vector y(n), w(n);
  if (data.intercept) X.col(m - 1).setOnes();
  for (Index i = 0; i < n; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    y[i] = data.y[row];
    w[i] = data.weight(row);
    for (std::size_t c = 0; c < columns.size(); ++c)
      X(i, static_cast<Index>(c)) = data.X(row, columns[c]);
  }
  const Matrix inverse = (X.transpose() * w.asDiagonal() * X).fullPivLu().inverse();
  const Vector b = inverse * (X.transpose() * w.cwiseProduct(y));
  const double freedom = static_cast<double>(n - m);
  const double variance = w.dot((y - X * b).cwiseAbs2()) / freedom;
  std::vector<double> p_values;
  for (std::size_t c = data.include.size(); c < columns.size(); ++c) {
    const auto at = static_cast<Index>(c);
    p_values.push_back(two_sided_p_value(b[at] / std::sqrt(variance * inverse(at, at)), freedom));
  }
  return p_values;
}

// What the error says.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(TTests, AreThoseOfTheTextbook) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    const Data data = testing::random_general_data(seed, 12);
    const OwnedProblem owned(data);
    std::vector<Index> free;
    for (Index j = 0; j < data.p(); ++j) {
      if (std::find(data.include.begin(), data.include.end(), j) == data.include.end())
        free.push_back(j);
    }
    const Index used = rows_used(*owned);
    const Index most = std::min<Index>(std::ssize(free), used - 3 - std::ssize(data.include));
    if (most < 1) continue;
    std::vector<Index> tested;
    for (const Index i : rng.subset(std::ssize(free), rng.between(1, most)))
      tested.push_back(free[static_cast<std::size_t>(i)]);
    const std::vector<double> got = t_test_p_values(*owned, tested);
    const std::vector<double> expected = textbook_p_values(data, tested);
    for (std::size_t c = 0; c < tested.size(); ++c)
      EXPECT_NEAR(got[c], expected[c], 1e-7) << "seed " << seed << " column " << tested[c];
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

Data plain_data(std::uint64_t seed, Index n = 60, Index p = 8) {
  return testing::random_data(seed, {.n = n, .p = p, .k = 3, .rho = 0.3, .snr = 3});
}

TEST(TTests, AColumnThatOthersDetermineHasPValue1) {
  Data data = plain_data(1);
  data.append(data.X.col(0) - 2 * data.X.col(1));  // column 8
  data.append(Vector::Constant(data.n(), 3.5));    // column 9
  const OwnedProblem owned(data);
  const std::vector<Index> tested = {0, 1, 2, 8, 9};
  const std::vector<double> got = t_test_p_values(*owned, tested);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[3], 1);
  EXPECT_EQ(got[4], 1);
  const std::vector<Index> without = {0, 1, 2};
  EXPECT_NEAR(got[2], textbook_p_values(data, without)[2], 1e-9);  // not part of the dependency
}

TEST(TTests, PerfectFitsAndConstantTargetsAreNoAccident) {
  Data data = plain_data(2);
  data.y = 2 * data.X.col(1) - data.X.col(3);
  const std::vector<Index> tested = {1, 2, 3};
  const std::vector<double> perfect = t_test_p_values(*OwnedProblem(data), tested);
  EXPECT_LT(perfect[0], 1e-100);
  EXPECT_LT(perfect[2], 1e-100);
  EXPECT_GT(perfect[1], 1e-6);
  data.y.setConstant(4);
  EXPECT_EQ(t_test_p_values(*OwnedProblem(data), tested), std::vector<double>(3, 1.0));
}

TEST(TTests, TooFewRowsDetermineNothing) {
  const Data data = plain_data(3, 6, 8);
  const std::vector<Index> tested = {0, 1, 2, 3, 4, 5, 6};
  for (const double p_value : t_test_p_values(*OwnedProblem(data), tested)) EXPECT_EQ(p_value, 1);
}

// The definition, with gamma on a fine grid that contains all i / B.
double brute_force(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size(), grid = 100 * count;
  double least = 1;
  for (std::size_t g = grid / 20 + (grid % 20 > 0 ? 1 : 0); g <= grid; ++g) {
    // The smallest value with a share of at least gamma = g / grid not above it.
    std::size_t i = 1;
    while (i * grid < g * count) ++i;
    least = std::min(least, values[i - 1] * static_cast<double>(grid) / static_cast<double>(g));
  }
  return std::min(1.0, (1 - std::log(0.05)) * least);
}

TEST(CombinedPValue, IsTheMinimumOverAllQuantiles) {
  Rng rng(7);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> values(static_cast<std::size_t>(rng.between(1, 60)));
    for (double& value : values) value = rng.chance(0.3) ? 1 : std::pow(10, -rng.uniform(0, 6));
    EXPECT_NEAR(combined_p_value(values), brute_force(values), 1e-12);
  }
  EXPECT_EQ(combined_p_value(std::vector<double>(50, 1.0)), 1);
  EXPECT_NEAR(combined_p_value(std::vector<double>(50, 0.001)), 0.001 * (1 + std::log(20)), 1e-15);
  // One lucky split of 50 is not enough: quantiles begin at 5 %.
  std::vector<double> lucky(50, 1.0);
  lucky[20] = lucky[3] = 0;
  EXPECT_EQ(combined_p_value(lucky), 1);
  lucky[30] = 0;
  EXPECT_EQ(combined_p_value(lucky), 0);
}

TEST(SplitTests, FindStrongColumnsAndNoOthers) {
  const Simulated data = simulate({.n = 200,
                                   .p = 40,
                                   .k = 3,
                                   .rho = 0.3,
                                   .snr = 6,
                                   .seed = 5,
                                   .coefficients = TrueCoefficients::unit});
  const DenseDesign design(data.X.data(), 200, 40, 200);
  const Problem problem{.design = &design, .y = {data.y.data(), 200}};
  const SplitTests tests = split_tests(problem);
  EXPECT_EQ(tests.splits, 50);
  EXPECT_EQ(tests.size, 19);  // a fifth of a half, less the intercept
  for (Index j = 0; j < 40; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (data.beta[j] != 0) {
      EXPECT_LT(tests.p_values[at], 1e-4);
      EXPECT_EQ(tests.selected[at], 1);
    } else {
      EXPECT_GT(tests.p_values[at], 0.05);
    }
  }
  const std::vector<Index> listed = tests.listed(data.support);
  EXPECT_EQ(std::vector<Index>(listed.begin(), listed.begin() + 3).size(), 3U);
  for (std::size_t i = 1; i < listed.size(); ++i)
    EXPECT_LE(tests.p_values[static_cast<std::size_t>(listed[i - 1])],
              tests.p_values[static_cast<std::size_t>(listed[i])]);
}

TEST(SplitTests, AreTheSameForAnyNumberOfThreads) {
  const Data data = plain_data(11, 80, 20);
  const OwnedProblem owned(data);
  const SplitTests one = split_tests(*owned, {.splits = 13, .control = {.threads = 1}});
  const SplitTests three = split_tests(*owned, {.splits = 13, .control = {.threads = 3}});
  EXPECT_EQ(one.p_values, three.p_values);
  EXPECT_EQ(one.selected, three.selected);
  const SplitTests other = split_tests(*owned, {.splits = 13, .seed = 2});
  EXPECT_NE(one.p_values, other.p_values);
}

// Neither the order of the columns, nor units, nor rows of weight 0 matter.
TEST(SplitTests, FollowTheirColumnsAndIgnoreUnits) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    const Data data = plain_data(seed, 70, 10);
    const SplitTests tests = split_tests(*OwnedProblem(data), {.splits = 20});
    const std::vector<Index> order = rng.permutation(data.p());
    Data moved = data.columns(order);
    moved.y = 1000 * moved.y.array() - 3;
    moved.X.col(2) *= -1e-5;
    const Index n = data.n();
    moved.X.conservativeResize(n + 5, Eigen::NoChange);
    moved.y.conservativeResize(n + 5);
    moved.X.bottomRows(5).setConstant(9);
    moved.y.tail(5).setConstant(1e6);
    moved.w = Vector::Ones(n + 5) * 7;  // precisions: only their ratios matter
    moved.w.tail(5).setZero();
    const SplitTests again = split_tests(*OwnedProblem(moved), {.splits = 20});
    for (std::size_t j = 0; j < order.size(); ++j) {
      EXPECT_NEAR(again.p_values[j], tests.p_values[static_cast<std::size_t>(order[j])], 1e-8);
      EXPECT_EQ(again.selected[j], tests.selected[static_cast<std::size_t>(order[j])]);
    }
  }
}

TEST(SplitTests, IncludedColumnsAreInEveryFitAndNotTested) {
  Data data = plain_data(4, 80, 6);
  data.y += 5 * data.X.col(2);
  data.include = {2};
  const SplitTests tests = split_tests(*OwnedProblem(data), {.splits = 20});
  EXPECT_EQ(tests.p_values[2], 1);
  EXPECT_EQ(tests.selected[2], 0);
  const std::vector<Index> support = {0, 2};
  for (const Index j : tests.listed(support)) EXPECT_NE(j, 2);
  // What the included column explains leaves nothing to the others that they did not have before.
  Data without = data;
  without.y -= 5 * data.X.col(2);
  const SplitTests same = split_tests(*OwnedProblem(without), {.splits = 20});
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(tests.p_values[j], same.p_values[j], 1e-8);
}

TEST(SplitTests, NeedEnoughRows) {
  const Data data = plain_data(5, 7, 3);
  const OwnedProblem owned(data);
  EXPECT_EQ(error_of([&] { split_tests(*owned); }),
            "split-sample p-values need at least 8 rows of positive weight here, but there are 7");
  const OwnedProblem enough(plain_data(5, 20, 3));
  EXPECT_EQ(error_of([&] { split_tests(*enough, {.splits = 0}); }),
            "the number of splits must be from 1 to 10000, not 0");
  const SplitTests few = split_tests(*OwnedProblem(plain_data(5, 8, 3)));
  EXPECT_EQ(few.size, 1);
}

TEST(SplitTests, CanBeStopped) {
  const Data data = plain_data(6, 60, 10);
  const OwnedProblem owned(data);
  int calls = 0;
  const Control control{.keep_going = [&] { return ++calls < 40; }};
  const SplitTests tests = split_tests(*owned, {.control = control});
  EXPECT_EQ(tests.status, Status::interrupted);
  EXPECT_LT(tests.splits, 50);
  const SplitTests none = split_tests(*owned, {.control = {.keep_going = [] { return false; }}});
  EXPECT_EQ(none.splits, 0);
  EXPECT_EQ(none.p_values, std::vector<double>(10, 1.0));
}

TEST(SplitTests, ComeWithACrossValidation) {
  const Data data = plain_data(8, 90, 10);
  const OwnedProblem owned(data);
  const CrossValidation cv = cross_validate(*owned, {.seed = 3, .inference = Inference::splits});
  ASSERT_TRUE(cv.split_tests);
  EXPECT_EQ(cv.split_tests->p_values, split_tests(*owned, {.seed = 3}).p_values);
  EXPECT_FALSE(cross_validate(*owned).split_tests);
  const std::vector<int> groups(90, 1);
  EXPECT_EQ(
      error_of([&] { cross_validate(*owned, {.groups = groups, .inference = Inference::splits}); }),
      "inference='splits' does not work with groups: its tests assume independent rows");
}

}  // namespace
}  // namespace lass0
