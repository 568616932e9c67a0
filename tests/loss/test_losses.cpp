// What every loss must be, whatever it is. A new one gets all of these tests by its name in the
// list of all_losses().
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <lass0/error.hpp>
#include <limits>

#include "loss/row_loss.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// A second one, to see that nothing here is about squares alone: counts, l = e^eta - y eta.
struct Counts {
  static double value(double w, double y, double eta) { return w * (std::exp(eta) - y * eta); }
  static double residual(double w, double y, double eta) { return w * (y - std::exp(eta)); }
  static double curvature(double w, double, double eta) { return w * std::exp(eta); }
  static double deviance(double w, double y, double eta) {
    return 2 * w * ((y > 0 ? y * (std::log(y) - eta) : 0) - y + std::exp(eta));
  }
  static double dual(double w, double y, double u) {
    const double mean = y - u / w;
    if (mean < 0) return -std::numeric_limits<double>::infinity();
    return w * (mean - (mean > 0 ? mean * std::log(mean) : 0));
  }
};

class Poisson final : public RowLoss<Counts> {
 public:
  std::string_view name() const override { return "poisson"; }
  void check(const Response& response) const override {
    for (const double y : response.y) {
      if (!(y >= 0) || !std::isfinite(y)) throw Error("a count is negative");
    }
  }
  double mean(double eta) const override { return std::exp(eta); }
  double null_intercept(const Response& response) const override {
    double seen = 0, expected = 0;
    for (Index i = 0; i < std::ssize(response.y); ++i) {
      seen += response.weight(i) * response.y[static_cast<std::size_t>(i)];
      expected += response.weight(i) * std::exp(response.offset_of(i));
    }
    return std::log(seen / expected);
  }
  double minus_twice_log_likelihood(double deviance, double) const override { return deviance; }
};

struct LossCase {
  const Loss* loss;
  // One row, by definition: the negative log-likelihood of y at eta, up to what depends on y alone.
  std::function<double(double y, double eta)> definition;
  std::function<double(Rng&)> draw;  // a value of y
  double impossible;                 // a y that is refused
};

const std::vector<LossCase>& all_losses() {
  static const Poisson poisson;
  static const std::vector<LossCase> all = {
      {&gaussian(), [](double y, double eta) { return (y - eta) * (y - eta) / 2; },
       [](Rng& rng) { return 3 * rng.normal() + 1; }, std::numeric_limits<double>::infinity()},
      {&poisson, [](double y, double eta) { return std::exp(eta) - y * eta; },
       [](Rng& rng) { return static_cast<double>(rng.below(6)); }, -1.0},
      {&binomial(), [](double y, double eta) { return std::log(1 + std::exp(eta)) - y * eta; },
       [](Rng& rng) { return rng.chance(0.4) ? 1.0 : 0.0; }, 0.5},
  };
  return all;
}

class EveryLoss : public ::testing::TestWithParam<std::size_t> {
 protected:
  EveryLoss() {
    for (Index i = 0; i < kRows; ++i) {
      y_.push_back(at().draw(rng_));
      weights_.push_back(static_cast<double>(i % 4));  // some are 0
      offset_.push_back(0.3 * rng_.normal());
      eta_[i] = 0.7 * rng_.normal();
    }
  }

  const LossCase& at() const { return all_losses()[GetParam()]; }
  const Loss& loss() const { return *at().loss; }
  Response response() const { return {.y = y_, .weights = weights_, .offset = offset_}; }

  static constexpr Index kRows = 23;
  Rng rng_{11};
  std::vector<double> y_, weights_, offset_;
  Vector eta_ = Vector::Zero(kRows);
};

TEST_P(EveryLoss, ValuesAreThoseOfTheDefinition) {
  for (const bool weighted : {false, true}) {
    Response rows = response();
    if (!weighted) rows.weights = {};
    const Vector values = loss().values(rows, eta_);
    double sum = 0;
    for (Index i = 0; i < kRows; ++i) {
      const double expected =
          rows.weight(i) * at().definition(y_[static_cast<std::size_t>(i)], eta_[i]);
      EXPECT_NEAR(values[i], expected, 1e-12 * (1 + std::abs(expected)));
      sum += expected;
    }
    EXPECT_NEAR(loss().value(rows, eta_), sum, 1e-11 * (1 + std::abs(sum)));
  }
}

TEST_P(EveryLoss, TheResidualIsMinusTheGradient) {
  const double step = 1e-5;
  const Vector residual = loss().residual(response(), eta_);
  for (Index i = 0; i < kRows; ++i) {
    Vector up = eta_, down = eta_;
    up[i] += step;
    down[i] -= step;
    const double slope =
        (loss().value(response(), up) - loss().value(response(), down)) / (2 * step);
    EXPECT_NEAR(residual[i], -slope, 1e-6 * (1 + std::abs(slope))) << i;
  }
}

TEST_P(EveryLoss, TheCurvatureIsTheChangeOfTheResidual) {
  const double step = 1e-5;
  const auto curvature = loss().curvature(response(), eta_);
  for (int trial = 0; trial < 5; ++trial) {
    Vector v(kRows);
    for (double& value : v) value = rng_.normal();
    const Vector change = (loss().residual(response(), eta_ - step * v) -
                           loss().residual(response(), eta_ + step * v)) /
                          (2 * step);
    const Vector product = curvature->times(v);
    EXPECT_LT((product - change).norm(), 1e-6 * (1 + change.norm()));
    EXPECT_GE(v.dot(product), 0);
    if (curvature->diagonal()) {
      EXPECT_LT((product - curvature->diagonal()->cwiseProduct(v)).norm(), 1e-12 * product.norm());
    }
  }
}

TEST_P(EveryLoss, TheDualIsTheLowestValuePlusALinearTerm) {
  const Vector u = loss().residual(response(), eta_);
  const double dual = loss().dual(response(), u), value = loss().value(response(), eta_);
  EXPECT_NEAR(dual, value + u.dot(eta_), 1e-12 * (1 + std::abs(value)));
  for (int trial = 0; trial < 20; ++trial) {
    Vector other = eta_;
    for (double& eta : other) eta += rng_.normal();
    EXPECT_GE(loss().value(response(), other) + u.dot(other), dual);
  }
  // A row that does not count can't have a residual.
  Vector wrong = u;
  wrong[0] = 0.1;
  EXPECT_EQ(loss().dual(response(), wrong), -std::numeric_limits<double>::infinity());
}

TEST(Binomial, TheDualEndsWhereNoProbabilityHasTheResidual) {
  const std::vector<double> y = {1, 0}, weights = {2, 3};
  const Response rows{.y = y, .weights = weights};
  const auto dual = [&](double one, double zero) {
    Vector u(2);
    u << one, zero;
    return binomial().dual(rows, u);
  };
  EXPECT_EQ(dual(2, -3), 0);
  EXPECT_EQ(dual(0, 0), 0);
  EXPECT_NEAR(dual(1, -1.5), 5 * std::log(2.0), 1e-14);
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(dual(2.001, -1), none);
  EXPECT_EQ(dual(-1e-9, -1), none);
  EXPECT_EQ(dual(1, 1e-9), none);
  EXPECT_EQ(dual(1, -3.001), none);
}

TEST_P(EveryLoss, TheDevianceIsTwiceWhatTheValueIsAboveItsLowest) {
  const Vector deviances = loss().deviances(response(), eta_);
  EXPECT_NEAR(loss().deviance(response(), eta_), deviances.sum(), 1e-12 * deviances.sum());
  EXPECT_GE(deviances.minCoeff(), 0);
  // Differences do not depend on the lowest.
  Vector other = eta_;
  for (double& eta : other) eta += 0.4 * rng_.normal();
  const Vector values = loss().values(response(), eta_) - loss().values(response(), other);
  const Vector change = deviances - loss().deviances(response(), other);
  EXPECT_LT((change - 2 * values).norm(), 1e-10 * (1 + change.norm()));
  // And of a row there is an eta, that whose mean is y, at which it is 0.
  for (std::size_t i = 0; i < y_.size(); ++i) {
    double low = -60, high = 60;
    for (int halving = 0; halving < 200; ++halving) {
      const double middle = (low + high) / 2;
      (loss().mean(middle) < y_[i] ? low : high) = middle;
    }
    const std::vector<double> one = {y_[i]};
    EXPECT_NEAR(loss().deviance({.y = one}, Vector::Constant(1, high)), 0, 1e-9);
  }
}

TEST_P(EveryLoss, TheNullModelHasTheLowestValueOfAllIntercepts) {
  for (const bool weighted : {false, true}) {
    Response rows = response();
    if (!weighted) rows.weights = {};
    Vector eta = Eigen::Map<const Vector>(offset_.data(), kRows);
    eta.array() += loss().null_intercept(rows);
    const double lowest = loss().value(rows, eta);
    for (const double shift : {-0.5, -0.01, 0.01, 0.5})
      EXPECT_GT(loss().value(rows, (eta.array() + shift).matrix()), lowest) << shift;
    EXPECT_NEAR(loss().residual(rows, eta).sum(), 0, 1e-9);
  }
}

TEST_P(EveryLoss, AWeightIsTheRowThatManyTimes) {
  std::vector<double> y, offset, eta;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    for (int copy = 0; copy < weights_[i]; ++copy) {
      y.push_back(y_[i]);
      offset.push_back(offset_[i]);
      eta.push_back(eta_[static_cast<Index>(i)]);
    }
  }
  const Response repeated{.y = y, .offset = offset};
  const Vector at = Eigen::Map<const Vector>(eta.data(), std::ssize(eta));
  const double value = loss().value(repeated, at), deviance = loss().deviance(repeated, at);
  EXPECT_NEAR(loss().value(response(), eta_), value, 1e-12 * (1 + std::abs(value)));
  EXPECT_NEAR(loss().deviance(response(), eta_), deviance, 1e-12 * deviance);
  EXPECT_NEAR(loss().residual(response(), eta_).sum(), loss().residual(repeated, at).sum(), 1e-11);
  EXPECT_NEAR(loss().null_intercept(response()), loss().null_intercept(repeated), 1e-12);
  const double curvature = loss().curvature(response(), eta_)->times(Vector::Ones(kRows)).sum();
  EXPECT_NEAR(loss().curvature(repeated, at)->times(Vector::Ones(at.size())).sum(), curvature,
              1e-11 * curvature);
}

TEST_P(EveryLoss, RowsOfWeightZeroMayHaveAnyPrediction) {
  const double before = loss().deviance(response(), eta_);
  Vector eta = eta_;
  eta[0] = 1e200;  // its weight is 0
  EXPECT_EQ(loss().deviances(response(), eta)[0], 0);
  EXPECT_NEAR(loss().deviance(response(), eta), before, 1e-12 * before);
}

TEST_P(EveryLoss, OfTheDifferenceAloneIsWhatItSays) {
  if (!loss().of_difference()) return;
  const Vector left = Eigen::Map<const Vector>(y_.data(), kRows) - eta_;
  const std::vector<double> rest(left.begin(), left.end());
  const Response rows{.y = rest, .weights = weights_};
  EXPECT_NEAR(loss().value(rows, Vector::Zero(kRows)), loss().value(response(), eta_), 1e-11);
  EXPECT_NEAR(loss().deviance(rows, Vector::Zero(kRows)), loss().deviance(response(), eta_), 1e-11);
}

TEST_P(EveryLoss, ImpossibleTargetsAreRefused) {
  EXPECT_NO_THROW(loss().check(response()));
  y_[4] = at().impossible;
  EXPECT_THROW(loss().check(response()), Error);
}

// A better fit has the larger likelihood.
TEST_P(EveryLoss, CriteriaFallWithTheDeviance) {
  EXPECT_LT(loss().minus_twice_log_likelihood(3, 20), loss().minus_twice_log_likelihood(4, 20));
  EXPECT_TRUE(std::isfinite(loss().minus_twice_log_likelihood(0, 20)));
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss, ::testing::Range<std::size_t>(0, all_losses().size()),
                         [](const auto& one) {
                           return std::string(all_losses()[one.param].loss->name());
                         });

TEST(Gaussian, CriteriaHaveTheVarianceFittedToo) {
  EXPECT_DOUBLE_EQ(gaussian().minus_twice_log_likelihood(12, 8), 8 * std::log(1.5));
}

}  // namespace
}  // namespace lass0::testing
