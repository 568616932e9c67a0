#include "search/support_state.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <lass0/search.hpp>
#include <limits>

#include "moments/fetch.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr int kMovesBetweenRebuilds = 32;
constexpr Index kPositionNone = -1;
constexpr Index kRebuildBlock = 512;

}  // namespace

SupportState::SupportState(const Moments& moments, std::vector<Index> support, const Budget& budget)
    : moments_(moments), budget_(budget), support_(std::move(support)) {
  position_.assign(static_cast<std::size_t>(moments.cols()), kPositionNone);
  for (Index i = 0; i < size(); ++i)
    position_[static_cast<std::size_t>(support_[static_cast<std::size_t>(i)])] = i;
  rebuild();
}

void SupportState::reserve(Index k) {
  if (k <= B_.cols()) return;
  const Index capacity = std::max(k, std::min(moments_.cols(), B_.cols() + B_.cols() / 2 + 8));
  Matrix B = allocate_matrix(moments_.cols(), capacity, "the search's table of columns");
  B.leftCols(B_.cols()) = B_;
  B_ = std::move(B);
  H_.conservativeResize(capacity, capacity);
  b_.conservativeResize(capacity);
}

void SupportState::rebuild() {
  const Index k = size(), p = moments_.cols();
  moves_since_rebuild_ = 0;
  reserve(k);
  fetch_within_budget(moments_, support_, budget_);
  r_ = moments_.xty();
  s_ = moments_.diagonal();
  rss_ = moments_.yty();
  if (k == 0) return;

  Matrix G_SS(k, k);
  moments_.gram_block(support_, support_, G_SS);
  Matrix H = Matrix::Identity(k, k);
  Eigen::LDLT<Matrix> factor(G_SS);
  H = factor.solve(H);
  H_.topLeftCorner(k, k) = 0.5 * (H + H.transpose());

  Vector c_S(k);
  for (Index i = 0; i < k; ++i) c_S[i] = moments_.xty()[support_[static_cast<std::size_t>(i)]];
  b_.head(k) = factor.solve(c_S);
  b_.head(k) += factor.solve(c_S - G_SS * b_.head(k));  // one step of refinement

  // B starts as G_S. and is turned into H G_S. in place, a block of columns of X at a time.
  moments_.gram_columns(support_, B_.leftCols(k));
  const Index blocks = (p + kRebuildBlock - 1) / kRebuildBlock;
  for_each_block(blocks, moments_.control().threads, [&](Index block) {
    const Index first = block * kRebuildBlock, count = std::min(kRebuildBlock, p - first);
    const Matrix G = B_.block(first, 0, count, k);
    blas::product(count, k, k, G.data(), count, H_.data(), H_.outerStride(), &B_(first, 0), p);
    blas::add_times(count, k, -1.0, G.data(), count, b_.data(), r_.data() + first);
    for (Index i = 0; i < k; ++i) {
      s_.segment(first, count).array() -=
          G.col(i).array() * B_.col(i).segment(first, count).array();
    }
  });
  rss_ = std::max(0.0, rss_ - c_S.dot(b_.head(k)));
}

bool SupportState::addable(Index j) const {
  return !contains(j) && s_[j] > kAliasTolerance * moments_.diagonal()[j];
}

double SupportState::add_gain(Index j) const { return r_[j] * r_[j] / s_[j]; }

double SupportState::remove_loss(Index i) const { return b_[i] * b_[i] / H_(i, i); }

double SupportState::swap_gain(Index i, Index j) const {
  const double B_ij = B_(j, i), h = H_(i, i);
  const double unexplained = s_[j] + B_ij * B_ij / h;
  if (unexplained <= kAliasTolerance * moments_.diagonal()[j])
    return -std::numeric_limits<double>::infinity();
  const double correlation = r_[j] + B_ij * b_[i] / h;
  return correlation * correlation / unexplained - remove_loss(i);
}

void SupportState::add(Index j) {
  const Index k = size(), p = moments_.cols();
  reserve(k + 1);
  Vector g(p);  // becomes the Gram column of what S does not explain of j
  fetch_within_budget(moments_, Columns(&j, 1), budget_);
  moments_.gram_columns(Columns(&j, 1), g);
  Vector G_Sj(k), a(k);
  for (Index i = 0; i < k; ++i) {
    G_Sj[i] = g[support_[static_cast<std::size_t>(i)]];
    a[i] = B_(j, i);
  }
  blas::add_times(p, k, -1.0, B_.data(), p, G_Sj.data(), g.data());
  const double unexplained = g[j];
  const double b_j = r_[j] / unexplained;

  rss_ = std::max(0.0, rss_ - r_[j] * b_j);
  r_ -= b_j * g;
  s_.array() -= g.array().square() / unexplained;
  if (k > 0) blas::add_outer(p, k, -1 / unexplained, g.data(), a.data(), B_.data(), p);
  B_.col(k) = g / unexplained;
  b_.head(k) -= b_j * a;
  b_[k] = b_j;
  H_.topLeftCorner(k, k) += a * a.transpose() / unexplained;
  H_.col(k).head(k) = -a / unexplained;
  H_.row(k).head(k) = -a.transpose() / unexplained;
  H_(k, k) = 1 / unexplained;
  position_[static_cast<std::size_t>(j)] = k;
  support_.push_back(j);
  if (++moves_since_rebuild_ >= kMovesBetweenRebuilds) rebuild();
}

void SupportState::remove(Index j) {
  const Index i = position(j), k = size(), last = k - 1, p = moments_.cols();
  const double h = H_(i, i), b_i = b_[i];
  Vector shift = removal_shift(i);
  const Vector B_i = B_.col(i);

  rss_ += b_i * b_i / h;
  r_ += (b_i / h) * B_i;
  s_.array() += B_i.array().square() / h;
  blas::add_outer(p, k, -1.0, B_i.data(), shift.data(), B_.data(), p);
  b_.head(k) -= b_i * shift;
  H_.topLeftCorner(k, k) -= h * shift * shift.transpose();

  // The last member takes the place that became free.
  const Index moved = support_.back();
  B_.col(i) = B_.col(last);
  b_[i] = b_[last];
  H_.col(i).head(k) = H_.col(last).head(k);
  H_.row(i).head(k) = H_.row(last).head(k);
  support_[static_cast<std::size_t>(i)] = moved;
  support_.pop_back();
  position_[static_cast<std::size_t>(moved)] = i;
  position_[static_cast<std::size_t>(j)] = kPositionNone;
  if (++moves_since_rebuild_ >= kMovesBetweenRebuilds) rebuild();
}

}  // namespace lass0
