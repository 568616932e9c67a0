// Least squares: l = 1/2 (y - eta)^2. The noise has a variance of its own, which is fitted too
// where a likelihood is asked for, and divides nothing in F.
#include <cmath>
#include <lass0/error.hpp>
#include <limits>
#include <string>

#include "loss/row_loss.hpp"

namespace lass0 {
namespace {

struct Squares {
  static double deviance(double w, double y, double eta) { return w * (y - eta) * (y - eta); }
  static double value(double w, double y, double eta) { return 0.5 * deviance(w, y, eta); }
  static double residual(double w, double y, double eta) { return w * (y - eta); }
  static double curvature(double w, double, double) { return w; }
  static double dual(double w, double y, double u) { return u * y - 0.5 * u * (u / w); }
};

class Gaussian final : public RowLoss<Squares> {
 public:
  std::string_view name() const override { return "gaussian"; }

  bool of_difference() const override { return true; }

  void check(const Response& response) const override {
    for (std::size_t i = 0; i < response.y.size(); ++i) {
      if (!std::isfinite(response.y[i]))
        throw Error("row " + std::to_string(i + 1) + ": the target is not a finite number");
    }
  }

  double value(const Response& response, const ConstVec& eta) const override {
    return 0.5 * deviance(response, eta);
  }

  double deviance(const Response& response, const ConstVec& eta) const override {
    const Vector r = Eigen::Map<const Vector>(response.y.data(), eta.size()) - eta;
    if (response.weights.empty()) return r.squaredNorm();
    const Eigen::Map<const Vector> w(response.weights.data(), r.size());
    return (w.array() * r.array() * r.array()).sum();  // 0 * huge * huge is 0
  }

  double mean(double eta) const override { return eta; }

  double null_intercept(const Response& response) const override {
    const Index n = std::ssize(response.y);
    double weight = 0, mean = 0;
    for (Index i = 0; i < n; ++i) weight += response.weight(i);
    for (Index i = 0; i < n; ++i) {
      const double left = response.y[static_cast<std::size_t>(i)] - response.offset_of(i);
      mean += response.weight(i) / weight * left;
    }
    return mean;
  }

  // n log(RSS/n): of a perfect fit the logarithm would be that of 0.
  double minus_twice_log_likelihood(double deviance, double weight) const override {
    return weight * std::log(std::max(deviance / weight, std::numeric_limits<double>::min()));
  }
};

}  // namespace

const Loss& gaussian() {
  static const Gaussian loss;
  return loss;
}

}  // namespace lass0
