#include "select/nested_fits.hpp"

#include <algorithm>
#include <cmath>

#include "util/target_clones.hpp"

namespace lass0 {
namespace {

// What the columns of U explain of a column with products g, U'g one by one: u -= U U'g. Returns
// |U'g|^2, and what it shares with z.
struct Explained {
  double square = 0, with_z = 0;
};

LASS0_TARGET_CLONES
Explained subtract_explained(Index k, const double* U, Index stride, const double* g,
                             const double* z, double* u) {
  Explained sum;
  for (Index l = 0; l < k; ++l) {
    const double* column = U + l * stride;
    double product = 0;
#pragma omp simd reduction(+ : product)
    for (Index i = 0; i <= l; ++i) product += column[i] * g[i];
#pragma omp simd
    for (Index i = 0; i <= l; ++i) u[i] -= product * column[i];
    sum.square += product * product;
    sum.with_z += product * z[l];
  }
  return sum;
}

}  // namespace

NestedFits::NestedFits(const Moments& moments)
    : moments_(moments),
      wanted_(static_cast<std::size_t>(moments.cols()), 0),
      here_(wanted_),
      loss_(moments.yty()) {}

bool NestedFits::fit(Columns support) {
  for (const Index j : support) wanted_[static_cast<std::size_t>(j)] = 1;
  const auto left = std::find_if(columns_.begin(), columns_.end(),
                                 [&](Index j) { return !wanted_[static_cast<std::size_t>(j)]; });
  for (const Index j : support) wanted_[static_cast<std::size_t>(j)] = 0;
  shorten(left - columns_.begin());
  return std::all_of(support.begin(), support.end(),
                     [&](Index j) { return here_[static_cast<std::size_t>(j)] || append(j); });
}

bool NestedFits::append(Index j) {
  const Index k = size();
  if (k == U_.cols()) {
    const Index room = 2 * k + 16;
    U_.conservativeResize(room, room);
    for (Vector* v : {&z_, &b_, &h_, &products_}) v->conservativeResize(room);
  }
  moments_.gram_block(columns_, Columns(&j, 1), MutMat(products_.head(k)));
  double* u = U_.col(k).data();
  std::fill_n(u, k, 0.0);
  const Explained explained =
      subtract_explained(k, U_.data(), U_.rows(), products_.data(), z_.data(), u);
  const double left = moments_.diagonal()[j] - explained.square;
  if (!(left > 0)) return false;
  const double unit = 1 / std::sqrt(left);
  U_.col(k).head(k) *= unit;
  U_(k, k) = unit;
  z_[k] = (moments_.xty()[j] - explained.with_z) * unit;
  b_[k] = h_[k] = 0;
  b_.head(k + 1) += z_[k] * U_.col(k).head(k + 1);
  h_.head(k + 1) += U_.col(k).head(k + 1).cwiseAbs2();
  loss_ -= z_[k] * z_[k];
  columns_.push_back(j);
  here_[static_cast<std::size_t>(j)] = 1;
  return true;
}

// Without the columns that came last, from what is there of the others: taking their part off again
// would leave its rounding.
void NestedFits::shorten(Index size) {
  if (size == this->size()) return;
  for (Index l = size; l < this->size(); ++l)
    here_[static_cast<std::size_t>(columns_[static_cast<std::size_t>(l)])] = 0;
  columns_.resize(static_cast<std::size_t>(size));
  b_.head(size).setZero();
  h_.head(size).setZero();
  for (Index l = 0; l < size; ++l) {
    b_.head(l + 1) += z_[l] * U_.col(l).head(l + 1);
    h_.head(l + 1) += U_.col(l).head(l + 1).cwiseAbs2();
  }
  loss_ = moments_.yty() - z_.head(size).squaredNorm();
}

double NestedFits::inflation() const {
  double largest = 1;
  for (Index l = 0; l < size(); ++l)
    largest = std::max(largest, h_[l] * moments_.squares()[columns_[static_cast<std::size_t>(l)]]);
  return largest;
}

}  // namespace lass0
