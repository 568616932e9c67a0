#include "compare/least_squares.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "util/cholesky.hpp"

namespace lass0 {

SumsFit fit_from_sums(const Moments& rows, Columns support) {
  const Index k = std::ssize(support);
  SumsFit fit{Vector(k), rows.yty(), 1};
  if (k == 0) return fit;
  Matrix G(k, k);
  Vector c(k);
  rows.gram_block(support, support, G);
  for (Index l = 0; l < k; ++l) c[l] = rows.xty()[support[static_cast<std::size_t>(l)]];
  const Cholesky factor(G);
  if (factor.positive_definite()) {
    const Vector h = factor.inverse_diagonal();
    for (Index l = 0; l < k; ++l) {
      const double square = rows.squares()[support[static_cast<std::size_t>(l)]];
      fit.inflation = std::max(fit.inflation, h[l] * square);
    }
    fit.b = factor.solve(c);
  } else {
    fit.inflation = std::numeric_limits<double>::infinity();
    fit.b = G.completeOrthogonalDecomposition().solve(c);
  }
  fit.loss -= c.dot(fit.b);
  return fit;
}

}  // namespace lass0
