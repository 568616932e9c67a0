// The Gram matrix and X'y by definition, for the tests of moments.
#pragma once

#include <Eigen/QR>
#include <cmath>
#include <lass0/moments.hpp>

#include "support/oracles.hpp"
#include "util/tolerances.hpp"

namespace lass0::testing {

// The columns and y (last), centred and with the rows of the ridge, without what the included
// columns explain of them.
inline RealMatrix after_included(const Centred& centred) {
  RealMatrix all(centred.augmented_X.rows(), centred.p() + 1);
  all << centred.augmented_X, centred.augmented_y;
  if (centred.include.empty()) return all;
  RealMatrix Z(all.rows(), std::ssize(centred.include));
  for (Index l = 0; l < Z.cols(); ++l) {
    const Index j = centred.include[l];
    Z.col(l) = centred.augmented_X.col(j) / (centred.norm[j] > 0 ? centred.augmented_norm[j] : 1);
  }
  Eigen::CompleteOrthogonalDecomposition<RealMatrix> qr;
  qr.setThreshold(std::sqrt(Real(kAliasTolerance)));
  qr.compute(Z);
  return all - Z * qr.solve(all);
}

}  // namespace lass0::testing
