#include "l1/active_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

// With L of A, the new rows are products inv(L') and the factor of what A leaves of G_JJ.
Index ActiveCholesky::append(Columns columns, Matrix products, Matrix among,
                             const ConstVec& scales) {
  const Index k = size(), m = std::ssize(columns);
  if (k + m > L_.cols()) {
    const Index room = std::max(2 * k + 16, k + m);
    L_.conservativeResize(room, room);
  }
  if (m == 1) {
    blas::lower_solve(k, L_.data(), L_.outerStride(), products.data());
    among(0, 0) -= products.squaredNorm();
  } else if (k > 0) {
    blas::solve_lower_transposed_right(m, k, L_.data(), L_.outerStride(), products.data(), m);
    blas::add_lower_square_of_rows(m, k, -1.0, products.data(), m, among.data(), m);
  }
  for (Index l = 0; l < m; ++l) {
    const double left = among(l, l);
    if (!(left > kDependentInFactor * scales[l])) return l;
    L_.row(k + l).head(k) = products.row(l);
    L_.row(k + l).segment(k, l) = among.row(l).head(l);
    L_(k + l, k + l) = std::sqrt(left);
    columns_.push_back(columns[static_cast<std::size_t>(l)]);
    const Index after = m - l - 1;
    if (after == 0) break;
    auto column = among.col(l).tail(after);
    column /= L_(k + l, k + l);
    for (Index c = l + 1; c < m; ++c) blas::add(m - c, -among(c, l), &among(c, l), &among(c, c));
  }
  return m;
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
