// The paper's synthetic data: y = X beta + noise, columns N(0, Sigma) with high correlation, beta ~
// Uniform(-1, 1) on a random support of known size, zero elsewhere. Of two classes, y is 1 with
// probability 1 / (1 + exp(-X beta)).
#pragma once

#include <cstdint>
#include <lass0/family.hpp>
#include <lass0/types.hpp>
#include <vector>

namespace lass0 {

enum class Correlation {
  equal,  // any two columns have correlation rho
  ar1,    // columns i and j have correlation rho^|i - j|
};

enum class TrueCoefficients {
  uniform,  // Uniform(-1, 1)
  unit,     // 1 or -1, each with probability 1/2
};

struct SimulateOptions {
  Index n = 200;
  Index p = 50;
  Index k = 10;
  double rho = 0.9;  // 0 <= rho < 1 (equal), -1 < rho < 1 (ar1)
  // Variance of X beta divided by that of the noise; infinity: no noise. Of two classes there is no
  // noise besides the draw: beta is scaled so that X beta has this variance, and infinity draws the
  // class by the sign of X beta.
  double snr = 5;
  std::uint64_t seed = 1;
  Correlation correlation = Correlation::equal;
  TrueCoefficients coefficients = TrueCoefficients::uniform;
  Family family = Family::gaussian;
};

struct Simulated {
  Matrix X;
  Vector y;
  Vector beta;
  std::vector<Index> support;  // ascending
  double noise = 0;            // standard deviation; 0 of two classes
};

// The same seed gives the same data on every machine (up to libm's last bit). Throws UsageError for
// options that make no sense.
Simulated simulate(const SimulateOptions& options);

}  // namespace lass0
