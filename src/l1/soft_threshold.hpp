// What a coordinate step of the Lasso does to a gradient.
#pragma once

#include <cmath>

#include "util/tolerances.hpp"

namespace lass0 {

inline double sign(double x) { return x > 0 ? 1.0 : -1.0; }

// A gradient within rounding of the threshold does not enter: at lambda_max no column does.
inline double soft_threshold(double x, double t) {
  return std::abs(x) > t * (1 + kThresholdRounding) ? x - sign(x) * t : 0.0;
}

}  // namespace lass0
