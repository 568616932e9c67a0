// Algorithm 1 against its definition: each step refits every single add and remove by QR.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/fit.hpp>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

// Where the definition itself hangs on less than this (relative to F), rounding may take the other
// branch.
constexpr Real kClear = 1e-9L;

void expect_same_trace(const std::vector<Move>& moves, const std::vector<OracleMove>& want,
                       double start_objective) {
  ASSERT_EQ(moves.size(), want.size());
  const double unit = std::abs(start_objective);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(moves[i].column, want[i].column) << "move " << i;
    EXPECT_EQ(moves[i].kind == Move::Kind::add, want[i].add) << "move " << i;
    EXPECT_NEAR(moves[i].gain, static_cast<double>(want[i].gain), 1e-9 * unit) << "move " << i;
    EXPECT_NEAR(moves[i].objective, static_cast<double>(want[i].objective), 1e-9 * unit)
        << "move " << i;
  }
}

// Returns whether the definition was clear enough to be compared with.
bool expect_the_definition(const OwnedProblem& problem, const Fit& fit, const Support& start,
                           const Penalty& penalty) {
  const Centred centred(problem.data());
  const OracleSearch want = algorithm_1(centred, start, penalty);
  expect_sound(problem, fit, penalty);
  EXPECT_EQ(fit.trace.start_support, start);
  if (want.margin < kClear) return false;
  EXPECT_EQ(chosen(fit), want.support);
  // Included columns may explain all of y: then F is rounding.
  EXPECT_NEAR(fit.objective, static_cast<double>(want.objective),
              1e-9 * std::abs(static_cast<double>(want.objective)) +
                  1e-14 * static_cast<double>(centred.y.squaredNorm()));
  expect_same_trace(fit.trace.moves, want.moves,
                    static_cast<double>(refitted_objective(centred, penalty, start)));
  return true;
}

TEST(Algorithm1, FromTheLassoEqualsTheDefinition) {
  int compared = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 14), kStorages[seed % 4]);
    const Penalty penalty{random_lambda(rng, problem.data())};
    const Centred centred(problem.data());
    const OracleLasso lasso = lasso_by_definition(centred, penalty.lambda);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << penalty.lambda << ": "
                                      << describe(problem.data()));
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::paper()}});
    ++total;
    ASSERT_TRUE(result.trace.lasso.has_value());
    EXPECT_EQ(without_included(problem.data(), result.trace.lasso->at.support),
              result.trace.start_support);
    if (lasso.kkt > 1e-10L || lasso.margin < 1e-6L ||
        !independent(centred, model_columns(centred, lasso.support)))
      continue;
    compared += expect_the_definition(problem, result, lasso.support, penalty);
  }
  EXPECT_GT(compared, total * 9 / 10);
}

// The same at the small lambdas where the Lasso keeps many columns: the search then has much to
// remove.
TEST(Algorithm1, FromALargeLassoSupportEqualsTheDefinition) {
  int compared = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ProblemSpec spec{.n = 60, .p = 25, .k = 6, .rho = 0.7, .snr = 3};
    if (seed % 3 == 0) spec.n = 20;
    spec.weights = static_cast<WeightKind>(seed % 2);
    spec.intercept = seed % 4 != 0;
    const OwnedProblem problem(with_random_extras(seed, random_data(seed, spec)));
    Rng rng(seed);
    const Penalty penalty{random_lambda(rng, problem.data()) * 0.05};
    const Centred centred(problem.data());
    const OracleLasso lasso = lasso_by_definition(centred, penalty.lambda);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << penalty.lambda << ": "
                                      << describe(problem.data()));
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::paper()}});
    ++total;
    if (lasso.kkt > 1e-10L || lasso.margin < 1e-6L ||
        !independent(centred, model_columns(centred, lasso.support)))
      continue;
    compared += expect_the_definition(problem, result, lasso.support, penalty);
  }
  EXPECT_GT(compared, total / 2);
}

TEST(Algorithm1, FromEmptyEqualsTheDefinition) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 14), kStorages[seed % 4]);
    const Penalty penalty{random_lambda(rng, problem.data())};
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
    EXPECT_FALSE(result.trace.lasso.has_value());
    compared += expect_the_definition(problem, result, {}, penalty);
  }
  EXPECT_GT(compared, 900);
}

TEST(Algorithm1, FromAGivenSupportOrCoefficientsEqualsTheDefinition) {
  int compared = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 14));
    const Penalty penalty{random_lambda(rng, problem.data())};
    const Centred centred(problem.data());
    const Index p = problem.data().p();
    const Support start = without_included(
        problem.data(), rng.subset(p, rng.between(0, std::min<Index>(p, centred.X.rows() / 2))));
    if (!independent(centred, model_columns(centred, start))) continue;
    Vector beta = Vector::Zero(p);
    for (const Index j : start) beta[j] = rng.normal();
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    const Fit given = fit(
        problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::support(start)}});
    const Fit vector =
        fit(problem,
            {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::coefficients(beta)}});
    EXPECT_EQ(given.model.at.support, vector.model.at.support);
    EXPECT_EQ(given.objective, vector.objective);
    ++total;
    compared += expect_the_definition(problem, given, start, penalty);
  }
  EXPECT_GT(total, 600);
  EXPECT_GT(compared, total * 9 / 10);
}

TEST(Algorithm1, WithAPowerEqualsTheDefinition) {
  int compared = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 12), kStorages[seed % 4]);
    const Penalty penalty{random_lambda(rng, problem.data()),
                          std::vector{0.25, 0.5, 0.9}[seed % 3]};
    const Centred centred(problem.data());
    const Index p = problem.data().p();
    const Support start = without_included(
        problem.data(), rng.subset(p, rng.between(0, std::min<Index>(p, centred.X.rows() / 2))));
    if (!independent(centred, model_columns(centred, start))) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " power " << penalty.power << ": "
                                      << describe(problem.data()));
    const Fit result = fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda, penalty.power},
                                                      .start = Start::support(start)}});
    ++total;
    compared += expect_the_definition(problem, result, start, penalty);
  }
  EXPECT_GT(total, 600);
  EXPECT_GT(compared, total * 9 / 10);
}

TEST(Algorithm1, OnTheTrainingSetOfAFoldEqualsTheDefinition) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec = random_spec(seed, 10);
    spec.n = 40;
    const OwnedProblem problem(with_random_extras(seed, random_data(seed, spec)));
    Rng rng(seed);
    const Penalty penalty{random_lambda(rng, problem.data())};
    std::vector<int> folds(40);
    for (int i = 0; i < 40; ++i) folds[i] = i % 4;
    const Moments all(problem, {.folds = folds});
    for (int f = 0; f < 4; ++f) {
      std::vector<Index> others;
      for (Index i = 0; i < 40; ++i)
        if (folds[i] != f) others.push_back(i);
      const Centred centred(problem.data().rows(others));
      const OracleSearch want = algorithm_1(centred, {}, penalty);
      const SearchResult result = search(all.without_fold(f), {}, penalty);
      if (want.margin < kClear) continue;
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " fold " << f);
      ++compared;
      EXPECT_EQ(result.support, want.support);
      EXPECT_NEAR(result.objective, static_cast<double>(want.objective),
                  1e-9 * static_cast<double>(want.objective));
    }
  }
  EXPECT_GT(compared, 140);
}

// A long search: many moves, so that updates by rank one have time to drift.
TEST(Algorithm1, ManyMovesEqualTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    ProblemSpec spec{.n = 70, .p = 45, .k = 40, .rho = 0.5, .snr = 50};
    const OwnedProblem problem(with_random_extras(seed, random_data(seed, spec)));
    const Centred centred(problem.data());
    const Penalty penalty{static_cast<double>(centred.y.squaredNorm()) * 1e-6};
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Fit up =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda}, .start = Start::empty()}});
    EXPECT_GT(up.trace.moves.size(), 25u);
    expect_the_definition(problem, up, {}, penalty);
    Support all;
    for (Index j = 0; j < 45; ++j) all.push_back(j);
    all = without_included(problem.data(), all);
    const Penalty heavy{penalty.lambda * 50000};
    const Fit down =
        fit(problem, {.goal = AtLambda{.penalty = {heavy.lambda}, .start = Start::support(all)}});
    EXPECT_GT(down.trace.moves.size(), 25u);
    expect_the_definition(problem, down, all, heavy);
  }
}

}  // namespace
}  // namespace lass0::testing
