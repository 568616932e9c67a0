// Second derivatives and products of all columns there are at some fits nearby, by one pass over X
// for all of them: for a look at all moves of many fits.
#pragma once

#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

class CurvatureOfAll {
 public:
  // The fits have their predictions; curvatures are those of the first one (NearbyFits).
  CurvatureOfAll(const Panel& panel, std::span<const GlmFit* const> fits);

  // Of fit s: Z'MZ of its own columns with the intercept, X'MZ, and X'u, without the ridge.
  Matrix among_own(std::size_t s) const { return C_(places_[s], places_[s]); }
  Matrix with_own(std::size_t s) const { return P_(Eigen::all, places_[s]); }
  Vector residual_products(std::size_t s) const { return R_.col(static_cast<Index>(s)); }
  const Vector& squares() const { return squares_; }  // x_j'Mx_j

 private:
  std::vector<std::vector<Index>> places_;  // of the columns of each fit among those of all fits
  Matrix C_, P_, R_;
  Vector squares_;
};

}  // namespace lass0
