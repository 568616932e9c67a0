#include "search/state/support_state.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr Index kMovesBetweenRebuilds = 32;
constexpr Index kFewMoves = 2;      // one by one
constexpr double kMuchAlike = 0.1;  // what S leaves of a column is less than this of its square
constexpr Index kRebuildBlock = 512;
constexpr Index kAddBlock = 1024;

// The fit on a support, from its k x k Gram matrix. Dependent columns may have an infinite loss.
struct LeastSquares {
  Cholesky factor;
  Vector b;
  double loss;
  Vector squares;
};

LeastSquares least_squares(const Moments& moments, Columns support, Index extra = -1) {
  const Index known = std::ssize(support), k = known + (extra >= 0 ? 1 : 0);
  Matrix G(k, k);
  Vector c(k), squares(k);
  moments.gram_block(support, support, G.topLeftCorner(known, known));
  if (extra >= 0) {
    moments.gram_block(Columns(&extra, 1), support, G.bottomLeftCorner(1, known));
    G.col(known).head(known) = G.row(known).head(known).transpose();
    G(known, known) = moments.diagonal()[extra];
  }
  for (Index i = 0; i < k; ++i) {
    const Index j = i < known ? support[static_cast<std::size_t>(i)] : extra;
    c[i] = moments.xty()[j];
    squares[i] = moments.squares()[j];
  }
  LeastSquares fit{Cholesky(G), Vector::Zero(k), std::numeric_limits<double>::infinity(),
                   std::move(squares)};
  if (!fit.factor.positive_definite()) return fit;
  fit.b = fit.factor.solve(c);
  const auto left = [&] {  // of the equations
    Vector residual = c;
    blas::add_times(k, k, -1.0, G.data(), k, fit.b.data(), residual.data());
    return residual;
  };
  fit.b += fit.factor.solve(left());  // one step of refinement
  if ((fit.factor.pivots() <= kAliasTolerance * fit.squares.array()).any()) return fit;
  // With the residual of the equations in it, so that an error in b counts only squared.
  fit.loss = std::max(0.0, moments.yty() - c.dot(fit.b) - fit.b.dot(left()));
  return fit;
}

}  // namespace

SupportState::SupportState(const Moments& moments, std::vector<Index> support, Detail detail,
                           const Budget& budget, Rebuild rebuild)
    : moments_(moments), budget_(budget), detail_(detail), rebuild_(rebuild) {
  move_to(std::move(support));
}

void SupportState::move_to(std::vector<Index> support) {
  fetch_within_budget(moments_, support, budget_);
  support_ = std::move(support);
  position_.assign(static_cast<std::size_t>(moments_.cols()), kPositionNone);
  for (Index i = 0; i < size(); ++i) {
    position_[static_cast<std::size_t>(support_[static_cast<std::size_t>(i)])] = i;
  }
  rebuild(detail_);
}

void SupportState::walk_to(const std::vector<Index>& support) {
  std::vector<char> wanted(position_.size(), 0);
  for (const Index j : support) wanted[static_cast<std::size_t>(j)] = 1;
  std::vector<Index> leaving, coming;
  for (const Index j : support_) {
    if (!wanted[static_cast<std::size_t>(j)]) leaving.push_back(j);
  }
  for (const Index j : support) {
    if (!contains(j)) coming.push_back(j);
  }
  const Index moves = std::ssize(leaving) + std::ssize(coming);
  if (2 * moves >= std::ssize(support) || condition_ > kIllConditioned) return move_to(support);
  if (detail_ == Detail::gains && moves > kFewMoves) {
    if (!exchange(leaving, coming)) move_to(support);
    return;
  }
  // In pairs, unless what comes is much like what is there: that may be one of those that leave.
  auto next = leaving.begin();
  std::erase_if(coming, [&](Index j) {
    if (next == leaving.end() || s_[j] < kMuchAlike * moments_.squares()[j]) return false;
    swap(*next++, j);
    return true;
  });
  for (; next != leaving.end(); ++next) remove(*next);
  for (const Index j : coming) add(j);
}

void SupportState::reserve(Index k) {
  const auto grown = [&](Index capacity) {
    return std::max(k, std::min(moments_.cols(), capacity + capacity / 2 + 8));
  };
  if (k > H_.cols()) {
    const Index capacity = grown(H_.cols());
    H_.conservativeResize(capacity, capacity);
    b_.conservativeResize(capacity);
  }
  if (detail_ == Detail::swaps && k > B_.cols()) {
    Matrix B = allocate_matrix(moments_.cols(), grown(B_.cols()), "the search's table of columns");
    if (B_.cols() > 0) B.leftCols(B_.cols()) = B_;
    B_ = std::move(B);
  }
}

void SupportState::rebuild(Detail detail) {
  const Index k = size(), p = moments_.cols();
  fetch_within_budget(moments_, support_, budget_);
  detail_ = detail;
  drifted_ = false;
  moves_since_rebuild_ = 0;
  reserve(k);
  r_ = moments_.xty();
  s_ = moments_.diagonal();
  loss_ = moments_.yty();
  condition_ = 1;
  if (k == 0) return;

  const LeastSquares fit = least_squares(moments_, support_);
  const Matrix& L = fit.factor.L();
  H_.topLeftCorner(k, k) = fit.factor.inverse();
  b_.head(k) = fit.b;
  loss_ = fit.loss;
  update_condition();

  // r, s and B, a block of columns of X at a time.
  const Index blocks = (p + kRebuildBlock - 1) / kRebuildBlock;
  for_each_block(blocks, moments_.control().threads, [&](Index block) {
    const Index first = block * kRebuildBlock, count = std::min(kRebuildBlock, p - first);
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), first);
    Matrix G(count, k);
    moments_.gram_block(rows, support_, G);
    blas::add_times(count, k, -1.0, G.data(), count, b_.data(), r_.data() + first);
    // s_j = G_jj - |inv(L) G_Sj|^2: through the factor L of G_SS, not through H, which would cost
    // digits where members are nearly dependent.
    blas::solve_lower_transposed_right(count, k, L.data(), k, G.data(), count);
    s_.segment(first, count) -= G.rowwise().squaredNorm();
    if (detail_ == Detail::gains) return;
    blas::solve_lower_right(count, k, L.data(), k, G.data(), count);
    B_.block(first, 0, count, k) = G;
  });
}

// Building costs k times a move, so it is done after k of them at the earliest, unless digits were
// lost on the way from or to a nearly dependent support.
void SupportState::rebuild_if_drifted() {
  const double before = condition_;
  update_condition();
  const double worst = std::max(before, condition_);
  drifted_ = drifted_ || worst > kIllConditioned;
  const bool many = ++moves_since_rebuild_ >= std::max<Index>(kMovesBetweenRebuilds, size());
  if (many || (drifted_ && rebuild_ == Rebuild::at_once) || worst > kFewDigitsLeft) rebuild();
}

void SupportState::update_condition() {
  condition_ = 1;
  for (Index i = 0; i < size(); ++i) {
    const double G_ii = moments_.squares()[support_[static_cast<std::size_t>(i)]];
    condition_ = std::max(condition_, H_(i, i) * G_ii);
  }
}

bool SupportState::addable(Index j) const {
  return !contains(j) && s_[j] > kAliasTolerance * moments_.squares()[j];
}

// No column can explain more than there is.
double SupportState::add_gain(Index j) const { return std::min(r_[j] * r_[j] / s_[j], loss_); }

double SupportState::remove_loss(Index i) const { return b_[i] * b_[i] / H_(i, i); }

double SupportState::unexplained_rounding(Index j) const {
  const Index k = size();
  Matrix G_jS(1, k);
  moments_.gram_block(Columns(&j, 1), support_, G_jS);
  const double norm = (H_.topLeftCorner(k, k) * G_jS.transpose()).lpNorm<1>();
  return kLastDigits * (1 + norm) * (1 + norm) * moments_.squares()[j];
}

// Together with those that may be added next: one pass over X serves all of them.
void SupportState::fetch(Index j) const {
  if (moments_.cached(j)) return;
  std::vector<Index> candidates;
  for (Index i = 0; i < moments_.cols(); ++i) {
    if (addable(i)) candidates.push_back(i);
  }
  fetch_with_likely(
      moments_, j, std::move(candidates), [&](Index i) { return add_gain(i); }, budget_);
}

void SupportState::add(Index j) {
  const Index k = size(), p = moments_.cols();
  reserve(k + 1);
  Vector g(p);  // becomes the Gram column of what S does not explain of j
  fetch(j);
  moments_.gram_columns(Columns(&j, 1), g);
  Vector G_Sj(k);
  for (Index i = 0; i < k; ++i) G_Sj[i] = g[support_[static_cast<std::size_t>(i)]];
  const Vector a = H_.topLeftCorner(k, k) * G_Sj;  // column j of B
  double left = g[j];
  if (detail_ == Detail::swaps) {
    for (Index i = 0; i < k; ++i) left -= B_(j, i) * G_Sj[i];
  } else {
    Vector explained(p);
    moments_.gram_times(support_, a, explained);
    g -= explained;
    left = g[j];
  }
  const double unexplained = std::max(left, kAliasTolerance * moments_.squares()[j]);
  const double b_j = r_[j] / unexplained;
  loss_ = std::max(0.0, loss_ - r_[j] * b_j);
  // By blocks of columns, so that B comes from memory once for what it explains of j and for its
  // own change.
  for (Index first = 0; first < p; first += kAddBlock) {
    const Index count = std::min(kAddBlock, p - first);
    auto g_block = g.segment(first, count);
    double* B = B_.data() + first;
    if (detail_ == Detail::swaps && k > 0)
      blas::add_times(count, k, -1.0, B, p, G_Sj.data(), g_block.data());
    r_.segment(first, count) -= b_j * g_block;
    s_.segment(first, count).array() -= g_block.array().square() * (1 / unexplained);
    if (detail_ == Detail::gains) continue;
    if (k > 0) blas::add_outer(count, k, -1 / unexplained, g_block.data(), a.data(), B, p);
    B_.col(k).segment(first, count) = g_block / unexplained;
  }
  b_.head(k) -= b_j * a;
  b_[k] = b_j;
  H_.topLeftCorner(k, k) += a * a.transpose() / unexplained;
  H_.col(k).head(k) = -a / unexplained;
  H_.row(k).head(k) = -a.transpose() / unexplained;
  H_(k, k) = 1 / unexplained;
  position_[static_cast<std::size_t>(j)] = k;
  support_.push_back(j);
  rebuild_if_drifted();
}

void SupportState::remove(Index j) {
  const Index i = position(j), k = size(), last = k - 1, p = moments_.cols();
  const double h = H_(i, i), b_i = b_[i];
  const Vector shift = removal_shift(i);
  Vector B_i(p);
  if (detail_ == Detail::swaps) {
    B_i = B_.col(i);
  } else {
    moments_.gram_times(support_, H_.col(i).head(k), B_i);
  }

  loss_ += b_i * b_i / h;
  r_ += (b_i / h) * B_i;
  s_.array() += B_i.array().square() / h;
  if (detail_ == Detail::swaps) {
    blas::add_outer(p, k, -1.0, B_i.data(), shift.data(), B_.data(), p);
    B_.col(i) = B_.col(last);
  }
  b_.head(k) -= b_i * shift;
  H_.topLeftCorner(k, k) -= h * shift * shift.transpose();

  // The last member takes the place that became free.
  const Index moved = support_.back();
  b_[i] = b_[last];
  H_.col(i).head(k) = H_.col(last).head(k);
  H_.row(i).head(k) = H_.row(last).head(k);
  support_[static_cast<std::size_t>(i)] = moved;
  support_.pop_back();
  position_[static_cast<std::size_t>(moved)] = i;
  position_[static_cast<std::size_t>(j)] = kPositionNone;
  rebuild_if_drifted();
}

void SupportState::swap(Index removed, Index added) {
  if (detail_ == Detail::swaps) {
    remove(removed);
    return add(added);
  }
  const Index i = position(removed), k = size(), p = moments_.cols();
  const double h = H_(i, i), b_i = b_[i];
  auto H = H_.topLeftCorner(k, k);
  fetch(added);
  Vector g(p);  // becomes the Gram column of what the others do not explain of the one that comes
  moments_.gram_columns(Columns(&added, 1), g);
  Vector G_Sj(k);
  for (Index l = 0; l < k; ++l) G_Sj[l] = g[support_[static_cast<std::size_t>(l)]];
  Matrix V(k, 2), out(p, 2);
  V.col(0) = H.col(i);
  const Vector shift = removal_shift(i);
  H -= h * shift * shift.transpose();
  V.col(1) = H * G_Sj;
  V(i, 1) = 0;
  moments_.gram_times(support_, V, out);
  const auto B_i = out.col(0), a = V.col(1);
  g -= out.col(1);

  const double unexplained = std::max(g[added], kAliasTolerance * moments_.squares()[added]);
  const double b_j = (r_[added] + b_i / h * B_i[added]) / unexplained;
  loss_ = std::max(0.0, loss_ + b_i * b_i / h - b_j * b_j * unexplained);
  r_ += (b_i / h) * B_i - b_j * g;
  s_.array() += B_i.array().square() / h - g.array().square() * (1 / unexplained);
  b_.head(k) -= b_i * shift + b_j * a;
  b_[i] = b_j;
  H += a * a.transpose() / unexplained;
  H.col(i) = -a / unexplained;
  H.row(i) = -a.transpose() / unexplained;
  H(i, i) = 1 / unexplained;
  position_[static_cast<std::size_t>(removed)] = kPositionNone;
  position_[static_cast<std::size_t>(added)] = i;
  support_[static_cast<std::size_t>(i)] = added;
  ++moves_since_rebuild_;  // and one more
  rebuild_if_drifted();
}

SupportFit fit_support(const Moments& moments, Columns support, Index extra) {
  if (support.empty() && extra < 0) return {moments.yty(), 0, true};
  const LeastSquares fit = least_squares(moments, support, extra);
  const double norm = 1 + fit.b.lpNorm<1>();
  return {fit.loss, kLastDigits * norm * norm,
          std::isfinite(fit.loss) && all_independent(fit.factor, fit.squares)};
}

}  // namespace lass0
