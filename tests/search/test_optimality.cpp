// What the answer is worth: never below the brute-force optimum, and exactly the optimum that its
// status claims.
#include <gtest/gtest.h>

#include <cmath>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

TEST(Optimality, NeverBelowTheBestOfAllSupports) {
  int optimal = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 9));
    const Penalty penalty{random_lambda(rng, problem.data()), seed % 4 == 0 ? 0.5 : 0.0};
    const Real best = brute_force_objective(Centred(problem.data()), penalty);
    for (const Start& start : {Start::paper(), Start::empty(), Start::table()}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
      const Fit result = fit(
          problem, {.goal = AtLambda{.penalty = {penalty.lambda, penalty.power}, .start = start}});
      expect_sound(problem, result, penalty);
      EXPECT_GE(result.objective, static_cast<double>(best) * (1 - 1e-9));
      optimal += result.objective <= static_cast<double>(best) * (1 + 1e-9);
    }
  }
  EXPECT_GT(optimal, 140) << "a local search that is rarely optimal on 9 columns is broken";
}

TEST(Optimality, TheStatusIsTrue) {
  int improvable = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Rng rng(seed);
    ProblemSpec spec = random_spec(seed, 12);
    spec.rho = rng.uniform(0.3, 0.95);  // correlation leaves swaps to be found
    const OwnedProblem problem(with_random_extras(seed, random_data(seed, spec)),
                               kStorages[seed % 3]);
    const Penalty penalty{random_lambda(rng, problem.data()) * 0.3};
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " lambda " << penalty.lambda << ": "
                                      << describe(problem.data()));
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda},
                                       .start = seed % 2 == 0 ? Start::empty() : Start::paper()}});
    expect_sound(problem, result, penalty);
    expect_true_status(problem, result, penalty);
    improvable += result.improving_swap.has_value();
  }
  EXPECT_GT(improvable, 5);
}

TEST(Optimality, TheStatusIsTrueWithAPower) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    const OwnedProblem problem(random_general_data(seed, 9));
    const Penalty penalty{random_lambda(rng, problem.data()),
                          std::vector{0.25, 0.5, 0.9}[seed % 3]};
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    const Fit result = fit(problem, {.goal = AtLambda{.penalty = {penalty.lambda, penalty.power},
                                                      .start = Start::empty()}});
    expect_sound(problem, result, penalty);
    expect_true_status(problem, result, penalty);
  }
}

}  // namespace
}  // namespace lass0::testing
