// A problem's loss against sums over its rows.
#include <gtest/gtest.h>

#include "problem/likelihood.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(Likelihood, OfLeastSquaresIsTheSumOfSquaredResiduals) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Data data = random_general_data(seed, 10);
    const OwnedProblem problem(data);
    Rng rng(seed);
    Iterate at{{0, data.p() - 1}, Vector::Ones(2), 0.5};
    at.coefficients[1] = rng.normal();
    if (data.p() < 2) continue;
    const auto expected = static_cast<double>(rss_by_definition(data, at));
    EXPECT_NEAR(deviance(problem, at), expected, 1e-12 * expected);
    EXPECT_NEAR(loss_value(problem, at), expected / 2, 1e-12 * expected);
    EXPECT_EQ(residual_sum_of_squares(problem, at), deviance(problem, at));
    EXPECT_NEAR(objective(problem, {}, at),
                loss_value(problem, at) + ridge_penalty(problem, at) / 2, 1e-12 * expected);
  }
}

TEST(Likelihood, TheNullModelIsFittedOnSomeRowsAndJudgedOnOthers) {
  for (const bool intercept : {true, false}) {
    Data data = random_data(7, {.n = 30, .p = 3, .weights = WeightKind::reals});
    data.intercept = intercept;
    const OwnedProblem problem(data);
    Vector fitted = data.w, judged = data.w;
    for (Index i = 0; i < data.n(); ++i) (i % 3 == 0 ? fitted : judged)[i] = 0;
    const double mean = intercept ? fitted.dot(data.y) / fitted.sum() : 0;
    const double expected = judged.dot((data.y.array() - mean).square().matrix());
    EXPECT_NEAR(null_deviance(problem, fitted, judged), expected, 1e-12 * expected);
  }
}

}  // namespace
}  // namespace lass0::testing
