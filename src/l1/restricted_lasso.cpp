#include "l1/restricted_lasso.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"

namespace lass0 {
namespace {

constexpr int kSweepsPerRound = 10;  // of coordinate descent between active-set steps
constexpr int kMaxRounds = 500;
constexpr int kDropsPerStep = 10;  // sign changes that one active-set step follows
constexpr double kDependent =
    1e-11;  // a Cholesky pivot below this of the diagonal: a dependent column
constexpr double kSettled = 1e-9;  // a sweep that moves no fit by more than this has settled
constexpr double kSmallestThreshold = 1e-5;

double sign(double x) { return x > 0 ? 1.0 : -1.0; }

double soft_threshold(double x, double t) { return std::abs(x) > t ? x - sign(x) * t : 0.0; }

}  // namespace

RestrictedLasso::RestrictedLasso(const Moments& moments, std::vector<Index> columns,
                                 Vector thresholds, Vector b, Vector g, const Budget& budget)
    : moments_(moments),
      budget_(budget),
      columns_(std::move(columns)),
      t_(std::move(thresholds)),
      b_(std::move(b)),
      g_(std::move(g)) {
  const Index m = std::ssize(columns_);
  diagonal_.resize(m);
  c_.resize(m);
  for (Index i = 0; i < m; ++i) {
    diagonal_[i] = moments.diagonal()[columns_[static_cast<std::size_t>(i)]];
    c_[i] = moments.xty()[columns_[static_cast<std::size_t>(i)]];
  }
  gram_.resize(static_cast<std::size_t>(m));
}

const double* RestrictedLasso::gram(Index position) {
  Vector& column = gram_[static_cast<std::size_t>(position)];
  if (column.size() == 0) {
    column.resize(std::ssize(columns_));
    const Index j = columns_[static_cast<std::size_t>(position)];
    moments_.gram_block(columns_, Columns(&j, 1), MutMat(column));
  }
  return column.data();
}

std::vector<Index> RestrictedLasso::active() const {
  std::vector<Index> positions;
  for (Index i = 0; i < b_.size(); ++i) {
    if (b_[i] != 0) positions.push_back(i);
  }
  return positions;
}

bool RestrictedLasso::sweep(const std::vector<Index>& positions) {
  double largest_move = 0;
  for (const Index i : positions) {
    const double updated = soft_threshold(g_[i] + diagonal_[i] * b_[i], t_[i]) / diagonal_[i];
    const double delta = updated - b_[i];
    if (delta == 0) continue;
    blas::add(g_.size(), -delta, gram(i), g_.data());
    b_[i] = updated;
    largest_move = std::max(largest_move, std::abs(delta) * std::sqrt(diagonal_[i]));
  }
  return largest_move > kSettled * std::sqrt(moments_.yty());
}

void RestrictedLasso::refresh_gradient() {
  g_ = c_;
  for (const Index i : active()) blas::add(g_.size(), -b_[i], gram(i), g_.data());
}

// The largest violation of the KKT conditions on W, as a fraction of the threshold (of
// kSmallestThreshold where rounding hides more).
double RestrictedLasso::violation() const {
  double largest = 0;
  for (Index i = 0; i < b_.size(); ++i) {
    const double excess =
        b_[i] != 0 ? std::abs(g_[i] - sign(b_[i]) * t_[i]) : std::abs(g_[i]) - t_[i];
    const double unit = kSmallestThreshold * std::sqrt(diagonal_[i] * moments_.yty());
    if (excess > 0) largest = std::max(largest, excess / std::max(t_[i], unit));
  }
  return largest;
}

// Moves to the exact minimiser for the present support and signs, or as far towards it as the signs
// hold; a coefficient that would change sign becomes 0 and leaves. Never raises the objective.
void RestrictedLasso::active_set_step() {
  std::vector<Index> A = active();
  for (int drops = 0; drops <= kDropsPerStep && !A.empty(); ++drops) {
    const Index k = std::ssize(A);
    Matrix factor(k, k);
    Vector target(k);
    for (Index l = 0; l < k; ++l) {
      const Index i = A[static_cast<std::size_t>(l)];
      const double* column = gram(i);
      for (Index r = 0; r < k; ++r) factor(r, l) = column[A[static_cast<std::size_t>(r)]];
      target[l] = c_[i] - sign(b_[i]) * t_[i];
    }
    const Matrix G = factor;
    Index dependent = blas::cholesky(factor) - 1;
    for (Index l = 0; l < (dependent < 0 ? k : dependent); ++l) {
      if (factor(l, l) * factor(l, l) <= kDependent * G(l, l)) {
        dependent = l;
        break;
      }
    }
    if (dependent >= 0) {
      factor.topRows(dependent + 1).col(dependent) = G.col(dependent).head(dependent + 1);
      if (!remove_dependence(A, factor, dependent)) return;
      continue;
    }
    blas::cholesky_solve(factor, target);

    double step = 1;  // to the first coefficient that reaches 0 on the way
    for (Index l = 0; l < k; ++l) {
      const double from = b_[A[static_cast<std::size_t>(l)]];
      if (target[l] * from <= 0) step = std::min(step, from / (from - target[l]));
    }
    std::vector<Index> still;
    for (Index l = 0; l < k; ++l) {
      const Index i = A[static_cast<std::size_t>(l)];
      const double from = b_[i], to = from + step * (target[l] - from);
      const bool reaches_zero = target[l] * from <= 0 && from / (from - target[l]) <= step;
      b_[i] = reaches_zero || to * from <= 0 ? 0.0 : to;
      if (b_[i] != 0) still.push_back(i);
    }
    if (still.size() == A.size()) return;
    A = std::move(still);
  }
}

// Column A[dependent] is a combination of those before it: along that combination the fit stays and
// the L1 norm is linear, so it can be followed downwards until a coefficient is 0. (Then the Lasso
// has several solutions; this finds one with independent columns.)
bool RestrictedLasso::remove_dependence(std::vector<Index>& A, const Matrix& factor,
                                        Index dependent) {
  Vector direction = factor.col(dependent).head(dependent);
  if (dependent > 0)
    blas::cholesky_solve(Matrix(factor.topLeftCorner(dependent, dependent)), direction);
  direction = -direction;
  direction.conservativeResize(dependent + 1);
  direction[dependent] = 1;

  double slope = 0;
  for (Index l = 0; l <= dependent; ++l) {
    const Index i = A[static_cast<std::size_t>(l)];
    slope += t_[i] * sign(b_[i]) * direction[l];
  }
  if (slope > 0) direction = -direction;
  double step = std::numeric_limits<double>::infinity();
  Index leaves = -1;
  for (Index l = 0; l <= dependent; ++l) {
    const double from = b_[A[static_cast<std::size_t>(l)]];
    if (from * direction[l] < 0 && -from / direction[l] < step) {
      step = -from / direction[l];
      leaves = l;
    }
  }
  if (leaves < 0) return false;  // only by rounding
  for (Index l = 0; l <= dependent; ++l) b_[A[static_cast<std::size_t>(l)]] += step * direction[l];
  b_[A[static_cast<std::size_t>(leaves)]] = 0;
  std::erase_if(A, [&](Index i) { return b_[i] == 0; });
  return true;
}

void RestrictedLasso::solve(double accuracy) {
  std::vector<Index> everyone(columns_.size());
  for (std::size_t i = 0; i < everyone.size(); ++i) everyone[i] = static_cast<Index>(i);
  for (int round = 0; round < kMaxRounds; ++round) {
    budget_.check();
    bool moved = sweep(everyone);
    const auto A = active();
    for (int i = 0; i < kSweepsPerRound && moved; ++i) moved = sweep(A);
    active_set_step();
    refresh_gradient();
    if (violation() <= accuracy) return;
  }
}

}  // namespace lass0
