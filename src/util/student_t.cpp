#include "util/student_t.hpp"

#include <cmath>
#include <limits>

namespace lass0 {
namespace {

// The continued fraction of the incomplete beta function by Lentz's method; it converges quickly
// where x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kTerms = 100000;  // about sqrt(max(a, b)) are needed
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= kTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 4 * std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

// log Gamma(a + 1/2) - log Gamma(a). For large a both are huge and nearly equal, so their
// difference comes from its own asymptotic series there.
double log_gamma_half_step(double a) {
  if (a < 50) return std::lgamma(a + 0.5) - std::lgamma(a);
  const double r = 1 / a;
  return 0.5 * std::log(a) - r / 8 + r * r * r / 192 - std::pow(r, 5) / 640 +
         17 * std::pow(r, 7) / 14336;
}

}  // namespace

// I_x(a, b), the regularised incomplete beta function, with x = v / (v + t^2), a = v / 2, b = 1/2.
double two_sided_p_value(double t, double degrees_of_freedom) {
  const double a = 0.5 * degrees_of_freedom, b = 0.5;
  const double q = t / std::sqrt(degrees_of_freedom), square = q * q;
  if (!(square > 0)) return 1;
  if (!std::isfinite(square) && !(std::abs(t) < std::numeric_limits<double>::infinity())) return 0;
  // log x and log(1 - x) from the square itself, so that x near 0 and near 1 both keep their
  // digits.
  const double log_x = std::isfinite(square) ? -std::log1p(square) : -2 * std::log(std::abs(q));
  const double log_rest = std::isfinite(square) ? -std::log1p(1 / square) : 0.0;
  constexpr double kLogRootPi = 0.5723649429247000870717;
  const double log_front = a * log_x + b * log_rest + log_gamma_half_step(a) - kLogRootPi;
  const double x = 1 / (1 + square), rest = 1 / (1 + 1 / square);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(log_front) * beta_fraction(b, a, rest) / b;
}

}  // namespace lass0
