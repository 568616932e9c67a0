// The Lasso with the residual over the rows of a sparse X, against slow coordinate descent and
// against the Gram matrix of the same X with its zeros. Columns are "few" nowhere here.
#include <gtest/gtest.h>

#include "l1/path.hpp"
#include "l1/row_descent.hpp"
#include "moments/access.hpp"
#include "support/lasso_checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr Index kNever = 0;  // are columns few

// Without the columns of zeros that come after the others: what the oracles need to see.
Data varying_part(const Data& data) {
  const Index least = data.include.empty() ? 1 : data.include.back() + 1;
  Index p = data.p();
  while (p > least && data.X.col(p - 1).isZero(0)) --p;
  Data part = data;
  part.X = data.X.leftCols(p);
  return part;
}

Data random_sparse(std::uint64_t seed, Index max_p) {
  Data data = sparse_data(seed, max_p);
  data.include.clear();
  return data;
}

TEST(RowDescent, SolvesToTheGapByItself) {
  int clear = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Data data = random_sparse(seed, 16);
    const OwnedProblem problem(data, Storage::sparse);
    const Centred centred(varying_part(data));
    const Moments moments(problem);
    ASSERT_NE(sparse_products(moments), nullptr);
    const double e = moments.target_scale();
    const double lambda_max = lasso_lambda_max(moments);
    if (lambda_max == 0) continue;
    std::vector<Index> W;
    for (Index j = 0; j < data.p(); ++j)
      if (moments.eligible(j)) W.push_back(j);
    for (const double share : {0.9, 0.3, 0.05}) {
      const double lambda = share * lambda_max;
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << " share " << share << ": " << describe(data));
      Vector t(std::ssize(W));
      for (Index i = 0; i < t.size(); ++i) t[i] = lambda / e * moments.l1_weights()[W[i]];
      const Budget budget(Control{});
      RowDescent descent(moments, W, t, Vector::Zero(t.size()), budget);
      EXPECT_TRUE(descent.solve(1e-11));
      const OracleLasso oracle = lasso_by_definition(centred, lambda);
      ++total;
      if (oracle.kkt > 1e-12L || oracle.margin < 1e-5L) continue;
      ++clear;
      Support support;
      for (Index i = 0; i < t.size(); ++i) {
        const Index j = W[i];
        if (descent.b()[i] != 0) support.push_back(j);
        EXPECT_NEAR(descent.b()[i] * static_cast<double>(centred.norm[j]) / moments.column_scale(j),
                    static_cast<double>(oracle.beta[j] * centred.norm[j]) / e, 1e-4);
      }
      EXPECT_EQ(support, oracle.support);
    }
  }
  EXPECT_GT(clear, total * 3 / 4);
}

TEST(RowDescent, PathsAreThoseOfTheDefinition) {
  int clear = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Data data = sparse_data(seed, 16), part = varying_part(data);  // some have included ones
    const OwnedProblem problem(data, Storage::sparse);
    const Centred centred(part);
    const Moments moments(problem);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    ASSERT_NE(sparse_products(moments), nullptr);
    if (moments.yty() == 0) continue;  // the included columns explain all of y
    for (const double tolerance : {1e-6, 1e-12}) {
      const LassoOptions options{.tolerance = tolerance, .count = 12, .ratio = 0.01};
      const LassoPath path = lasso_path(moments, options, kNever);
      ASSERT_EQ(path.points.size(), 12u);
      for (const LassoPoint& point : path.points) {
        expect_honest(point, part, tolerance);
        if (tolerance > 1e-10) continue;
        const OracleLasso oracle = lasso_by_definition(centred, point.lambda);
        ++total;
        if (oracle.kkt > 1e-12L || oracle.margin < 1e-5L) continue;
        ++clear;
        EXPECT_EQ(without_included(part, point.at.support), oracle.support)
            << "margin " << oracle.margin;
        EXPECT_LT(distance(point, oracle, centred), 1e-4);
      }
    }
  }
  EXPECT_GT(clear, total * 3 / 4);
}

// More columns than rows, up to where the fit is nearly perfect.
TEST(RowDescent, ManyColumnsGiveThePathOfTheGramMatrix) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ProblemSpec spec{.n = 150, .p = 700, .k = 20, .snr = 2, .zeros = 0.97};
    spec.weights = static_cast<WeightKind>(seed % 3);
    spec.intercept = seed % 2 == 0;
    spec.standardize = seed % 3 != 0;
    Data data = random_data(seed, spec);
    if (seed == 4) data.ridge = 0.5;
    data.X.col(8) = data.X.col(9);
    const OwnedProblem sparse(data, Storage::sparse), dense(data);
    const Moments by_rows(sparse), by_gram(dense);
    ASSERT_NE(sparse_products(by_rows), nullptr);
    const LassoOptions options{.tolerance = 1e-10, .count = 20, .ratio = 0.01};
    const LassoPath a = lasso_path(by_rows, options, 10), b = lasso_path(by_gram, options);
    ASSERT_EQ(a.points.size(), b.points.size());
    EXPECT_GT(a.points.back().at.support.size(), 60u);
    for (std::size_t l = 0; l < a.points.size(); ++l) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << a.points[l].lambda);
      expect_honest(a.points[l], data, 1e-10);
      EXPECT_NEAR(a.points[l].objective, b.points[l].objective,
                  2e-10 * (data.y.array() - data.y.mean()).square().sum() *
                      (data.w.size() > 0 ? data.w.maxCoeff() : 1.0));
    }
  }
}

TEST(RowDescent, TrainingSetsOfFoldsGiveTheLassoOfTheirRows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Data data = random_sparse(seed, 12);
    const Data part = varying_part(data);
    const Index p = data.p();
    data.X.conservativeResize(Eigen::NoChange, p + 800);  // too many to sum folds apart
    data.X.rightCols(800).setZero();
    std::vector<int> folds(static_cast<std::size_t>(data.n()));
    for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i % 3);
    const OwnedProblem problem(data, Storage::sparse);
    const Moments all(problem, {.folds = folds});
    for (int fold = 0; fold < 3; ++fold) {
      std::vector<Index> others;
      for (Index i = 0; i < data.n(); ++i)
        if (folds[static_cast<std::size_t>(i)] != fold) others.push_back(i);
      const Moments training = all.without_fold(fold);
      ASSERT_NE(sparse_products(training), nullptr);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(part));
      const LassoOptions options{.tolerance = 1e-10, .count = 6, .ratio = 0.02};
      for (const LassoPoint& point : lasso_path(training, options, kNever).points)
        expect_honest(point, part.rows(others), 1e-10);
    }
  }
}

TEST(RowDescent, TheBitsDoNotDependOnTheNumberOfThreads) {
  const OwnedProblem problem(
      random_data(4, ProblemSpec{.n = 300, .p = 9000, .k = 10, .zeros = 0.98}), Storage::sparse);
  const Moments one(problem, {.control = {.threads = 1}}),
      two(problem, {.control = {.threads = 2}});
  ASSERT_NE(sparse_products(one), nullptr);
  const LassoPath a = lasso_path(one, {.count = 10, .ratio = 0.1, .control = {.threads = 1}}, 20);
  const LassoPath b = lasso_path(two, {.count = 10, .ratio = 0.1, .control = {.threads = 2}}, 20);
  ASSERT_EQ(a.points.size(), b.points.size());
  EXPECT_GT(a.points.back().at.support.size(), 20u);
  for (std::size_t l = 0; l < a.points.size(); ++l) {
    EXPECT_EQ(a.points[l].at.support, b.points[l].at.support);
    EXPECT_EQ(a.points[l].at.coefficients, b.points[l].at.coefficients);
    EXPECT_EQ(a.points[l].objective, b.points[l].objective);
  }
}

TEST(RowDescent, AStoppedPathSaysSo) {
  const OwnedProblem problem(random_sparse(5, 16), Storage::sparse);
  const Moments moments(problem);
  for (const int most : {0, 1, 5, 12}) {
    int calls = 0;
    LassoOptions options{.tolerance = 1e-12, .count = 50};
    options.control.keep_going = [&] { return calls++ < most; };
    const LassoPath path = lasso_path(moments, options, kNever);
    EXPECT_FALSE(path.complete);
    EXPECT_LT(path.points.size(), 50u);
    for (const LassoPoint& point : path.points) expect_well_formed(point, moments.cols());
  }
}

}  // namespace
}  // namespace lass0::testing
