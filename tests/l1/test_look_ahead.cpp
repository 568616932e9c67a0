// Lasso solutions for several lambdas from one pass over X, against those from Gram columns.
#include <gtest/gtest.h>

#include "l1/look_ahead.hpp"
#include "l1/path.hpp"
#include "moments/listed_columns.hpp"
#include "support/lasso_checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Of all kinds, with duplicates, and more columns than are few: so many that they are listed as
// they are needed, or all at once.
Data many_columns(std::uint64_t seed) {
  ProblemSpec spec{.n = 60,
                   .p = seed % 4 < 3 ? 1100 : 400,
                   .k = 8,
                   .rho = 0.1 * static_cast<double>(seed),
                   .snr = 3};
  spec.weights = static_cast<WeightKind>(seed % 3);
  spec.intercept = seed % 2 == 0;
  spec.standardize = seed % 3 != 0;
  Data data = random_data(seed, spec);
  if (seed % 4 == 1) data.ridge = 0.5;
  data.X.col(8) = data.X.col(9);
  return data;
}

void expect_same(const LassoPath& a, const LassoPath& b, double digits) {
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t l = 0; l < a.points.size(); ++l) {
    SCOPED_TRACE(::testing::Message() << "lambda " << a.points[l].lambda);
    EXPECT_EQ(a.points[l].lambda, b.points[l].lambda);
    EXPECT_EQ(a.points[l].converged, b.points[l].converged);
    EXPECT_NEAR(a.points[l].objective, b.points[l].objective, digits * b.points[0].objective);
  }
}

TEST(LookAhead, ListedColumnsHaveTheProductsOfTheGramMatrix) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Data data = many_columns(seed);
    const OwnedProblem problem(data);
    const Moments moments(problem), reference(problem);
    ASSERT_TRUE(ListedColumns::suit(moments));
    ListedColumns listed(moments);
    EXPECT_EQ(listed.size(), 0);
    listed.add(std::vector<Index>{17, 3});
    listed.add(std::vector<Index>{});
    listed.add(std::vector<Index>{200, 4, 18});
    const std::vector<Index> W = {17, 3, 200, 4, 18};
    EXPECT_EQ(listed.columns(), W);
    EXPECT_TRUE(listed.has(200));
    EXPECT_FALSE(listed.has(5));
    Matrix G(5, 5);
    reference.gram_block(W, W, G);
    for (Index l = 0; l < 5; ++l)
      for (Index i = 0; i < 5; ++i) EXPECT_NEAR(listed.products(l)[i], G(i, l), 1e-13);

    const Matrix B = Matrix::Random(5, 3);
    Matrix expected(moments.cols(), 3);
    reference.gram_times(W, B, expected);
    expected = reference.xty().replicate(1, 3) - expected;
    const Matrix r = listed.residual_correlations(B, Budget(Control{}));
    ASSERT_EQ(r.cols(), 3);
    for (Index j = 0; j < moments.cols(); ++j) {
      if (!moments.eligible(j)) continue;
      for (Index l = 0; l < 3; ++l) EXPECT_NEAR(r(j, l), expected(j, l), 1e-12);
    }
  }
}

TEST(LookAhead, ThePathIsThatOfGramColumns) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Data data = many_columns(seed);
    const OwnedProblem problem(data);
    const Moments ahead(problem), columns(problem);
    const LassoOptions options{.tolerance = 1e-10, .count = 60, .ratio = 0.01};
    const LassoPath a = lasso_path(ahead, options, Passes::few);
    const LassoPath b = lasso_path(columns, options, Passes::keep_columns);
    expect_same(a, b, 1e-11);
    EXPECT_GT(a.points.back().at.support.size(), 20u);
    for (const LassoPoint& point : a.points) {
      EXPECT_TRUE(point.converged);
      expect_honest(point, data, 1e-10);
    }
    // No Gram column was computed, and most passes served several lambdas.
    EXPECT_EQ(ahead.cached_columns(), 0);
    EXPECT_GT(columns.cached_columns(), 0);
  }
}

TEST(LookAhead, LambdasFarApartAndZeroAreReached) {
  const Data data = many_columns(2);
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const double most = lasso_lambda_max(moments);
  const LassoOptions options{.lambdas = {2 * most, most, 0.9 * most, 0.02 * most, 0.02 * most, 0}};
  const LassoPath a = lasso_path(moments, options, Passes::few);
  const LassoPath b = lasso_path(Moments(problem), options, Passes::keep_columns);
  expect_same(a, b, 1e-9);
  EXPECT_TRUE(a.points[0].at.support.empty());
  EXPECT_TRUE(a.points[1].at.support.empty());
}

// A list that gets longer than there is memory for gives way to Gram columns.
TEST(LookAhead, GoesOnWithGramColumnsWhereMemoryIsShort) {
  Data data = many_columns(4);
  const OwnedProblem problem(data);
  // Room for as many columns as there are rows, and a few more.
  const double memory = 2 * sizeof(double) * 70 * 130;
  const Moments little(problem, {.control = {.memory = memory}}), enough(problem);
  ASSERT_TRUE(ListedColumns::suit(little));
  const LassoOptions options{.tolerance = 1e-10, .count = 60, .ratio = 0.01};
  const LassoPath a = lasso_path(little, options, Passes::few);
  expect_same(a, lasso_path(enough, options, Passes::few), 1e-11);
  EXPECT_GT(little.gram_use().passes, enough.gram_use().passes);
}

TEST(LookAhead, IsForPassesOverXAlone) {
  const Data data = many_columns(3);
  const OwnedProblem problem(data);
  const Moments moments(problem);
  EXPECT_TRUE(ListedColumns::suit(moments));
  EXPECT_FALSE(ListedColumns::suit(moments.among(std::vector<Index>{1, 2, 3})));
  EXPECT_FALSE(ListedColumns::suit(Moments(problem, {.control = {.memory = 1e4}})));
  std::vector<int> folds(60);
  for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i % 3);
  const Moments with_folds(problem, {.folds = folds});
  EXPECT_FALSE(ListedColumns::suit(with_folds));
  EXPECT_FALSE(ListedColumns::suit(with_folds.without_fold(1)));
  Data included = data;
  included.include = {2};
  const OwnedProblem with_included(included);
  EXPECT_FALSE(ListedColumns::suit(Moments(with_included)));
}

TEST(LookAhead, TheBitsDoNotDependOnTheNumberOfThreads) {
  const OwnedProblem problem(random_data(4, ProblemSpec{.n = 150, .p = 2000, .k = 10}));
  const Moments one(problem, {.control = {.threads = 1}}),
      two(problem, {.control = {.threads = 2}});
  ASSERT_TRUE(ListedColumns::suit(one));
  const LassoOptions options{.count = 30, .ratio = 0.05};
  LassoOptions with_two = options;
  with_two.control.threads = 2;
  const LassoPath a = lasso_path(one, options, Passes::few);
  const LassoPath b = lasso_path(two, with_two, Passes::few);
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t l = 0; l < a.points.size(); ++l) {
    EXPECT_EQ(a.points[l].at.support, b.points[l].at.support);
    EXPECT_EQ(a.points[l].at.coefficients, b.points[l].at.coefficients);
    EXPECT_EQ(a.points[l].objective, b.points[l].objective);
  }
}

}  // namespace
}  // namespace lass0::testing
