#include "select/stability_bound.hpp"

#include <algorithm>
#include <cmath>

#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kSmallestOffset = 1e-12, kLargestOffset = 1e12;
constexpr int kBisections = 100, kGolden = 60, kPieces = 8;

// An r-concave distribution with the most in its tail is (Shah and Samworth, Appendix A.4)
//   f(i) = c (a + i)^s for i = 0 .. k, s = 1 / r, and f(k + 1) = d,
// with d between 0 and the next value of the power. Mean and sum are linear in c and d, so they
// follow from k and a.
class Extremal {
 public:
  Extremal(double mean, double s) : mean_(mean), s_(s) {}

  // The offset at which the power alone, on 0 .. k, has the mean. The mean rises with the offset
  // from 0 to k / 2.
  double offset(Index k) const {
    double low = std::log(kSmallestOffset), high = std::log(kLargestOffset);
    for (int step = 0; step < kBisections; ++step) {
      const double middle = 0.5 * (low + high);
      (excess(std::exp(middle), k) < 0 ? low : high) = middle;
    }
    return std::exp(0.5 * (low + high));
  }

  // P(X >= t), t <= k + 1.
  double tail(double log_offset, Index k, Index t) const {
    const double a = std::exp(log_offset);
    double below = 0, all = 0;
    for (Index i = 0; i <= k; ++i) {
      const double f = power(a, i);
      if (i < t) below += f;
      all += static_cast<double>(k + 1 - i) * f;
    }
    return 1 - (static_cast<double>(k + 1) - mean_) * below / all;
  }

 private:
  double power(double a, Index i) const { return std::pow(1 + static_cast<double>(i) / a, s_); }

  double excess(double a, Index k) const {
    double sum = 0, moment = 0;
    for (Index i = 0; i <= k; ++i) {
      const double f = power(a, i);
      sum += f;
      moment += static_cast<double>(i) * f;
    }
    return moment - mean_ * sum;
  }

  const double mean_, s_;
};

// The largest value on [low, high]: golden sections of a few pieces, because nothing says that
// there is only one peak.
template <class Function>
double largest_value(const Function& f, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double best = std::max(f(low), f(high));
  for (int piece = 0; piece < kPieces; ++piece) {
    double a = low + (high - low) * piece / kPieces;
    double b = low + (high - low) * (piece + 1) / kPieces;
    double x = b - ratio * (b - a), y = a + ratio * (b - a);
    double at_x = f(x), at_y = f(y);
    for (int step = 0; step < kGolden && b - a > 1e-9; ++step) {
      if (at_x < at_y) {
        a = x, x = y, at_x = at_y;
        at_y = f(y = a + ratio * (b - a));
      } else {
        b = y, y = x, at_y = at_x;
        at_x = f(x = b - ratio * (b - a));
      }
    }
    best = std::max({best, at_x, at_y});
  }
  return best;
}

}  // namespace

double r_concave_tail(double mean, Index t, Index B, double r) {
  if (t <= 0) return 1;
  if (mean <= 0 || t > B) return 0;
  const auto twice = static_cast<Index>(std::ceil(2 * mean));
  if (t <= twice) return 1;  // nothing better than 1 is claimed there
  const Extremal extremal(mean, 1 / r);
  double best = 0, upper = std::log(extremal.offset(t - 1));
  for (Index k = t - 1; k < B; ++k) {
    const double lower = std::log(extremal.offset(k + 1));
    best = std::max(best,
                    largest_value([&](double a) { return extremal.tail(a, k, t); }, lower, upper));
    upper = lower;
  }
  return std::clamp(best, 0.0, 1.0);
}

double worst_case_bound(double q, double p, double threshold) {
  return p > 0 ? std::min(p, q * q / p / (2 * threshold - 1)) : 0.0;
}

double r_concave_bound(double q, double p, double threshold, Index pairs) {
  const double worst = worst_case_bound(q, p, threshold);
  if (worst == 0) return 0;
  const double theta = std::min(1.0, q / p), halves = 2 * static_cast<double>(pairs);
  // The fewest halves that reach the threshold; 0.9 * 100 is 90.
  const auto chosen = static_cast<Index>(std::ceil(halves * threshold * (1 - kLastDigits)));
  const double both = r_concave_tail(theta * theta * 0.5 * halves, chosen - pairs, pairs, -0.5);
  const double any = r_concave_tail(theta * halves, chosen, 2 * pairs, -0.25);
  return std::min(worst, p * std::min(both, any));
}

}  // namespace lass0
