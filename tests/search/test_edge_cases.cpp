// Where data are degenerate or extreme: no NaN, no crash, and still the right support.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

std::vector<Start> all_starts(Index p) {
  Support all;
  for (Index j = 0; j < p; ++j) all.push_back(j);
  return {Start::paper(), Start::empty(), Start::support(all), Start::table()};
}

void expect_sound_from_everywhere(const Data& data, double tolerance = 1e-9) {
  for (const Storage storage : kStorages) {
    const OwnedProblem problem(data, storage);
    for (const double lambda : {0.0, 1e-3, 1.0, 1e6}) {
      for (const double power : {0.0, 0.5}) {
        for (const Start& start : all_starts(data.p())) {
          SCOPED_TRACE(::testing::Message()
                       << describe(data) << " lambda " << lambda << " power " << power << " from "
                       << to_string(start.method) << " " << to_string(storage));
          const Fit result =
              fit(problem, {.goal = AtLambda{.penalty = {lambda, power}, .start = start}});
          expect_sound(problem, result, {lambda, power}, tolerance);
        }
      }
    }
  }
}

TEST(EdgeCases, OneRow) {
  for (const bool intercept : {true, false})
    for (const Index p : {1, 3})
      expect_sound_from_everywhere(
          random_data(1, ProblemSpec{.n = 1, .p = p, .intercept = intercept}));
}

TEST(EdgeCases, OneColumn) {
  for (const bool intercept : {true, false})
    for (const Index n : {2, 3, 40})
      expect_sound_from_everywhere(
          random_data(1, ProblemSpec{.n = n, .p = 1, .k = 1, .intercept = intercept}));
}

TEST(EdgeCases, OneRowThatCounts) {
  Data data = random_data(2, ProblemSpec{.n = 8, .p = 3});
  data.w = Vector::Zero(8);
  data.w[5] = 2.5;
  expect_sound_from_everywhere(data);
}

TEST(EdgeCases, NoColumns) {
  Data data = random_data(2, ProblemSpec{.n = 8, .p = 3});
  data.X.resize(8, 0);
  expect_sound_from_everywhere(data);
}

TEST(EdgeCases, ConstantTarget) {
  for (const double value : {0.0, 0.1, -1e8}) {
    for (const bool standardize : {true, false}) {
      Data data = random_data(2, ProblemSpec{.n = 20, .p = 4, .standardize = standardize});
      data.y.setConstant(value);
      const OwnedProblem problem(data);
      for (const double lambda : {0.0, 0.5}) {
        for (const Start& start : all_starts(4)) {
          const Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
          expect_sound(problem, result, {lambda});
          EXPECT_NEAR(result.model.at.intercept, value, 1e-15 * std::abs(value));
          EXPECT_EQ(result.r_squared(), 0.0);
          if (lambda > 0) {
            EXPECT_TRUE(result.model.at.support.empty());
          }
        }
      }
    }
  }
}

TEST(EdgeCases, AllColumnsConstant) {
  Data data = random_data(2, ProblemSpec{.n = 20, .p = 4});
  for (Index j = 0; j < 4; ++j) data.X.col(j).setConstant(0.1 * static_cast<double>(j));
  expect_sound_from_everywhere(data);
  const OwnedProblem problem(data);
  for (const Start& start : all_starts(4)) {
    const Fit result = fit(problem, {.goal = AtLambda{.penalty = {0}, .start = start}});
    EXPECT_TRUE(result.model.at.support.empty());
    EXPECT_EQ(result.problem.constant, (Support{0, 1, 2, 3}));
    EXPECT_TRUE(result.trace.moves.empty());
  }
}

TEST(EdgeCases, AStartLargerThanTheRank) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    ProblemSpec spec{.n = 8, .p = 20, .k = 4, .rho = 0.5};
    spec.intercept = seed % 2 == 0;
    const OwnedProblem problem(random_data(seed, spec));
    Rng rng(seed);
    for (const double lambda : {0.0, random_lambda(rng, problem.data())}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << lambda);
      for (const Start& start : all_starts(20)) {
        const Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
        expect_sound(problem, result, {lambda}, 1e-7);
        EXPECT_LE(std::ssize(result.model.at.support), spec.intercept ? 7 : 8);
      }
    }
  }
}

TEST(EdgeCases, LambdaZeroReachesTheLeastSquaresFit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec{.n = 30, .p = 6, .rho = 0.5};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec));
    const Centred centred(problem.data());
    for (const Start& start : all_starts(6)) {
      const Fit result = fit(problem, {.goal = AtLambda{.penalty = {0}, .start = start}});
      expect_sound(problem, result, {0});
      const Real best = least_squares(centred, {0, 1, 2, 3, 4, 5}).rss;
      EXPECT_NEAR(result.rss, static_cast<double>(best), 1e-8 * result.rss) << "seed " << seed;
    }
  }
}

TEST(EdgeCases, AnExactFitStops) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    ProblemSpec spec{.n = 30, .p = 8};
    Data data = random_data(seed, spec);
    data.y = 2 * data.X.col(1) - 3 * data.X.col(4) + Vector::Constant(30, 0.7);
    const OwnedProblem problem(data);
    for (const double lambda : {0.0, 1e-6, 1e-2}) {
      for (const Start& start : all_starts(8)) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << lambda << " from "
                                          << to_string(start.method));
        const Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
        expect_sound(problem, result, {lambda});
        EXPECT_LT(result.rss, 1e-12);
        if (lambda > 0) {
          EXPECT_EQ(result.model.at.support, (Support{1, 4}));
        }
      }
    }
  }
}

TEST(EdgeCases, AHugeLambdaLeavesNothing) {
  const OwnedProblem problem(random_data(1, ProblemSpec{}));
  for (const Start& start : all_starts(12)) {
    const Fit result = fit(problem, {.goal = AtLambda{.penalty = {1e12}, .start = start}});
    EXPECT_TRUE(result.model.at.support.empty());
    expect_sound(problem, result, {1e12});
  }
}

TEST(EdgeCases, ColumnsScaledByAnyFactorGiveTheSameSupport) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ProblemSpec spec = random_spec(seed, 8);
    spec.p = 6;
    spec.n = std::max<Index>(spec.n, 12);
    spec.standardize = true;
    const Data data = random_data(seed, spec);
    Data scaled = data;
    const double scales[] = {1e-150, 1e150, 1, 1e-80, 1e80, -1e-8};
    for (Index j = 0; j < 6; ++j) scaled.X.col(j) *= scales[j];
    const OwnedProblem one(data), other(scaled, kStorages[seed % 3]);
    Rng rng(seed);
    const Penalty penalty{random_lambda(rng, data) * 0.3};
    for (const Start& start : {Start::paper(), Start::empty(), Start::support({0, 1, 4})}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " from " << to_string(start.method)
                                        << ": " << describe(data));
      const Fit a = fit(one, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = start}});
      const Fit b = fit(other, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = start}});
      expect_sound(other, b, penalty);
      EXPECT_EQ(a.model.at.support, b.model.at.support);
      EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
      ASSERT_EQ(a.model.at.support.size(), b.model.at.support.size());
      for (std::size_t l = 0; l < a.model.at.support.size(); ++l)
        EXPECT_NEAR(b.model.at.coefficients[l] * scales[a.model.at.support[l]],
                    a.model.at.coefficients[l],
                    1e-8 * a.model.at.coefficients.cwiseAbs().maxCoeff());
    }
  }
}

// Outside the range of doubles there is an Error or a sound answer, never Infinity, NaN or a model
// that fits worse than it says.
TEST(EdgeCases, SizesBeyondDoublesAreRefusedOrRight) {
  int refused = 0;
  for (const double y_scale : {1.0, 1e150, 1e155, 1e300, 1e-150, 1e-300}) {
    for (const double x_scale : {1.0, 1e150, 1e300, 1e-150, 1e-300}) {
      Data data = random_data(3, ProblemSpec{.n = 30, .p = 5, .mean = 1});
      const Support plain =
          fit(OwnedProblem(data), {.goal = AtLambda{.penalty = {0.3}, .start = Start::empty()}})
              .model.at.support;
      const double lambda = 0.3 * y_scale * y_scale;
      data.y *= y_scale;
      data.X.leftCols(3) *= x_scale;
      const OwnedProblem problem(data);
      SCOPED_TRACE(::testing::Message() << "y " << y_scale << " x " << x_scale);
      try {
        const Fit result =
            fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::empty()}});
        expect_sound(problem, result, {lambda});
        EXPECT_EQ(result.model.at.support, plain);
      } catch (const Error& error) {
        EXPECT_GT(std::string(error.what()).size(), 20u);
        ++refused;
        EXPECT_FALSE(y_scale == 1 && x_scale >= 1e-150 && x_scale <= 1e150) << error.what();
      }
    }
  }
  EXPECT_GT(refused, 5);
}

TEST(EdgeCases, LargeMeansEqualTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ProblemSpec spec{.n = 40, .p = 8, .rho = 0.5, .mean = 1e8};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec), kStorages[seed % 3]);
    Rng rng(seed);
    const Penalty penalty{random_lambda(rng, problem.data())};
    const Centred centred(problem.data());
    const OracleSearch want = algorithm_1(centred, {}, penalty);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
    expect_sound(problem, result, penalty, 1e-7);
    if (want.margin < 1e-9L) continue;
    EXPECT_EQ(result.model.at.support, want.support);
    EXPECT_NEAR(result.objective, static_cast<double>(want.objective), 1e-7 * result.objective);
    const LeastSquares ols = least_squares(centred, result.model.at.support);
    for (Index l = 0; l < ols.beta.size(); ++l)
      EXPECT_NEAR(result.model.at.coefficients[l], static_cast<double>(ols.beta[l]), 1e-10);
  }
}

// Every column has a near duplicate, and what tells them apart matters: the arithmetic on moments
// has 1e-16 / noise^2 to lose. The search must come to an end, never at a worse F than the
// definition's, and at the same support where that is clear.
TEST(EdgeCases, NearDuplicateColumns) {
  int compared = 0;
  for (const double noise : {1e-2, 1e-3, 1e-4}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      ProblemSpec spec = random_spec(seed, 8);
      spec.n = std::max<Index>(spec.n, 25);
      Data data = random_data(seed, spec);
      Rng rng(seed);
      for (Index j = 0; j < spec.p; ++j) {
        Vector twin = data.X.col(j);
        for (double& entry : twin) entry += noise * rng.normal();
        data.append(twin);
      }
      data.y += 0.3 / noise * (data.X.col(spec.p) - data.X.col(0));
      const OwnedProblem problem(data, kStorages[seed % 3]);
      const Penalty penalty{random_lambda(rng, data) * 0.3};
      const OracleSearch want = algorithm_1(Centred(data), {}, penalty);
      SCOPED_TRACE(::testing::Message() << "noise " << noise << " seed " << seed);
      const Fit result =
          fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
      expect_sound(problem, result, penalty, 1e-7);
      EXPECT_LE(result.objective, static_cast<double>(want.objective) * (1 + 1e-6));
      if (want.margin < 1e-6L) continue;
      ++compared;
      EXPECT_EQ(result.model.at.support, want.support);
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(EdgeCases, AStartMayNameColumnsTwiceAndInAnyOrder) {
  const OwnedProblem problem(random_data(4, ProblemSpec{}));
  const Fit plain =
      fit(problem, {.goal = AtLambda{.penalty = {0.5}, .start = Start::support({1, 4, 7})}});
  const Fit messy =
      fit(problem, {.goal = AtLambda{.penalty = {0.5}, .start = Start::support({7, 1, 4, 7, 1})}});
  EXPECT_EQ(plain.model.at.support, messy.model.at.support);
  EXPECT_EQ(plain.objective, messy.objective);
}

TEST(EdgeCases, NonsenseIsRefused) {
  const OwnedProblem problem(random_data(4, ProblemSpec{}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double lambda : {-1.0, nan, infinity})
    EXPECT_THROW(fit(problem, {.goal = AtLambda{lambda}}), UsageError) << lambda;
  for (const double power : {-0.1, 1.0, 2.0, nan})
    EXPECT_THROW(fit(problem, {.goal = AtLambda{.penalty = {1, power}}}), UsageError) << power;
  EXPECT_THROW(fit(problem, {.goal = AtLambda{.penalty = {1}, .start = Start::support({0, 12})}}),
               Error);
  EXPECT_THROW(fit(problem, {.goal = AtLambda{.penalty = {1}, .start = Start::support({-1})}}),
               Error);
  EXPECT_THROW(
      fit(problem, {.goal = AtLambda{.penalty = {1}, .start = Start::paper(), .l1_tolerance = -1}}),
      UsageError);
  EXPECT_THROW(
      fit(problem,
          {.goal = AtLambda{.penalty = {1}, .start = Start::paper(), .l1_tolerance = nan}}),
      UsageError);
}

}  // namespace
}  // namespace lass0::testing
