// The Lasso against slow coordinate descent on explicitly standardised data, its optimality
// conditions and its duality gap.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/lasso.hpp>
#include <limits>

#include "support/lasso_checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kDefaultTolerance = 1e-7;

class EveryStorage : public ::testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Lasso, EveryStorage, ::testing::Values(Storage::dense, Storage::sparse),
                         [](const auto& one) { return to_string(one.param); });

// Few columns are all in the working set; among many, the strong rule leaves some out, and those
// that should be in come from the check of all.
struct Setting {
  Storage storage = Storage::dense;
  bool many = false;
};

class FewOrMany : public ::testing::TestWithParam<Setting> {
 protected:
  static OwnedProblem owned(const Data& data) {
    return OwnedProblem(GetParam().many ? among_many(data) : data, GetParam().storage);
  }
};
INSTANTIATE_TEST_SUITE_P(
    Lasso, FewOrMany,
    ::testing::Values(Setting{Storage::dense, false}, Setting{Storage::sparse, false},
                      Setting{Storage::dense, true}, Setting{Storage::sparse, true}),
    [](const auto& one) {
      return to_string(one.param.storage) + (one.param.many ? "_many" : "_few");
    });

// The paper's start is the support of the Lasso, so the support must be right wherever the problem
// itself makes it clear.
TEST_P(FewOrMany, SupportAndCoefficientsEqualTheDefinition) {
  int clear = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const Data data = random_data(seed, 16);
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    const Real lambda_max = lambda_max_by_definition(centred);
    for (const double share : {0.9, 0.5, 0.1, 0.02}) {
      const double lambda = share * static_cast<double>(lambda_max);
      const OracleLasso oracle = lasso_by_definition(centred, lambda);
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << " share " << share << ": " << describe(data));
      const LassoPoint point = lasso(moments, lambda);
      EXPECT_EQ(point.lambda, lambda);
      expect_honest(point, data, kDefaultTolerance);
      ++total;
      if (oracle.kkt > 1e-12L || oracle.margin < 1e-5L) continue;
      ++clear;
      EXPECT_EQ(without_included(data, point.at.support), oracle.support)
          << "margin " << oracle.margin;
      EXPECT_LT(distance(point, oracle, centred), 1e-3);
    }
  }
  EXPECT_GT(clear, total * 9 / 10);
}

TEST_P(FewOrMany, ATighterToleranceGivesMoreDigits) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Data data = random_general_data(seed, 12);
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    const double lambda = 0.1 * static_cast<double>(lambda_max_by_definition(centred));
    const OracleLasso oracle = lasso_by_definition(centred, lambda);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const LassoPoint point = lasso(moments, lambda, {.tolerance = 1e-13});
    expect_honest(point, data, 1e-13);
    EXPECT_LT(distance(point, oracle, centred), 2e-5);
    EXPECT_LT(static_cast<double>(judge_lasso(data, lambda, point.at).kkt), 1e-5);
    if (oracle.margin > 1e-6L) {
      EXPECT_EQ(without_included(data, point.at.support), oracle.support);
    }
  }
}

TEST_P(FewOrMany, StronglyCorrelatedColumns) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    ProblemSpec spec{.n = 80, .p = 20, .k = 6, .rho = 0.99, .snr = 10};
    if (seed % 3 == 0) spec.n = 15;
    spec.intercept = seed % 2 == 0;
    const Data data = random_data(seed, spec);
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    const Real lambda_max = lambda_max_by_definition(centred);
    for (const double share : {0.3, 0.01, 0.001}) {
      const double lambda = share * static_cast<double>(lambda_max);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " share " << share);
      const LassoPoint point = lasso(moments, lambda);
      expect_honest(point, data, kDefaultTolerance);
      const OracleLasso oracle = lasso_by_definition(centred, lambda);
      if (oracle.kkt < 1e-12L && oracle.margin > 1e-5L) {
        EXPECT_EQ(point.at.support, oracle.support) << "margin " << oracle.margin;
      }
    }
  }
}

TEST_P(FewOrMany, LambdaMaxIsWhereTheFirstColumnEnters) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Data data = random_general_data(seed, 12);
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    const double want = static_cast<double>(lambda_max_by_definition(centred));
    const double lambda_max = lasso_lambda_max(moments);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    EXPECT_NEAR(lambda_max, want, 1e-11 * want);
    EXPECT_TRUE(without_included(data, lasso(moments, lambda_max).at.support).empty());
    EXPECT_TRUE(without_included(data, lasso(moments, 2 * lambda_max).at.support).empty());
    if (want == 0) continue;  // all columns are included
    const LassoPoint below = lasso(moments, lambda_max * (1 - 1e-4), {.tolerance = 1e-12});
    EXPECT_GE(without_included(data, below.at.support).size(), 1u);
    const LassoPoint none = lasso(moments, lambda_max * 1.5);
    if (!data.include.empty()) continue;
    EXPECT_NEAR(none.at.intercept, static_cast<double>(centred.y_mean),
                1e-12 * (1 + std::abs(static_cast<double>(centred.y_mean))));
  }
}

TEST_P(FewOrMany, APathIsItsLambdasOneByOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_general_data(seed, 14);
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    const LassoPath path = lasso_path(moments, {.count = 12, .ratio = 0.01});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    EXPECT_TRUE(path.complete);
    ASSERT_EQ(path.points.size(), 12u);
    EXPECT_EQ(path.lambda_max, lasso_lambda_max(moments));
    EXPECT_NEAR(path.points.front().lambda, path.lambda_max, 1e-12 * path.lambda_max);
    EXPECT_NEAR(path.points.back().lambda, 0.01 * path.lambda_max, 1e-12 * path.lambda_max);
    for (std::size_t l = 0; l < path.points.size(); ++l) {
      const LassoPoint& point = path.points[l];
      if (l > 1) {
        EXPECT_NEAR(point.lambda * path.points[l - 2].lambda,
                    std::pow(path.points[l - 1].lambda, 2), 1e-10 * std::pow(point.lambda, 2));
      }
      expect_honest(point, data, kDefaultTolerance);
      const OracleLasso oracle = lasso_by_definition(centred, point.lambda);
      if (oracle.margin > 1e-5L) {
        EXPECT_EQ(without_included(data, point.at.support), oracle.support);
      }
    }
  }
}

TEST_P(EveryStorage, GivenLambdasComeLargestFirst) {
  const OwnedProblem problem(random_data(5, ProblemSpec{}), GetParam());
  const Moments moments(problem);
  const double top = lasso_lambda_max(moments);
  const LassoPath path = lasso_path(moments, {.lambdas = {0.1 * top, 0.7 * top, 0.3 * top}});
  ASSERT_EQ(path.points.size(), 3u);
  EXPECT_EQ(path.points[0].lambda, 0.7 * top);
  EXPECT_EQ(path.points[1].lambda, 0.3 * top);
  EXPECT_EQ(path.points[2].lambda, 0.1 * top);
}

TEST_P(EveryStorage, LambdaZeroIsLeastSquares) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    ProblemSpec spec{.n = 40, .p = 6, .rho = 0.5, .mean = 1};
    spec.intercept = seed % 2 == 0;
    spec.standardize = seed % 3 != 0;
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec), GetParam());
    const Centred centred(problem.data());
    const LassoPoint point = lasso(Moments(problem), 0.0, {.tolerance = 1e-12});
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_well_formed(point, 6);
    EXPECT_TRUE(point.converged);
    Support all;
    for (Index j = 0; j < 6; ++j) all.push_back(j);
    const LeastSquares ols = least_squares(centred, all);
    const Vector beta = dense_beta(point.at, 6);
    for (Index j = 0; j < 6; ++j) EXPECT_NEAR(beta[j], static_cast<double>(ols.beta[j]), 1e-5);
  }
}

TEST_P(FewOrMany, DuplicatedScaledConstantAndDependentColumns) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Data data = random_data(seed, 8);
    Rng rng(seed);
    data.append(scaled_copy(data, rng.below(data.p()), 1));
    data.append(scaled_copy(data, rng.below(data.p()), -3));
    data.append(Vector::Constant(data.n(), 0.1));
    data.append(data.X.col(0) + data.X.col(data.p() - 2));
    const OwnedProblem problem = owned(data);
    const Centred centred(data);
    const Moments moments(problem);
    for (const double share : {0.5, 0.05}) {
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << " share " << share << ": " << describe(data));
      const double lambda = share * static_cast<double>(lambda_max_by_definition(centred));
      const LassoPoint point = lasso(moments, lambda);
      expect_honest(point, data, kDefaultTolerance);
      for (const Index j : point.at.support) EXPECT_GT(centred.norm[j], 0.0L);
      // The fit is unique even where the coefficients are not.
      const OracleLasso oracle = lasso_by_definition(centred, lambda);
      EXPECT_NEAR(point.objective, static_cast<double>(oracle.objective),
                  2e-7 * static_cast<double>(centred.y.squaredNorm()));
    }
  }
}

TEST_P(EveryStorage, LargeMeansAndExtremeScales) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Data plain = random_data(seed, ProblemSpec{.n = 40, .p = 6, .mean = seed % 2 == 0 ? 1e8 : 0.0});
    Data scaled = plain;
    const double scales[] = {0x1p-480, 0x1p480, 1, 0x1p-200, 0x1p200, 0x1p-20};
    for (Index j = 0; j < 6; ++j) scaled.X.col(j) *= scales[j];
    const OwnedProblem one(plain, GetParam()), other(scaled, GetParam());
    const Centred centred(plain);
    const double lambda = 0.1 * static_cast<double>(lambda_max_by_definition(centred));
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const LassoPoint a = lasso(Moments(one), lambda), b = lasso(Moments(other), lambda);
    // The intercept of a column of mean 1e8 has few digits after the point: judge the slopes alone.
    const OracleLasso oracle = lasso_by_definition(centred, lambda);
    EXPECT_EQ(a.at.support, b.at.support);
    if (oracle.margin > 1e-5L) {
      EXPECT_EQ(a.at.support, oracle.support);
    }
    EXPECT_LT(distance(a, oracle, centred), 1e-3);
    const Vector x = dense_beta(a.at, 6), z = dense_beta(b.at, 6);
    for (Index j = 0; j < 6; ++j)
      EXPECT_NEAR(z[j] * scales[j], x[j], 1e-8 * x.cwiseAbs().maxCoeff());
  }
}

TEST_P(FewOrMany, TrainingSetsOfFoldsGiveTheLassoOfTheirRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ProblemSpec spec = random_spec(seed, 9);
    spec.n = 40;
    const Data whole = with_random_extras(seed, random_data(seed, spec));
    const OwnedProblem problem = owned(whole);
    std::vector<int> folds(40);
    for (int i = 0; i < 40; ++i) folds[i] = i % 4;
    const Moments all(problem, {.folds = folds});
    for (int f = 0; f < 4; ++f) {
      std::vector<Index> others;
      for (Index i = 0; i < 40; ++i)
        if (folds[i] != f) others.push_back(i);
      const Data data = whole.rows(others);
      const Centred centred(data);
      const double lambda = 0.2 * static_cast<double>(lambda_max_by_definition(centred));
      const OracleLasso oracle = lasso_by_definition(centred, lambda);
      SCOPED_TRACE(::testing::Message()
                   << "seed " << seed << " fold " << f << ": " << describe(data));
      const LassoPoint point = lasso(all.without_fold(f), lambda);
      expect_honest(point, data, kDefaultTolerance);
      if (oracle.margin > 1e-5L) {
        EXPECT_EQ(without_included(data, point.at.support), oracle.support);
      }
    }
  }
}

TEST(Lasso, ManyColumnsFewRows) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ProblemSpec spec{.n = 40, .p = 300, .k = 8, .rho = 0.5, .snr = 5};
    const OwnedProblem problem(random_data(seed, spec));
    const Centred centred(problem.data());
    const LassoPath path = lasso_path(Moments(problem), {.count = 20, .ratio = 0.02});
    for (const LassoPoint& point : path.points) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << point.lambda);
      expect_honest(point, problem.data(), kDefaultTolerance);
      EXPECT_LT(static_cast<double>(judge_lasso(problem.data(), point.lambda, point.at).kkt), 1e-3);
    }
    const LassoPoint& last = path.points[10];
    const OracleLasso oracle = lasso_by_definition(centred, last.lambda);
    if (oracle.kkt < 1e-12L && oracle.margin > 1e-5L) {
      EXPECT_EQ(last.at.support, oracle.support);
    }
  }
}

// Towards least squares: the answer does not depend on how far below rounding lambda lies, and the
// run knows that it is done.
TEST(Lasso, TinyLambdasConverge) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const OwnedProblem problem(
        random_data(seed, ProblemSpec{.n = 60, .p = 10, .rho = 0.5, .mean = 3}));
    const Moments moments(problem);
    const LassoPoint least_squares_point = lasso(moments, 0.0);
    for (const double share : {1e-9, 1e-12, 1e-15, 1e-20, 1e-100}) {
      const LassoPoint point = lasso(moments, share * lasso_lambda_max(moments));
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " share " << share);
      EXPECT_TRUE(point.converged) << point.relative_gap;
      ASSERT_EQ(point.at.support, least_squares_point.at.support);
      EXPECT_LT((point.at.coefficients - least_squares_point.at.coefficients).norm(), 1e-6);
    }
  }
}

TEST(Lasso, DegenerateData) {
  Data data = random_data(3, ProblemSpec{.n = 20, .p = 4});
  data.y.setConstant(0.1);
  for (const double lambda : {0.0, 1.0}) {
    const LassoPoint point = lasso(Moments(OwnedProblem(data)), lambda);
    EXPECT_TRUE(point.at.support.empty() && point.converged);
    EXPECT_NEAR(point.at.intercept, 0.1, 1e-15);
  }
  EXPECT_EQ(lasso_lambda_max(Moments(OwnedProblem(data))), 0.0);
  const OwnedProblem flat(data);
  for (const LassoPoint& point : lasso_path(Moments(flat)).points) expect_well_formed(point, 4);

  data = random_data(3, ProblemSpec{.n = 20, .p = 4});
  for (Index j = 0; j < 4; ++j) data.X.col(j).setConstant(0.1 * static_cast<double>(j));
  EXPECT_TRUE(lasso(Moments(OwnedProblem(data)), 0.0).at.support.empty());

  const LassoPoint one_row =
      lasso(Moments(OwnedProblem(random_data(3, ProblemSpec{.n = 1, .p = 4}))), 0.1);
  expect_well_formed(one_row, 4);
  EXPECT_TRUE(one_row.at.support.empty());
}

TEST(Lasso, WrongLambdasAreRefused) {
  const OwnedProblem problem(random_data(3, ProblemSpec{}));
  const Moments moments(problem);
  EXPECT_THROW(lasso(moments, -1), UsageError);
  EXPECT_THROW(lasso(moments, std::numeric_limits<double>::quiet_NaN()), UsageError);
  EXPECT_THROW(lasso(moments, std::numeric_limits<double>::infinity()), UsageError);
}

TEST(Lasso, AStoppedPathSaysSo) {
  const OwnedProblem problem(random_data(3, ProblemSpec{.n = 60, .p = 30}));
  const Moments moments(problem);
  LassoOptions options{.count = 50};
  options.control.keep_going = [] { return false; };
  const LassoPath path = lasso_path(moments, options);
  EXPECT_FALSE(path.complete);
  EXPECT_LT(path.points.size(), 50u);
  for (const LassoPoint& point : path.points) expect_well_formed(point, 30);
}

TEST(Lasso, TheBitsDoNotDependOnTheNumberOfThreads) {
  const OwnedProblem problem(random_data(4, ProblemSpec{.n = 200, .p = 400, .k = 10, .rho = 0.6}));
  const Moments one(problem, {.control = {.threads = 1}}),
      two(problem, {.control = {.threads = 2}});
  const LassoPath a = lasso_path(one, {.count = 20, .ratio = 0.01, .control = {.threads = 1}});
  const LassoPath b = lasso_path(two, {.count = 20, .ratio = 0.01, .control = {.threads = 2}});
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t l = 0; l < a.points.size(); ++l) {
    EXPECT_EQ(a.points[l].at.support, b.points[l].at.support);
    EXPECT_EQ(a.points[l].at.coefficients, b.points[l].at.coefficients);
    EXPECT_EQ(a.points[l].objective, b.points[l].objective);
  }
}

// Least squares on all columns has the same answer, at the cost of all their products.
TEST(Lasso, ATargetWithNothingToExplainNeedsNoProducts) {
  Data data = random_data(4, ProblemSpec{.n = 60, .p = 1500, .k = 5, .rho = 0.5, .snr = 5});
  data.y.setConstant(0.1);
  const OwnedProblem problem(data);
  const Moments moments(*problem);
  EXPECT_EQ(lasso_lambda_max(moments), 0);
  const LassoPath path = lasso_path(moments, {.count = 5});
  EXPECT_EQ(path.points.size(), 5U);
  for (const LassoPoint& point :
       {path.points.front(), path.points.back(), lasso(moments, 0), lasso(moments, 1)}) {
    EXPECT_TRUE(point.at.support.empty());
    EXPECT_EQ(point.objective, 0);
    EXPECT_TRUE(point.converged);
    EXPECT_DOUBLE_EQ(point.at.intercept, 0.1);
  }
  EXPECT_EQ(moments.cached_columns(), 0);
}

// With every two columns correlated 0.9, all of them look promising near lambda_max; few ever
// enter.
TEST(Lasso, FewGramColumnsAreComputedWhereAllColumnsAreCorrelated) {
  const OwnedProblem problem(
      random_data(4, ProblemSpec{.n = 60, .p = 1500, .k = 5, .rho = 0.9, .snr = 5}));
  const Moments moments(*problem);
  const LassoPoint point = lasso(moments, 0.3 * lasso_lambda_max(moments));
  EXPECT_TRUE(point.converged);
  EXPECT_LT(point.at.support.size(), 100U);
  EXPECT_LT(moments.cached_columns(), 300);
}

}  // namespace
}  // namespace lass0::testing
