// Included columns: in every model, free of lambda, not counted; and who can't be chosen for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/path.hpp>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

std::vector<Start> starts(const Data& data) {
  Support all;
  for (Index j = 0; j < data.p(); ++j) all.push_back(j);
  return {Start::table(), Start::paper(), Start::empty(), Start::support(all)};
}

// A column of ones that is included is an intercept.
TEST(Include, AColumnOfOnesIsTheIntercept) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ProblemSpec spec = random_spec(seed, 10);
    spec.intercept = true;
    spec.standardize = false;  // the deviation is about 0 without an intercept
    const Data data = random_data(seed, spec);
    Data ones = data;
    ones.append(Vector::Ones(data.n()));
    ones.intercept = false;
    ones.include = {data.p()};
    Rng rng(seed);
    const double lambda = random_lambda(rng, data);
    const OwnedProblem a(data), b(ones);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    for (const Start& start : {Start::table(), Start::paper(), Start::empty()}) {
      const Fit with_intercept = fit(a, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      const Fit with_ones = fit(b, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      expect_sound(b, with_ones, {lambda});
      EXPECT_EQ(with_intercept.model.at.support, chosen(with_ones));
      EXPECT_NEAR(with_intercept.objective, with_ones.objective, 1e-9 * with_ones.objective);
      EXPECT_NEAR(with_intercept.model.at.intercept, with_ones.model.at.coefficients[with_ones.k()],
                  1e-7);
      EXPECT_EQ(with_intercept.status, with_ones.status);
    }
  }
}

// The same columns, paid for: F is larger by lambda for each.
TEST(Include, CostsNothing) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Data data = random_data(seed, 10);
    Rng rng(seed);
    const double lambda = random_lambda(rng, data) * 0.3;
    const OwnedProblem plain(data);
    const Fit free = fit(plain, {.goal = AtLambda{lambda}});
    if (free.model.at.support.empty()) continue;
    data.include = {free.model.at.support.front()};
    const OwnedProblem problem(data);
    for (const Start& start : starts(data)) {
      const Fit forced = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      expect_sound(problem, forced, {lambda});
      expect_true_status(problem, forced, {lambda});
      if (start.method == Start::Method::table) {
        EXPECT_LE(forced.objective, (free.objective - lambda) * (1 + 1e-9)) << "seed " << seed;
      }
    }
  }
}

TEST(Include, AUselessColumnStaysAtAnyLambda) {
  Data data = random_data(5, ProblemSpec{.n = 60, .p = 8});
  data.include = {6, 2};
  std::sort(data.include.begin(), data.include.end());
  const OwnedProblem problem(data);
  for (const Start& start : starts(data)) {
    const Fit result = fit(problem, {.goal = AtLambda{.penalty = {1e9}, .start = start}});
    EXPECT_EQ(result.model.at.support, (Support{2, 6}));
    EXPECT_EQ(result.k(), 0);
    EXPECT_EQ(result.objective, 0.5 * result.rss);
    expect_sound(problem, result, {1e9});
  }
}

TEST(Include, WhatIncludedColumnsExplainIsAliased) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Data data = random_data(seed, ProblemSpec{.n = 40, .p = 6, .rho = 0.5, .mean = 1});
    data.append(scaled_copy(data, 1, -3.0));     // 6
    data.append(data.X.col(1) + data.X.col(4));  // 7
    data.append(Vector::Constant(40, 2.5));      // 8
    data.include = {1, 4, 8};
    const OwnedProblem problem(data, kStorages[seed % 3]);
    Rng rng(seed);
    const double lambda = random_lambda(rng, data) * 0.1;
    for (const Start& start : starts(data)) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " from " << to_string(start.method));
      const Fit result = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = start}});
      expect_sound(problem, result, {lambda});
      expect_true_status(problem, result, {lambda});
      EXPECT_EQ(result.problem.constant, Support{8});
      for (const Index j : {6, 7})
        EXPECT_TRUE(std::binary_search(result.aliased.begin(), result.aliased.end(), j));
      for (const Index j : {1, 4})
        EXPECT_TRUE(
            std::binary_search(result.model.at.support.begin(), result.model.at.support.end(), j));
    }
  }
}

TEST(Include, EveryColumnMayBeIncluded) {
  for (const Index n : {6, 30}) {
    Data data = random_data(2, ProblemSpec{.n = n, .p = 8});
    data.include = {0, 1, 2, 3, 4, 5, 6, 7};
    const OwnedProblem problem(data);
    for (const Start& start : starts(data)) {
      const Fit result = fit(problem, {.goal = AtLambda{.penalty = {1}, .start = start}});
      expect_sound(problem, result, {1.0});
      EXPECT_EQ(result.k(), 0);
    }
    EXPECT_EQ(best_supports(problem).max_k(), 0);
    EXPECT_EQ(default_max_k(Moments(problem)), 0);
  }
}

TEST(Include, TheDefaultNumberOfRowsCountsWhatCanBeChosen) {
  Data data = random_data(2, ProblemSpec{.n = 100, .p = 8});
  data.append(scaled_copy(data, 2, 2.0));
  data.include = {2, 5};
  EXPECT_EQ(default_max_k(Moments(OwnedProblem(data))), 6);
}

TEST(Include, APathHasTheIncludedColumnsInEveryModel) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Data data = random_data(seed, ProblemSpec{.n = 40, .p = 9, .rho = 0.6});
    data.include = {3, 7};
    if (seed % 2 == 0) data.ridge = 2.5;
    const OwnedProblem problem(data);
    const Centred centred(data);
    const Path result = path(problem);
    ASSERT_EQ(result.table.max_k(), 7);
    EXPECT_EQ(result.problem.include, data.include);
    for (Index k = 0; k <= 7; ++k) {
      const Iterate& at = result.models[static_cast<std::size_t>(k)];
      const TableRow& row = result.table.at_k(k);
      EXPECT_EQ(std::ssize(row.support), k);
      EXPECT_EQ(at.support, model_columns(centred, row.support));
      const LeastSquares want = least_squares(centred, at.support);
      const double unit = static_cast<double>(centred.y.squaredNorm());
      EXPECT_NEAR(result.rss[static_cast<std::size_t>(k)], static_cast<double>(want.rss),
                  1e-10 * unit);
      EXPECT_NEAR(row.loss, static_cast<double>(want.loss), 1e-10 * unit);
      for (Index l = 0; l < at.coefficients.size(); ++l)
        EXPECT_NEAR(at.coefficients[l], static_cast<double>(want.beta[l]), 1e-9);
    }
  }
}

TEST(Include, AStoppedFitHasTheIncludedColumns) {
  Data data = random_data(3, ProblemSpec{.n = 60, .p = 20, .k = 10});
  data.include = {4, 11};
  const OwnedProblem problem(data);
  for (const Start& start : starts(data)) {
    FitOptions options{.goal = AtLambda{.penalty = {0.1}, .start = start}};
    options.control.time_limit = 0;
    const Fit result = fit(problem, options);
    expect_sound(problem, result, {0.1});
    EXPECT_EQ(result.status, Status::time_limit);
    for (const Index j : data.include)
      EXPECT_EQ(std::count(result.model.at.support.begin(), result.model.at.support.end(), j), 1);
  }
}

}  // namespace
}  // namespace lass0::testing
