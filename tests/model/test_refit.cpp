// The final coefficients against QR in long double; predictions and the objective against plain
// loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/model.hpp>
#include <lass0/support_table.hpp>
#include <numeric>

#include "model/included.hpp"
#include "model/refit_moments.hpp"
#include "support/checks.hpp"

namespace lass0::testing {
namespace {

// Coefficients in units of what they do to the fit; `digits` is the relative error allowed.
void expect_least_squares(const OwnedProblem& problem, const Support& support, double digits) {
  const Centred centred(problem.data());
  const LeastSquares want = least_squares(centred, support);
  const Iterate got = refit(problem, support);
  ASSERT_EQ(got.support, support);
  ASSERT_EQ(got.coefficients.size(), std::ssize(support));
  const Real y_norm = centred.y.norm();
  Real unit = y_norm;
  for (Index l = 0; l < want.beta.size(); ++l)
    unit = std::max(unit, std::abs(want.beta[l]) * centred.norm[support[l]]);
  Real size = std::abs(centred.y_mean);
  for (Index l = 0; l < want.beta.size(); ++l) {
    const Real norm = centred.norm[support[l]];
    EXPECT_NEAR(static_cast<double>(got.coefficients[l] * norm),
                static_cast<double>(want.beta[l] * norm), digits * static_cast<double>(unit));
    size += std::abs(want.beta[l] * centred.mean[support[l]]) +
            unit / norm * std::abs(centred.mean[support[l]]);
  }
  EXPECT_NEAR(got.intercept, static_cast<double>(want.intercept),
              digits * static_cast<double>(size));
  if (!problem.data().intercept) {
    EXPECT_EQ(got.intercept, 0.0);
  }
}

TEST(Refit, EqualsLeastSquaresByQR) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const OwnedProblem problem(random_general_data(seed, 12), kStorages[seed % 4]);
    Rng rng(seed);
    const Index p = problem.data().p();
    const Centred centred(problem.data());
    const Support support = rng.subset(p, rng.between(0, std::min<Index>(p, centred.X.rows() / 2)));
    if (!independent(centred, support)) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    expect_least_squares(problem, support, 1e-11);
  }
}

TEST(Refit, KeepsTheDigitsOfLargeMeans) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec{.n = 40, .p = 6, .rho = 0.5, .mean = 1e8};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec), kStorages[seed % 4]);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_least_squares(problem, {0, 2, 3, 5}, 1e-11);
  }
}

// QR loses the condition number, not its square: at 1e6 the normal equations would leave four
// digits.
TEST(Refit, KeepsTheDigitsOfIllConditionedColumns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Data data = random_data(seed, ProblemSpec{.n = 50, .p = 4, .intercept = seed % 2 == 0});
    Rng rng(seed);
    Vector twin = data.X.col(0);
    for (double& entry : twin) entry += 2e-5 * rng.normal();
    data.append(twin);
    const OwnedProblem problem(data, kStorages[seed % 4]);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_least_squares(problem, {0, 1, 4}, 1e-9);
  }
}

TEST(Refit, ColumnsOfAnyScale) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Data data =
        random_data(seed, ProblemSpec{.n = 30, .p = 6, .mean = 1, .intercept = seed % 2 == 0});
    const double scales[] = {1e-150, 1e150, 1, 1e-80, 1e80, 1e-8};
    for (Index j = 0; j < 6; ++j) data.X.col(j) *= scales[j];
    const OwnedProblem problem(data, kStorages[seed % 4]);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_least_squares(problem, {0, 1, 2, 3, 4, 5}, 1e-11);
  }
}

TEST(Refit, DependentColumnsGetZeroAndTheFitStaysTheBest) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Data data = random_data(seed, ProblemSpec{.n = 30, .p = 4, .mean = seed % 2 == 0 ? 1.0 : 0.0});
    data.append(scaled_copy(data, 1, -2));
    data.append(Vector::Constant(30, 0.1));
    data.append(data.X.col(0) + data.X.col(2));
    const OwnedProblem problem(data, kStorages[seed % 4]);
    const Centred centred(data);
    const Support all = {0, 1, 2, 3, 4, 5, 6};
    const Iterate got = refit(problem, all);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    EXPECT_TRUE(got.coefficients.allFinite() && std::isfinite(got.intercept));
    EXPECT_EQ((got.coefficients.array() == 0.0).count(), 3);
    EXPECT_NEAR(static_cast<double>(rss_by_definition(data, got)),
                static_cast<double>(least_squares(centred, all).rss), 1e-9);
  }
}

TEST(Refit, NoColumnsIsTheMean) {
  for (const bool intercept : {true, false}) {
    const OwnedProblem problem(random_data(
        3, ProblemSpec{.mean = 5, .weights = WeightKind::reals, .intercept = intercept}));
    const Iterate got = refit(problem, {});
    EXPECT_TRUE(got.support.empty());
    EXPECT_EQ(got.coefficients.size(), 0);
    EXPECT_NEAR(got.intercept, static_cast<double>(Centred(problem.data()).y_mean), 1e-14);
  }
}

TEST(Refit, MoreColumnsThanRows) {
  for (const bool intercept : {true, false}) {
    const OwnedProblem problem(random_data(3, ProblemSpec{.n = 4, .p = 9, .intercept = intercept}));
    const Iterate got = refit(problem, Support{0, 1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_TRUE(got.coefficients.allFinite() && std::isfinite(got.intercept));
    EXPECT_LE((got.coefficients.array() != 0.0).count(), intercept ? 3 : 4);
    EXPECT_LT(static_cast<double>(rss_by_definition(problem.data(), got)), 1e-20);
  }
}

TEST(Predict, IsTheInterceptPlusTheColumns) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Data data = random_data(seed, 10);
    Rng rng(seed);
    Model model;
    model.at.support = rng.subset(data.p(), rng.between(0, data.p()));
    model.at.coefficients.resize(std::ssize(model.at.support));
    for (double& coefficient : model.at.coefficients) coefficient = rng.normal();
    model.at.intercept = rng.normal();
    for (const Storage storage : kAllStorages) {
      data = held_by(storage, std::move(data));
      const OwnedDesign design(data.X, storage);
      const Vector got = model.predict(*design);
      ASSERT_EQ(got.size(), data.n());
      for (Index i = 0; i < data.n(); ++i) {
        Real want = model.at.intercept, size = std::abs(want);
        for (std::size_t l = 0; l < model.at.support.size(); ++l) {
          const Real term =
              Real(data.X(i, model.at.support[l])) * model.at.coefficients[static_cast<Index>(l)];
          want += term;
          size += std::abs(term);
        }
        EXPECT_NEAR(got[i], static_cast<double>(want), 1e-15 * 4 * static_cast<double>(size));
      }
    }
  }
}

TEST(Predict, ADesignOfTooFewColumnsIsRefused) {
  const Data data = random_data(1, ProblemSpec{.n = 5, .p = 3});
  Model model;
  model.at.support = {1, 3};
  model.at.coefficients = Vector::Ones(2);
  const OwnedDesign design(data.X, Storage::dense);
  EXPECT_THROW(model.predict(*design), Error);
}

TEST(Objective, EqualsTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const OwnedProblem problem(random_general_data(seed, 10), kStorages[seed % 4]);
    Rng rng(seed);
    Iterate at;
    at.support = rng.subset(problem.data().p(), rng.between(0, problem.data().p()));
    at.coefficients.resize(std::ssize(at.support));
    for (double& coefficient : at.coefficients) coefficient = rng.normal();
    at.intercept = rng.normal();
    const Penalty penalty{rng.uniform(0, 3), std::vector{0.0, 0.25, 0.5, 0.9}[seed % 4]};
    const double rss = static_cast<double>(rss_by_definition(problem.data(), at));
    EXPECT_NEAR(residual_sum_of_squares(problem, at), rss, 1e-13 * rss);
    const double want = static_cast<double>(objective_by_definition(problem.data(), penalty, at));
    EXPECT_NEAR(objective(problem, penalty, at), want, 1e-13 * want);
  }
}

TEST(Objective, PenaltyValue) {
  const Vector beta{{4.0, -0.25, 1.0}};
  EXPECT_DOUBLE_EQ(penalty_value({2.0}, beta), 6.0);
  EXPECT_DOUBLE_EQ(penalty_value({2.0, 0.5}, beta), 2 * (2 + 0.5 + 1));
  EXPECT_DOUBLE_EQ(penalty_value({0.0, 0.5}, beta), 0.0);
  EXPECT_DOUBLE_EQ(penalty_value({2.0}, Vector()), 0.0);
}

TEST(Objective, AColumnOfTheSupportThatIsNotThereIsRefused) {
  const OwnedProblem problem(random_data(1, ProblemSpec{.n = 5, .p = 3}));
  EXPECT_THROW(refit(problem, Support{0, 3}), Error);
  EXPECT_THROW(refit(problem, Support{-1}), Error);
}

TEST(RefitFromMoments, EqualsQr) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Data data = random_general_data(seed, 12);
    if (seed % 5 == 0) data.X.col(0).array() += 1e7;  // a mean that only QR can take
    if (seed % 7 == 0) data.append(scaled_copy(data, 0, 3));
    const OwnedProblem problem(data, kStorages[seed % 4]);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Moments moments(problem);
    const SupportTable table = best_supports(moments);
    for (const TableRow& row : table.rows) {
      const auto [fast, fast_rss] = refit(moments, row.support);
      const Iterate slow = refit(*problem, with_included(moments, row.support));
      ASSERT_EQ(fast.support, slow.support);
      if (slow.support.empty()) continue;
      const double largest = slow.coefficients.cwiseAbs().maxCoeff();
      const double rss = residual_sum_of_squares(*problem, slow);
      EXPECT_LE((fast.coefficients - slow.coefficients).cwiseAbs().maxCoeff(), 1e-9 * largest);
      EXPECT_NEAR(residual_sum_of_squares(*problem, fast), rss, 1e-10 * rss + 1e-20);
      EXPECT_NEAR(fast_rss, rss, 1e-10 * rss + 1e-20);
    }
  }
}

// With many rows, for which QR would take long.
TEST(RefitFromMoments, OfOneFitHasAllDigits) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Data data = random_data(seed, ProblemSpec{.n = 20000,
                                              .p = 16,
                                              .k = 9,
                                              .rho = seed % 2 == 0 ? 0.99 : 0.3,
                                              .mean = seed % 3 == 0 ? 3.0 : 0.0});
    if (seed == 5) data.ridge = 100;
    const OwnedProblem problem(data);
    const Moments moments(problem);
    Support all(16);
    std::iota(all.begin(), all.end(), Index{0});
    const auto [fast, rss] = refit_on_data(moments, all);
    const Iterate slow = refit(*problem, all);
    ASSERT_EQ(fast.support, slow.support);
    const double largest = slow.coefficients.cwiseAbs().maxCoeff();
    EXPECT_LE((fast.coefficients - slow.coefficients).cwiseAbs().maxCoeff(), 1e-12 * largest);
    EXPECT_NEAR(fast.intercept, slow.intercept, 1e-12 * (1 + std::abs(slow.intercept)));
    EXPECT_EQ(rss, residual_sum_of_squares(*problem, fast));
  }
}

}  // namespace
}  // namespace lass0::testing
