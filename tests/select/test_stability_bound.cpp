// The bounds of Shah and Samworth, against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/types.hpp>
#include <vector>

#include "select/stability_bound.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Distribution = std::vector<double>;  // of 0, 1, ..., B

double mean_of(const Distribution& f) {
  double sum = 0, moment = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += f[i], moment += double(i) * f[i];
  return moment / sum;
}

double tail_of(const Distribution& f, Index t) {
  double sum = 0, tail = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    sum += f[i];
    if (static_cast<Index>(i) >= t) tail += f[i];
  }
  return tail / sum;
}

// f^r is convex where f > 0, which is an interval: the definition for r < 0.
bool r_concave(const Distribution& f, double r) {
  std::size_t first = 0, last = f.size();
  while (f[first] == 0) ++first;
  while (f[last - 1] == 0) --last;
  for (std::size_t i = first + 1; i + 1 < last; ++i) {
    const double left = std::pow(f[i - 1], r), here = std::pow(f[i], r),
                 right = std::pow(f[i + 1], r);
    if (!(f[i] > 0) || here > 0.5 * (left + right) * (1 + 1e-9)) return false;
  }
  return true;
}

// A random convex function to the power 1 / r, on a random interval, tilted to the given mean:
// f(i) (1 + c i)^(1/r) stays r-concave only for some c, so the check decides.
Distribution random_r_concave(Rng& rng, Index B, double r) {
  const Index first = rng.chance(0.7) ? 0 : rng.below(B / 2);
  const Index last = rng.between(first + 1, B);
  std::vector<double> g;  // convex: slopes rise
  double value = std::exp(rng.uniform(-8, 2)), slope = rng.uniform(-0.5, 2) * value;
  for (Index i = first; i <= last; ++i) {
    g.push_back(value);
    value += slope;
    if (rng.chance(0.3)) slope += std::abs(rng.normal()) * std::exp(rng.uniform(-6, 2));
    if (value <= 1e-9) value = g.back(), slope = 0;
  }
  Distribution f(static_cast<std::size_t>(B) + 1, 0.0);
  for (std::size_t i = 0; i < g.size(); ++i)
    f[static_cast<std::size_t>(first) + i] = std::pow(g[i], 1 / r);
  return f;
}

TEST(StabilityBound, TheWorstCaseIsItsFormula) {
  EXPECT_DOUBLE_EQ(worst_case_bound(5, 50, 0.9), 25.0 / 50 / 0.8);
  EXPECT_DOUBLE_EQ(worst_case_bound(20, 5000, 0.75), 400.0 / 5000 / 0.5);
  EXPECT_DOUBLE_EQ(worst_case_bound(3, 10, 1), 0.9);
  EXPECT_EQ(worst_case_bound(0, 10, 0.9), 0);
  EXPECT_EQ(worst_case_bound(10, 10, 0.51), 10);  // never more than there are
  EXPECT_EQ(worst_case_bound(0, 0, 0.9), 0);
}

TEST(StabilityBound, NoRConcaveDistributionHasMoreInItsTail) {
  Rng rng(1);
  int checked = 0, near = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double r = trial % 2 ? -0.5 : -0.25;
    const Index B = rng.between(4, 14);
    const Distribution f = random_r_concave(rng, B, r);
    if (!r_concave(f, r)) continue;
    const double mean = mean_of(f);
    const Index t = rng.between(1, B);
    if (static_cast<double>(t) <= 2 * mean) continue;
    const double bound = r_concave_tail(mean, t, B, r), tail = tail_of(f, t);
    ASSERT_LE(tail, bound * (1 + 1e-6) + 1e-12) << "mean " << mean << ", t " << t << ", B " << B;
    ++checked;
    near += tail > 0.7 * bound ? 1 : 0;
  }
  EXPECT_GE(checked, 1000);
  EXPECT_GE(near, 20);  // and some come near it
}

// The extremal family searched by brute force, from the definition: a power on 0 .. k, and any
// value at k + 1 that leaves it r-concave. The mean decides how much that is.
TEST(StabilityBound, SomeRConcaveDistributionReachesIt) {
  for (const double r : {-0.5, -0.25}) {
    for (const Index B : {6, 12}) {
      for (const double mean : {0.05, 0.4, 1.1}) {
        for (Index t = static_cast<Index>(std::ceil(2 * mean)) + 1; t <= B; ++t) {
          double best = 0;
          for (Index k = 1; k <= B; ++k) {
            for (double log_a = -8; log_a < 8; log_a += 0.004) {
              Distribution f(static_cast<std::size_t>(B) + 1, 0.0);
              double sum = 0, moment = 0;
              for (Index i = 0; i <= k; ++i) {
                const double value = std::pow(std::exp(log_a) + double(i), 1 / r);
                f[static_cast<std::size_t>(i)] = value;
                sum += value, moment += double(i) * value;
              }
              if (k < B) {
                // sum of i f = mean * sum of f, with d at k + 1.
                const double d = (mean * sum - moment) / (double(k + 1) - mean);
                if (d < 0) continue;
                f[static_cast<std::size_t>(k) + 1] = d;
              }
              if (mean_of(f) > mean * (1 + 1e-9) || !r_concave(f, r)) continue;
              best = std::max(best, tail_of(f, t));
            }
          }
          const double bound = r_concave_tail(mean, t, B, r);
          EXPECT_GE(bound, best - 1e-9) << r << ", " << B << ", " << mean << ", " << t;
          EXPECT_NEAR(bound, best, 0.02 * bound + 1e-9)
              << r << ", " << B << ", " << mean << ", " << t;
        }
      }
    }
  }
}

TEST(StabilityBound, TheTighterOneIsTheSmallerOfTwoTailsAndNeverAboveTheWorstCase) {
  for (const double q : {1.0, 4.5, 20.0}) {
    for (const double p : {20.0, 50.0, 5000.0}) {
      for (const double threshold : {0.55, 0.75, 0.9, 1.0}) {
        for (const Index pairs : {1, 7, 50}) {
          const double theta = q / p, bound = r_concave_bound(q, p, threshold, pairs);
          const auto chosen = static_cast<Index>(std::ceil(2 * double(pairs) * threshold - 1e-9));
          const double both =
              r_concave_tail(theta * theta * double(pairs), chosen - pairs, pairs, -0.5);
          const double any = r_concave_tail(theta * 2 * double(pairs), chosen, 2 * pairs, -0.25);
          const double worst = worst_case_bound(q, p, threshold);
          EXPECT_DOUBLE_EQ(bound, std::min(worst, p * std::min(both, any)));
          EXPECT_GE(bound, 0);
        }
      }
    }
  }
  EXPECT_EQ(r_concave_bound(0, 10, 0.9, 50), 0);
  // A higher threshold is never worse, and for 50 pairs the bound is far below the worst case.
  EXPECT_LE(r_concave_bound(5, 50, 0.95, 50), r_concave_bound(5, 50, 0.9, 50));
  EXPECT_LT(r_concave_bound(5, 50, 0.9, 50), 0.2 * worst_case_bound(5, 50, 0.9));
}

}  // namespace
}  // namespace lass0::testing
