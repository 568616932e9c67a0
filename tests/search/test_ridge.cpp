// The ridge: against rows added to the data by hand, and what shrinking must do.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/error.hpp>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

// Without an intercept a ridge is p more rows: sqrt(ridge) s_j in column j, 0 in y.
Data with_rows(const Data& data) {
  const Centred centred(data);
  Data more = data;
  const Index n = data.n(), p = data.p();
  more.ridge = 0;
  more.X.conservativeResizeLike(Matrix::Zero(n + p, p));
  more.y.conservativeResizeLike(Vector::Zero(n + p));
  if (more.w.size() > 0) more.w.conservativeResizeLike(Vector::Ones(n + p));
  for (Index j = 0; j < p; ++j)
    more.X(n + j, j) = std::sqrt(data.ridge) * static_cast<double>(centred.deviation[j]);
  return more;
}

TEST(Ridge, IsRowsAddedToTheData) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    ProblemSpec spec = random_spec(seed, 10);
    spec.intercept = false;
    Data data = random_data(seed, spec);
    Rng rng(seed);
    data.ridge = std::exp(rng.uniform(-3, 4));
    const double lambda = random_lambda(rng, data) * 0.3;
    const Data more = with_rows(data);
    const OwnedProblem problem(data, kStorages[seed % 3]), rows(more, kStorages[seed % 3]);
    if (algorithm_1(Centred(data), {}, {lambda}).margin < 1e-9L) continue;
    ++compared;
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Fit a = fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::empty()}});
    const Fit b = fit(rows, {.goal = AtLambda{.penalty = {lambda}, .start = Start::empty()}});
    expect_sound(problem, a, {lambda});
    ASSERT_EQ(a.model.at.support, b.model.at.support);
    EXPECT_NEAR(a.objective, b.objective, 1e-9 * b.objective);
    EXPECT_NEAR(a.loss(), b.rss, 1e-9 * b.rss);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.trace.moves.size(), b.trace.moves.size());
    for (Index l = 0; l < a.model.at.coefficients.size(); ++l)
      EXPECT_NEAR(a.model.at.coefficients[l], b.model.at.coefficients[l],
                  1e-9 * std::abs(b.model.at.coefficients[l]) + 1e-10);
    const SupportTable one = best_supports(problem), two = best_supports(rows);
    for (Index k = 0; k <= std::min(one.max_k(), two.max_k()); ++k)
      EXPECT_NEAR(one.at_k(k).loss, two.at_k(k).loss, 1e-9 * two.at_k(0).loss);
  }
  EXPECT_GT(compared, 90);
}

// On columns at unit deviation: changing their units changes nothing.
TEST(Ridge, DoesNotDependOnTheUnitsOfTheColumns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec = random_spec(seed, 9);
    spec.standardize = true;
    Data data = random_data(seed, spec);
    data.ridge = 5;
    Data scaled = data;
    Rng rng(seed);
    for (Index j = 0; j < data.p(); ++j) scaled.X.col(j) *= std::exp(rng.uniform(-100, 100));
    const double lambda = random_lambda(rng, data) * 0.3;
    const OwnedProblem one(data), two(scaled);
    const Fit a = fit(one, {.goal = AtLambda{lambda}}), b = fit(two, {.goal = AtLambda{lambda}});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    expect_sound(two, b, {lambda});
    EXPECT_EQ(a.model.at.support, b.model.at.support);
    EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
    EXPECT_NEAR(a.ridge_penalty, b.ridge_penalty, 1e-8 * a.objective);
  }
}

TEST(Ridge, ShrinksTowardsNothing) {
  const Data plain = random_data(4, ProblemSpec{.n = 50, .p = 6, .mean = 3});
  double before = std::numeric_limits<double>::infinity();
  for (const double ridge : {0.0, 1.0, 1e2, 1e4, 1e8}) {
    Data data = plain;
    data.ridge = ridge;
    const OwnedProblem problem(data);
    const Fit result = fit(problem, {.goal = OfSize{3}});
    expect_sound(problem, result, {});
    double size = 0;
    for (const double effect : result.effects) size += effect * effect;
    EXPECT_LT(size, before) << ridge;
    before = size;
  }
  EXPECT_LT(before, 1e-8);
  Data data = plain;  // beyond what sums resolve: no column is left
  data.ridge = 1e300;
  const OwnedProblem problem(data);
  const Fit result = fit(problem, {.goal = AtLambda{0}});
  expect_sound(problem, result, {0.0});
  EXPECT_EQ(result.k(), 0);
}

// Two equal columns share a coefficient, which costs half the ridge: then both may be worth it.
TEST(Ridge, TwinsShareTheirCoefficient) {
  Data data = random_data(4, ProblemSpec{.n = 50, .p = 3, .k = 3, .snr = 50});
  data.y += 4 * data.X.col(0);
  data.append(scaled_copy(data, 0, 1.0));
  data.ridge = 20;
  const OwnedProblem problem(data);
  const Fit result = fit(problem, {.goal = AtLambda{1e-6}});
  expect_sound(problem, result, {1e-6});
  expect_true_status(problem, result, {1e-6});
  ASSERT_EQ(result.model.at.support, (Support{0, 1, 2, 3}));
  EXPECT_NEAR(result.model.at.coefficients[0], result.model.at.coefficients[3], 1e-10);
}

TEST(Ridge, SizesBeyondDoublesAreRefused) {
  Data data = random_data(4, ProblemSpec{.n = 20, .p = 3, .standardize = false});
  data.X.col(1) *= 1e-150;
  data.ridge = 1e100;
  EXPECT_THROW(fit(OwnedProblem(data), {.goal = AtLambda{1}}), Error);
}

}  // namespace
}  // namespace lass0::testing
