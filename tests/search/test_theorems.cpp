// The paper's two theorems, in the setting they are stated in.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

// Orthonormal columns without an intercept, and y with the given products X'y (and something
// outside their span).
Data orthonormal(std::uint64_t seed, Index n, const Vector& products) {
  const Index p = products.size();
  Rng rng(seed);
  Matrix random(n, p + 1);
  for (double& entry : random.reshaped()) entry = rng.normal();
  const Matrix Q = Matrix(random.householderQr().householderQ()).leftCols(p + 1);
  Data data;
  data.intercept = data.standardize = false;
  data.X = Q.leftCols(p);
  data.y = data.X * products + 1.7 * Q.col(p);
  return data;
}

// lambda below, at and above 2, where the thresholds of L1 (lambda) and L0 (sqrt(2 lambda)) change
// order.
TEST(Theorem1, OrthonormalColumnsAreHardThresholded) {
  for (const double lambda : {0.02, 0.5, 1.9, 2.0, 2.1, 5.0, 20.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Rng rng(seed);
      Vector products(20);
      for (Index j = 0; j < 20; ++j)
        products[j] = rng.uniform(-2, 2) * std::max(lambda, std::sqrt(2 * lambda));
      const OwnedProblem problem(orthonormal(seed, 30, products));
      Support want;
      for (Index j = 0; j < 20; ++j)
        if (std::abs(products[j]) > std::sqrt(2 * lambda)) want.push_back(j);
      for (const Start& start :
           {Start::paper(), Start::empty(), Start::support({0, 1, 2, 7, 19})}) {
        SCOPED_TRACE(::testing::Message() << "lambda " << lambda << " seed " << seed << " from "
                                          << to_string(start.method));
        const Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
        expect_sound(problem, result, {lambda});
        EXPECT_EQ(result.model.at.support, want);
        EXPECT_EQ(result.model.at.intercept, 0.0);
        for (std::size_t l = 0; l < want.size(); ++l)
          EXPECT_NEAR(result.model.at.coefficients[l], products[want[l]], 1e-10 * lambda + 1e-11);
        EXPECT_EQ(result.status, Status::local_optimum);
        if (start.method == Start::Method::paper) {
          Support soft;
          for (Index j = 0; j < 20; ++j)
            if (std::abs(products[j]) > lambda) soft.push_back(j);
          EXPECT_EQ(result.trace.start_support, soft);
        }
      }
    }
  }
}

TEST(Theorem1, AtLambdaTwoTheLassoSupportIsAlreadyTheAnswer) {
  const Vector products{{2.5, -2.2, 1.9, -1.5, 0.3, 2.01, 1.99}};
  const OwnedProblem problem(orthonormal(3, 12, products));
  const Fit result = fit(problem, {.goal = AtLambda{.penalty = {2.0}, .start = Start::paper()}});
  EXPECT_EQ(result.trace.start_support, (Support{0, 1, 5}));
  EXPECT_EQ(result.model.at.support, (Support{0, 1, 5}));
  EXPECT_TRUE(result.trace.moves.empty());
}

TEST(Theorem2, TwoProportionalColumnsAreNeverBothChosen) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed);
    Data data = random_data(seed, 8);
    const Index i = rng.below(data.p());
    const double factor = std::vector{1.0, -1.0, 2.5, -1e-3, 1e6, 1.0 / 3}[seed % 6];
    data.append(scaled_copy(data, i, factor));
    const Index j = data.p() - 1;
    const OwnedProblem problem(data, kStorages[seed % 3]);
    const Penalty penalty{random_lambda(rng, data) * 0.2};
    const Centred centred(data);
    for (const Start& start :
         {Start::paper(), Start::empty(), Start::support({std::min(i, j), j})}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " factor " << factor << " from "
                                        << to_string(start.method) << ": " << describe(data));
      const Fit result =
          fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = start}});
      expect_sound(problem, result, penalty);
      const Support& support = result.model.at.support;
      EXPECT_FALSE(std::count(support.begin(), support.end(), i) > 0 &&
                   std::count(support.begin(), support.end(), j) > 0);
      expect_true_status(problem, result, penalty);
    }
    // From no column the duplicate changes nothing: ties go to the lower index.
    const Data alone = random_data(seed, 8);
    const OwnedProblem without(alone);
    const Fit one =
        fit(without, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
    const Fit two =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
    if (algorithm_1(Centred(alone), {}, penalty).margin > 1e-9L) {
      EXPECT_NEAR(one.objective, two.objective, 1e-9 * one.objective) << "seed " << seed;
      EXPECT_EQ(one.model.at.support, two.model.at.support) << "seed " << seed;
    }
  }
}

// The definition, started with both duplicates: dropping one saves lambda at once, and the end has
// the same objective.
TEST(Theorem2, AStartWithDuplicatesEndsWhereTheDefinitionDoes) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    ProblemSpec spec = random_spec(seed, 7);
    spec.n = std::max<Index>(spec.n, 30);
    Data data = random_data(seed, spec);
    const Index p = data.p();
    const Support half = rng.subset(p, (p + 1) / 2);
    Support start = half;
    for (const Index j : half) {
      if (!rng.chance(0.6)) continue;
      data.append(scaled_copy(data, j, rng.uniform(0.5, 2)));
      start.push_back(data.p() - 1);
    }
    const OwnedProblem problem(data);
    const Centred centred(data);
    if (!independent(centred, half)) continue;
    const Penalty penalty{random_lambda(rng, data)};
    const OracleSearch want = algorithm_1(centred, start, penalty);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Fit result = fit(
        problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::support(start)}});
    expect_sound(problem, result, penalty);
    EXPECT_EQ(result.trace.start_support, start);
    if (want.margin < 1e-9L) continue;
    ++compared;
    EXPECT_NEAR(result.objective, static_cast<double>(want.objective), 1e-9 * result.objective);
  }
  EXPECT_GT(compared, 80);
}

TEST(Theorem2, GroupsOfDependentColumnsAreReducedToIndependentOnes) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Rng rng(seed);
    Data data = random_data(seed, 6);
    const Index p = data.p();
    Vector sum = Vector::Zero(data.n());
    for (Index j = 0; j < p; ++j) sum += rng.normal() * data.X.col(j);
    data.append(sum);
    data.append(data.X.col(0) - 2 * sum);
    data.append(Vector::Constant(data.n(), 0.1));
    data.append(scaled_copy(data, p, 4));
    const OwnedProblem problem(data, kStorages[seed % 3]);
    const Penalty penalty{random_lambda(rng, data) * 0.1};
    Support all;
    for (Index j = 0; j < data.p(); ++j) all.push_back(j);
    for (const Start& start : {Start::paper(), Start::empty(), Start::support(all)}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " from " << to_string(start.method)
                                        << ": " << describe(data));
      const Fit result =
          fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = start}});
      expect_sound(problem, result, penalty);
      expect_true_status(problem, result, penalty);
    }
  }
}

TEST(Theorem2, DroppedMembersOfTheStartAreNamed) {
  Data data = random_data(3, ProblemSpec{.n = 40, .p = 4});
  data.append(scaled_copy(data, 1, 3));        // 4
  data.append(Vector::Constant(40, 0.1));      // 5
  data.append(data.X.col(0) + data.X.col(2));  // 6
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const std::vector<Index> start = {0, 1, 2, 4, 5, 6};
  const SearchResult result = search(moments, start, {1e-6});
  const Centred centred(data);
  EXPECT_EQ(result.start.size(), 3u);
  EXPECT_EQ(result.dropped.size(), 3u);
  EXPECT_TRUE(independent(centred, result.start));
  EXPECT_EQ(std::count(result.dropped.begin(), result.dropped.end(), 5), 1);
  Support together = result.start;
  together.insert(together.end(), result.dropped.begin(), result.dropped.end());
  std::sort(together.begin(), together.end());
  EXPECT_EQ(together, start);
  // Nothing is lost: the reduced start explains all that the start did.
  EXPECT_NEAR(static_cast<double>(least_squares(centred, result.start).rss),
              static_cast<double>(least_squares(centred, start).rss), 1e-9);
}

}  // namespace
}  // namespace lass0::testing
