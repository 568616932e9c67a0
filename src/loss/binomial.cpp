// Logistic regression: y is 0 or 1 and l = log(1 + e^eta) - y eta. Nothing overflows: e^-|eta| is
// all that is ever computed of eta, so each term has its digits however sure a prediction is.
#include <cmath>
#include <lass0/error.hpp>
#include <limits>
#include <string>

#include "loss/row_loss.hpp"

namespace lass0 {
namespace {

// log(1 + e^x)
double soft_plus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double probability(double eta) {
  const double e = std::exp(-std::abs(eta));
  return (eta >= 0 ? 1 : e) / (1 + e);
}

struct Logistic {
  static double value(double w, double y, double eta) { return w * soft_plus(y > 0 ? -eta : eta); }
  static double residual(double w, double y, double eta) {
    return y > 0 ? w * probability(-eta) : -w * probability(eta);
  }
  static double curvature(double w, double, double eta) {
    const double e = std::exp(-std::abs(eta));
    return w * e / ((1 + e) * (1 + e));
  }
  static double deviance(double w, double y, double eta) { return 2 * value(w, y, eta); }
  // u is the residual of a prediction that is wrong with probability |u| / w: w times its entropy.
  static double dual(double w, double y, double u) {
    const double wrong = (y > 0 ? u : -u) / w;
    if (!(wrong >= 0 && wrong <= 1)) return -std::numeric_limits<double>::infinity();
    const double right = 1 - wrong;
    return -w * ((wrong > 0 ? wrong * std::log(wrong) : 0) +
                 (right > 0 ? right * std::log1p(-wrong) : 0));
  }
};

class Binomial final : public RowLoss<Logistic> {
 public:
  std::string_view name() const override { return "binomial"; }

  void check(const Response& response) const override {
    double ones = 0, zeros = 0;
    for (std::size_t i = 0; i < response.y.size(); ++i) {
      const double y = response.y[i], w = response.weight(static_cast<Index>(i));
      if (!(y == 0 || y == 1))
        throw Error("row " + std::to_string(i + 1) +
                    ": the target must be 0 or 1 for the family binomial");
      if (w > 0) ++(y == 1 ? ones : zeros);
    }
    if (ones == 0 || zeros == 0)
      throw Error(std::string("every target is ") + (ones == 0 ? "0" : "1") +
                  ": the family binomial needs rows of both classes");
  }

  bool never_rises(double y, double change) const override {
    return change == 0 || (change > 0) == (y > 0);
  }

  double mean(double eta) const override { return probability(eta); }

  double null_intercept(const Response& response) const override {
    double ones = 0, zeros = 0;
    bool shifted = false;
    for (Index i = 0; i < std::ssize(response.y); ++i) {
      const bool one = response.y[static_cast<std::size_t>(i)] > 0;
      (one ? ones : zeros) += response.weight(i);
      shifted = shifted || response.offset_of(i) != 0;
    }
    const double start = std::log(ones / zeros);
    return shifted && std::isfinite(start) ? beside_the_offset(response, start) : start;
  }

  double minus_twice_log_likelihood(double deviance, double) const override { return deviance; }

 private:
  // The intercept at which the residuals add up to 0, by Newton steps kept within a bracket: the
  // sum falls strictly as the intercept grows.
  double beside_the_offset(const Response& response, double intercept) const {
    const Index n = std::ssize(response.y);
    double low = -1e3, high = 1e3;
    for (int iteration = 0; iteration < 200; ++iteration) {
      double sum = 0, slope = 0;
      for (Index i = 0; i < n; ++i) {
        const double w = response.weight(i), eta = intercept + response.offset_of(i);
        sum += Logistic::residual(w, response.y[static_cast<std::size_t>(i)], eta);
        slope += Logistic::curvature(w, 0, eta);
      }
      (sum > 0 ? low : high) = intercept;
      double next = intercept + sum / slope;
      if (!(next > low && next < high)) next = (low + high) / 2;
      if (std::abs(next - intercept) <= 1e-14 * (1 + std::abs(next))) return next;
      intercept = next;
    }
    return intercept;
  }
};

}  // namespace

const Loss& binomial() {
  static const Binomial loss;
  return loss;
}

}  // namespace lass0
