#include "search/table/small_inverse.hpp"

#include <algorithm>

#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// H falls by the outer product of v, b by factor v; both are m long.
LASS0_TARGET_CLONES
void take_out(Index m, const double* v, double factor, double* H, double* b) {
  for (Index j = 0; j < m; ++j) {
    const double v_j = v[j];
    double* column = H + j * SmallInverse::kMost;
#pragma omp simd
    for (Index i = 0; i < m; ++i) column[i] -= v_j * v[i];
  }
#pragma omp simd
  for (Index i = 0; i < m; ++i) b[i] -= factor * v[i];
}

}  // namespace

SmallInverse::SmallInverse(const Matrix& inverse, const Vector& coefficients, double loss_)
    : size(coefficients.size()), loss(loss_) {
  for (Index j = 0; j < size; ++j) std::copy_n(inverse.col(j).data(), size, H.data() + j * kMost);
  std::copy_n(coefficients.data(), size, b.data());
}

Index SmallInverse::least() const {
  Index least = 0;
  double lowest = cost(0);
  for (Index i = 1; i < size; ++i) {
    if (const double one = cost(i); one < lowest) lowest = one, least = i;
  }
  return least;
}

void SmallInverse::remove(Index i) {
  const auto at = static_cast<std::size_t>(i), last = static_cast<std::size_t>(size - 1);
  loss += cost(i);
  const double root = std::sqrt(H[at * kMost + at]);
  std::array<double, kMost> v;
  for (std::size_t r = 0; r <= last; ++r) v[r] = H[at * kMost + r] / root;
  take_out(size, v.data(), b[at] / root, H.data(), b.data());
  b[at] = b[last];
  for (std::size_t r = 0; r <= last; ++r) H[at * kMost + r] = H[last * kMost + r];
  for (std::size_t c = 0; c <= last; ++c) H[c * kMost + at] = H[c * kMost + last];
  --size;
}

}  // namespace lass0
