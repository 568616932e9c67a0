// The duality gap of the Lasso. With r the residual, every alpha * r with |alpha z_j'r| <= t_j for
// all j is feasible for the dual, whose value there is alpha u'r - alpha^2/2 r'r.
#pragma once

#include <algorithm>
#include <cmath>
#include <lass0/moments.hpp>

#include "util/tolerances.hpp"

namespace lass0 {

// |z_j'r| less what rounding leaves in it, which can't count against a tiny lambda.
inline double certain_gradient(const Moments& moments, Index j, double gradient) {
  const double rounding =
      kGradientRounding * std::sqrt(moments.target_square() * moments.squares()[j]);
  return std::max(0.0, std::abs(gradient) - rounding);
}

// The best value of the dual over alpha. `steepest`: the largest |z_j'r| / t_j.
inline double dual_value(double residual_fit, double rss, double steepest) {
  const double most = steepest > 0 ? 1 / steepest : 1.0;
  const double alpha = rss > 0 ? std::clamp(residual_fit / rss, -most, most) : std::min(1.0, most);
  return alpha * residual_fit - 0.5 * alpha * alpha * rss;
}

}  // namespace lass0
