// The fast loop over rows of logistic regression against the plain functions of one row.
#include <gtest/gtest.h>

#include <cmath>

#include "loss/loss.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// All that the loop gives, at these predictions.
void expect_digits(const std::vector<double>& y, const std::vector<double>& w, const Vector& eta) {
  const Index n = eta.size();
  const Response response{.y = y, .weights = w};
  Vector residuals(n), curvatures(n);
  const double value = binomial().evaluate(response, eta, residuals, curvatures);
  EXPECT_NEAR(value, binomial().value(response, eta), 1e-13 * value);
  const double deviance = binomial().deviance(response, eta);
  EXPECT_NEAR(deviance, binomial().deviances(response, eta).sum(), 1e-13 * deviance);
  const Vector u = binomial().residual(response, eta);
  const Vector M = *binomial().curvature(response, eta)->diagonal();
  for (Index i = 0; i < n; ++i) {
    EXPECT_NEAR(residuals[i], u[i], 1e-14 * std::abs(u[i]) + 1e-300) << eta[i];
    EXPECT_NEAR(curvatures[i], M[i], 1e-14 * M[i] + 1e-300) << eta[i];
  }
}

TEST(BinomialRows, HaveTheirDigitsHoweverSureThePredictionIs) {
  for (const bool weighted : {true, false}) {
    Rng rng(1);
    const Index n = 999;
    std::vector<double> y, w;
    Vector eta(n);
    for (Index i = 0; i < n; ++i) {
      y.push_back(rng.chance(0.5) ? 1 : 0);
      if (weighted) w.push_back(static_cast<double>(i % 4) / 2);
      eta[i] = rng.normal() * std::pow(10.0, rng.uniform(-8, 2.8));
    }
    eta[0] = 0;
    eta[1] = 690;
    eta[2] = -690;
    eta[3] = 1e300;  // beyond the smallest number: 0 to within it
    expect_digits(y, w, eta);
  }
}

// Their values would be lost beside 1.
TEST(BinomialRows, WithoutWeightsHaveTheirDigitsWhereAllPredictionsAreSure) {
  for (const double sure : {1.0, 3.0, 10.0, 40.0, 600.0}) {
    Rng rng(2);
    const Index n = 3000;
    std::vector<double> y;
    Vector eta(n);
    for (Index i = 0; i < n; ++i) {
      y.push_back(rng.chance(0.5) ? 1 : 0);
      eta[i] = (y.back() > 0 ? 1 : -1) * sure * rng.uniform(0.9, 1.1);
    }
    expect_digits(y, {}, eta);
  }
}

}  // namespace
}  // namespace lass0::testing
