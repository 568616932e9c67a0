#include "util/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lass0 {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Highest power first.
double polynomial(const std::array<double, 8>& coefficients, double x) {
  double sum = 0;
  for (const double c : coefficients) sum = sum * x + c;
  return sum;
}

// The inverse of the normal distribution function, to about 1e-16: Wichura (1988), Algorithm AS
// 241, PPND16. 85 % of the draws are rational arithmetic alone, the tails need one logarithm.
double normal_quantile(double probability) {
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           polynomial({2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
                       4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
                       1.3314166789178437745e+2, 3.3871328727963666080e+0},
                      r) /
           polynomial({5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
                       2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
                       4.2313330701600911252e+1, 1.0},
                      r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? probability : 1 - probability));
  const double magnitude =
      r <= 5 ? polynomial(
                   {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                    1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
                    4.63033784615654529590e+0, 1.42343711074968357734e+0},
                   r - 1.6) /
                   polynomial({1.05075007164441684324e-9, 5.47593808499534494600e-4,
                               1.51986665636164571966e-2, 1.48103976427480074590e-1,
                               6.89767334985100004550e-1, 1.67638483018380384940e+0,
                               2.05319162663775882187e+0, 1.0},
                              r - 1.6)
             : polynomial(
                   {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
                    5.46378491116411436990e+0, 6.65790464350110377720e+0},
                   r - 5) /
                   polynomial({2.04426310338993978564e-15, 1.42151175831644588870e-7,
                               1.84631831751005468180e-5, 7.86869131145613259100e-4,
                               1.48753612908506148525e-2, 1.36929880922735805310e-1,
                               5.99832206555887937690e-1, 1.0},
                              r - 5);
  return std::copysign(magnitude, q);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

double Random::normal() { return normal_quantile(uniform()); }

Index Random::below(Index bound) {
  const auto largest = static_cast<std::uint64_t>(bound - 1);
  if (largest == 0) return 0;
  // As many bits as the largest result has, until they are in range: fewer than two draws on
  // average, and no bias.
  const int surplus = std::countl_zero(largest);
  for (;;) {
    const std::uint64_t candidate = bits() >> surplus;
    if (candidate <= largest) return static_cast<Index>(candidate);
  }
}

std::vector<Index> Random::sample(Index size, Index count) {
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  shuffle(std::span(all), count);
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace lass0
