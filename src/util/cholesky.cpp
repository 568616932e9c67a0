#include "util/cholesky.hpp"

#include <cmath>

#include "util/blas.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kPanel = 64;  // columns; larger matrices go panel by panel through BLAS
constexpr Index kInvertedAtOnce = 96;

// n columns of A (n x n, leading dimension ld), one after the other from those before it.
LASS0_TARGET_CLONES
bool factor(Index n, Index ld, double* A) {
  for (Index j = 0; j < n; ++j) {
    double* x = A + j * ld;
    Index l = 0;
    for (; l + 4 <= j; l += 4) {
      const double *a = A + l * ld, *b = a + ld, *c = b + ld, *d = c + ld;
      const double v = a[j], w = b[j], y = c[j], z = d[j];
#pragma omp simd
      for (Index i = j; i < n; ++i) x[i] -= (v * a[i] + w * b[i]) + (y * c[i] + z * d[i]);
    }
    for (; l < j; ++l) {
      const double* a = A + l * ld;
      const double v = a[j];
#pragma omp simd
      for (Index i = j; i < n; ++i) x[i] -= v * a[i];
    }
    if (!(x[j] > 0)) return false;
    const double pivot = std::sqrt(x[j]), inverse = 1 / pivot;
    x[j] = pivot;
#pragma omp simd
    for (Index i = j + 1; i < n; ++i) x[i] *= inverse;
  }
  return true;
}

// U := inv(L)', column by column from those before it; both with leading dimension ld.
LASS0_TARGET_CLONES
void invert(Index n, Index ld, const double* L, double* U) {
  for (Index i = 0; i < n; ++i) {
    double* x = U + i * ld;
    Index l = 0;
    for (; l + 4 <= i; l += 4) {
      const double *a = U + l * ld, *b = a + ld, *c = b + ld, *d = c + ld;
      const double* at = L + l * ld + i;
      const double v = at[0], w = at[ld], y = at[2 * ld], z = at[3 * ld];
#pragma omp simd
      for (Index r = 0; r < l + 4; ++r) x[r] -= (v * a[r] + w * b[r]) + (y * c[r] + z * d[r]);
    }
    for (; l < i; ++l) {
      const double* a = U + l * ld;
      const double v = L[l * ld + i];
#pragma omp simd
      for (Index r = 0; r <= l; ++r) x[r] -= v * a[r];
    }
    const double inverse = 1 / L[i * ld + i];
#pragma omp simd
    for (Index r = 0; r < i; ++r) x[r] *= inverse;
    x[i] = inverse;
  }
}

// The same by halves: with L = (A 0; B C), the corner of U beside inv(A)' and inv(C)' is
// -inv(A)' B' inv(C)'.
void invert_by_halves(Index n, Index ld, const double* L, double* U) {
  if (n <= kInvertedAtOnce) return invert(n, ld, L, U);
  const Index m = n / 2, rest = n - m;
  double* other = U + m * ld + m;
  invert_by_halves(m, ld, L, U);
  invert_by_halves(rest, ld, L + m * ld + m, other);
  Matrix corner = Matrix::Zero(m, rest);
  blas::add_product_transposed(m, rest, m, -1.0, U, ld, L + m, ld, corner.data(), m);
  blas::product(m, rest, rest, corner.data(), m, other, ld, U + m * ld, ld);
}

// x := inv(L) x
LASS0_TARGET_CLONES
void forward(Index n, const double* L, double* x) {
  for (Index i = 0; i < n; ++i) {
    const double* column = L + i * n;
    const double v = x[i] / column[i];
    x[i] = v;
#pragma omp simd
    for (Index r = i + 1; r < n; ++r) x[r] -= v * column[r];
  }
}

// x := inv(L') x
LASS0_TARGET_CLONES
void backward(Index n, const double* L, double* x) {
  for (Index i = n - 1; i >= 0; --i) {
    const double* column = L + i * n;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index r = i + 1; r < n; ++r) sum += column[r] * x[r];
    x[i] = (x[i] - sum) / column[i];
  }
}

}  // namespace

Cholesky::Cholesky(Matrix G) : L_(std::move(G)) {
  const Index n = size();
  for (Index first = 0; first < n && positive_definite_; first += kPanel) {
    const Index count = std::min(kPanel, n - first), below = n - first - count;
    double* corner = L_.data() + first * n + first;
    positive_definite_ = factor(count, n, corner);
    if (below == 0 || !positive_definite_) break;
    double* panel = corner + count;
    blas::solve_lower_transposed_right(below, count, corner, n, panel, n);
    blas::add_lower_square_of_rows(below, count, -1.0, panel, n, panel + count * n, n);
  }
  L_.triangularView<Eigen::StrictlyUpper>().setZero();
}

void Cholesky::solve_in_place(MutVec b) const {
  forward(size(), L_.data(), b.data());
  backward(size(), L_.data(), b.data());
}

void Cholesky::solve_lower_in_place(MutMat A) const {
  for (Index j = 0; j < A.cols(); ++j) forward(size(), L_.data(), A.col(j).data());
}

Matrix Cholesky::half() const {
  Matrix U = Matrix::Zero(size(), size());
  invert_by_halves(size(), size(), L_.data(), U.data());
  return U;
}

Matrix Cholesky::inverse() const {
  const Index n = size();
  const Matrix U = half();
  Matrix inverse = Matrix::Zero(n, n);
  if (n > 0) blas::add_lower_square_of_rows(n, n, 1.0, U.data(), n, inverse.data(), n);
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  return inverse;
}

}  // namespace lass0
