// Logistic regression: y is 0 or 1 and l = log(1 + e^eta) - y eta. Nothing overflows: e^-|eta| is
// all that is ever computed of eta, so each term has its digits however sure a prediction is.
#include <bit>
#include <cmath>
#include <cstdint>
#include <lass0/error.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "loss/row_loss.hpp"
#include "util/target_clones.hpp"

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

// c[0] x^(n - 1) + ... + c[n - 1], by halves that do not wait for each other: Horner's rule takes a
// third longer.
template <int n>
inline double sum_of_powers(const double* c, double x, double x2, double x4, double x8) {
  const auto two_parts = [&]<int low>(std::integral_constant<int, low>, double power) {
    return sum_of_powers<n - low>(c, x, x2, x4, x8) * power +
           sum_of_powers<low>(c + n - low, x, x2, x4, x8);
  };
  if constexpr (n == 1) return c[0];
  if constexpr (n == 2) return c[0] * x + c[1];
  if constexpr (n > 2 && n <= 4) return two_parts(std::integral_constant<int, 2>(), x2);
  if constexpr (n > 4 && n <= 8) return two_parts(std::integral_constant<int, 4>(), x4);
  if constexpr (n > 8) return two_parts(std::integral_constant<int, 8>(), x8);
}

// The highest power first.
template <class... Coefficients>
inline double polynomial(double x, Coefficients... coefficients) {
  const double c[] = {coefficients...};
  const double x2 = x * x, x4 = x2 * x2;
  return sum_of_powers<sizeof...(coefficients)>(c, x, x2, x4, x4 * x4);
}

// e^-a for a >= 0 without a branch, so that loops over rows use vector instructions: 2^k e^r with
// |r| <= log(2) / 2, by its series, to the last bit or two.
inline double exp_of_minus(double a) {
  constexpr double kRound = 0x1.8p52;  // added to a number, leaves its nearest integer in the bits
  constexpr double kLog2High = 0x1.62e42fee00000p-1, kLog2Low = 0x1.a39ef35793c76p-33;
  const double x = -std::min(a, 708.0);  // e^-708 is about the smallest normal number
  const double shifted = x * 0x1.71547652b82fep0 + kRound;
  const double k = shifted - kRound;
  const double r = (x - k * kLog2High) - k * kLog2Low;
  const double sum = polynomial(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0,
                                1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0,
                                1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0);
  const auto exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return sum * std::bit_cast<double>(exponent);
}

struct OfOnePlus {
  double inverse, log;
};

// Of 1 + e for 0 <= e <= 1: log(m) = 2 artanh((m - 1) / (m + 1)) by its series, with m = 1 + e or
// half of it, so that the argument is at most 0.172. One division for both: it takes as long as all
// the rest.
inline OfOnePlus of_one_plus(double e) {
  const bool half = e > 0.41421356237309503;
  const double one = half ? 1.0 : 0.0;
  const double m = 1 + e, beside = e + (2 + one), inverse = 1 / (m * beside);
  const double f = (e - one) * (m * inverse), square = f * f;
  const double sum = polynomial(square, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                                1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0);
  return {beside * inverse, (half ? 0.69314718055994531 : 0.0) + 2 * f * sum};
}

LASS0_TARGET_CLONES
double evaluate_rows(Index n, const double* w, const double* y, const double* eta, double* residual,
                     double* curvature) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) {
    const double e = exp_of_minus(std::abs(eta[i]));
    const double wrong = y[i] > 0 ? -eta[i] : eta[i];  // how sure it is of the other class
    const auto [inverse, log] = of_one_plus(e);
    const double share = w[i] * inverse;
    sum += w[i] * (std::max(wrong, 0.0) + log);
    const double size = share * (wrong >= 0 ? 1 : e);
    residual[i] = y[i] > 0 ? size : -size;
    curvature[i] = share * (e * inverse);
  }
  return sum;
}

// Rows whose logarithms are taken together: the product of as many numbers up to 2 is finite.
constexpr Index kTogether = 512;
// A sum of logarithms that is less has lost digits in the product.
constexpr double kEnough = 8;

// The same of at most kTogether rows of weight 1, with one logarithm for all: that of the product
// of 1 + e. Half of the work.
LASS0_TARGET_CLONES
double evaluate_rows_of_one(Index n, const double* y, const double* eta, double* residual,
                            double* curvature) {
  double sum = 0, product = 1;
#pragma omp simd reduction(+ : sum) reduction(* : product)
  for (Index i = 0; i < n; ++i) {
    const double e = exp_of_minus(std::abs(eta[i]));
    const double wrong = y[i] > 0 ? -eta[i] : eta[i];
    const double inverse = 1 / (1 + e);
    sum += std::max(wrong, 0.0);
    product *= 1 + e;
    const double size = inverse * (wrong >= 0 ? 1 : e);
    residual[i] = y[i] > 0 ? size : -size;
    curvature[i] = inverse * (e * inverse);
  }
  return sum + std::log(product);
}

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

  double evaluate(const Response& response, const ConstVec& eta, MutVec residuals,
                  MutVec curvatures) const override {
    const double *w = response.weights.data(), *y = response.y.data();
    if (!response.weights.empty())
      return evaluate_rows(eta.size(), w, y, eta.data(), residuals.data(), curvatures.data());
    static const std::vector<double> ones(static_cast<std::size_t>(kTogether), 1.0);
    double sum = 0;
    for (Index begin = 0; begin < eta.size(); begin += kTogether) {
      const Index n = std::min(kTogether, eta.size() - begin);
      const double* predicted = eta.data() + begin;
      double *u = residuals.data() + begin, *M = curvatures.data() + begin;
      const double together = evaluate_rows_of_one(n, y + begin, predicted, u, M);
      sum += together >= kEnough ? together
                                 : evaluate_rows(n, ones.data(), y + begin, predicted, u, M);
    }
    return sum;
  }

  double deviance(const Response& response, const ConstVec& eta) const override {
    if (!response.weights.empty()) return RowLoss::deviance(response, eta);
    Vector residuals(eta.size()), curvatures(eta.size());
    return 2 * evaluate(response, eta, residuals, curvatures);
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
