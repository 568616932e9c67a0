#include "l1/active_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

bool ActiveCholesky::append(Index j, const Vector& products, double square, double scale) {
  const Index k = size();
  if (k == L_.cols()) L_.conservativeResize(2 * k + 16, 2 * k + 16);
  Vector row = products;
  blas::lower_solve(k, L_.data(), L_.outerStride(), row.data());
  const double left = square - row.squaredNorm();
  if (!(left > kDependentInFactor * scale)) return false;
  L_.row(k).head(k) = row.transpose();
  L_(k, k) = std::sqrt(left);
  columns_.push_back(j);
  return true;
}

// Without row `position` the factor has one entry above the diagonal in each later row: a rotation
// of two neighbouring columns each brings it back to a triangle.
void ActiveCholesky::remove(Index position) {
  const Index k = size();
  for (Index c = 0; c < k; ++c) {
    const Index from = std::max(position + 1, c);
    std::copy(&L_(0, c) + from, &L_(0, c) + k, &L_(0, c) + from - 1);
  }
  for (Index c = position; c + 1 < k; ++c) {
    const double a = L_(c, c), b = L_(c, c + 1), norm = std::hypot(a, b);
    blas::rotate(k - 1 - c, &L_(c, c), &L_(c, c + 1), a / norm, b / norm);
  }
  columns_.erase(columns_.begin() + position);
  ++removals_;
}

Vector ActiveCholesky::solve(Vector x) const {
  blas::lower_solve(size(), L_.data(), L_.outerStride(), x.data());
  blas::lower_transposed_solve(size(), L_.data(), L_.outerStride(), x.data());
  return x;
}

}  // namespace lass0
