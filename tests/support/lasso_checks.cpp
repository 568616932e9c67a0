#include "support/lasso_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lass0::testing {

Vector dense_beta(const Iterate& at, Index p) {
  Vector beta = Vector::Zero(p);
  for (std::size_t l = 0; l < at.support.size(); ++l)
    beta[at.support[l]] = at.coefficients[static_cast<Index>(l)];
  return beta;
}

void expect_well_formed(const LassoPoint& point, Index p) {
  ASSERT_EQ(std::ssize(point.at.support), point.at.coefficients.size());
  EXPECT_TRUE(point.at.coefficients.allFinite() && std::isfinite(point.at.intercept));
  EXPECT_TRUE(std::isfinite(point.objective) && std::isfinite(point.relative_gap));
  for (std::size_t l = 0; l < point.at.support.size(); ++l) {
    EXPECT_TRUE(point.at.support[l] >= 0 && point.at.support[l] < p);
    if (l > 0) {
      EXPECT_LT(point.at.support[l - 1], point.at.support[l]);
    }
    EXPECT_NE(point.at.coefficients[static_cast<Index>(l)], 0.0);
  }
}

void expect_honest(const LassoPoint& point, const Data& data, double tolerance) {
  expect_well_formed(point, data.p());
  const LassoJudgement judged = judge_lasso(data, point.lambda, point.at);
  const Centred centred(data);
  const double total = static_cast<double>(centred.y.squaredNorm() / 2);
  EXPECT_NEAR(point.objective, static_cast<double>(judged.objective), 1e-10 * total);
  EXPECT_LE(static_cast<double>(judged.gap), point.relative_gap * (1 + 1e-6) + 1e-12);
  EXPECT_GE(point.relative_gap, -1e-15);
  EXPECT_TRUE(point.converged);
  EXPECT_LE(point.relative_gap, tolerance);
  EXPECT_LE(static_cast<double>(judged.gap), tolerance + 1e-12);
}

double distance(const LassoPoint& point, const OracleLasso& oracle, const Centred& centred) {
  const Vector beta = dense_beta(point.at, centred.p());
  Real worst = 0, largest = 0;
  for (Index j = 0; j < centred.p(); ++j) {
    worst = std::max(worst, std::abs(beta[j] - oracle.beta[j]) * centred.norm[j]);
    largest = std::max(largest, std::abs(oracle.beta[j]) * centred.norm[j]);
  }
  return static_cast<double>(largest > 0 ? worst / largest : worst);
}

}  // namespace lass0::testing
