#include "search/table/loss_bounds.hpp"

#include <algorithm>
#include <limits>

#include "search/state/support_state.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

constexpr Index kFewColumns = 256;  // the model of all of them costs little

}  // namespace

LossBounds::LossBounds(const Moments& moments)
    : position_(static_cast<std::size_t>(moments.cols()), -1) {
  std::vector<Index> all;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (!moments.eligible(j)) continue;
    position_[static_cast<std::size_t>(j)] = std::ssize(all);
    all.push_back(j);
  }
  const Index q = std::ssize(all);
  if (q == 0 || q > kFewColumns || q >= moments.rows()) return;
  Matrix G(q, q);
  moments.gram_block(all, all, G);
  const Cholesky factor(std::move(G));
  if (!factor.positive_definite()) return;
  Matrix half = factor.half();
  h_ = half.rowwise().squaredNorm();
  const Vector squares = moments.squares()(all), c = moments.xty()(all);
  if (!(h_.array() * squares.array() < kIllConditioned).all()) return;
  b_ = half * (half.transpose() * c);
  loss_ = std::max(0.0, moments.yty() - c.dot(b_));
  half_ = std::move(half);
  costs_.resize(all.size());
}

bool LossBounds::reached(Index k, Index j, double loss) {
  const Index i = position_[static_cast<std::size_t>(j)];
  // Most that matter cost too much by themselves.
  if (half_.size() > 0 && i >= 0 && loss_ + b_[i] * b_[i] / h_[i] >= loss) return false;
  return at(k, j) < loss;
}

double LossBounds::at(Index k, Index j) {
  const Index i = position_[static_cast<std::size_t>(j)], more = h_.size() - 1 - k;
  if (half_.size() == 0 || i < 0) return 0;
  if (more < 0) return std::numeric_limits<double>::infinity();
  const double without = loss_ + b_[i] * b_[i] / h_[i];
  return without + (more > 0 ? costs(i)[static_cast<std::size_t>(more - 1)] : 0.0);
}

const std::vector<double>& LossBounds::costs(Index i) {
  std::vector<double>& costs = costs_[static_cast<std::size_t>(i)];
  if (!costs.empty()) return costs;
  const Index q = h_.size();
  // Row i of inv(G), over h_i; half is upper triangular.
  const Vector row = half_.row(i).tail(q - i).transpose();
  Vector shift = Vector::Zero(q);
  blas::add_times(q, q - i, 1 / h_[i], half_.col(i).data(), q, row.data(), shift.data());
  costs.reserve(static_cast<std::size_t>(q));
  for (Index l = 0; l < h_.size(); ++l) {
    if (l == i) continue;
    const double b = b_[l] - shift[l] * b_[i];
    costs.push_back(b * b / (h_[l] - shift[l] * shift[l] * h_[i]));
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

}  // namespace lass0
