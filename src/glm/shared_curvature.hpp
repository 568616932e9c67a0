// Second derivatives and products of the columns of a panel, or of all columns there are, at some
// fits nearby: one pass over these columns for all of the fits.
#pragma once

#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

class SharedCurvature {
 public:
  enum class Among { panel, all };
  // The fits have their predictions; curvatures are those of the first one (NearbyFits).
  SharedCurvature(const Panel& panel, std::span<const GlmFit* const> fits, Among among);

  Among among() const { return among_; }
  // Of fit s: Z'MZ of its own columns with the intercept, X'MZ, and X'u, without the ridge.
  Matrix among_own(std::size_t s) const { return C_(places_[s], places_[s]); }
  Matrix with_own(std::size_t s) const { return P_(Eigen::all, places_[s]); }
  Vector residual_products(std::size_t s) const { return R_.col(static_cast<Index>(s)); }
  const Vector& squares() const { return squares_; }  // x_j'Mx_j

 private:
  Among among_;
  std::vector<std::vector<Index>> places_;  // of the columns of each fit among those of all fits
  Matrix C_, P_, R_;
  Vector squares_;
};

}  // namespace lass0
