#include "l1/restricted_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "l1/soft_threshold.hpp"
#include "util/add_four.hpp"
#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr int kSweepsPerRound = 10;      // of coordinate descent between active-set steps
constexpr std::size_t kFewActive = 256;  // active-set steps take less than sweeps in any case
constexpr int kMaxRounds = 500;
constexpr int kDropsPerStep = 10;  // sign changes that one active-set step follows
// To the factor: matrix products take less time, but where one column is dependent the work on
// those after it is lost.
constexpr std::size_t kAppendedTogether = 16;
constexpr double kNearlyEntering = 0.9;  // of its threshold: a gradient that may soon pass it

// By how much the coefficient moves.
double coordinate_step(double gradient, double threshold, double diagonal, double& b) {
  const double updated = soft_threshold(gradient + diagonal * b, threshold) / diagonal;
  const double delta = updated - b;
  b = updated;
  return delta;
}

}  // namespace

RestrictedLasso::RestrictedLasso(const Quadratic& quadratic, std::vector<Index> columns, Vector b,
                                 Vector g, ActiveCholesky& factor, const Budget& budget)
    : quadratic_(quadratic),
      factor_(factor),
      budget_(budget),
      columns_(std::move(columns)),
      b_(std::move(b)),
      g_(std::move(g)) {
  const Index m = std::ssize(columns_);
  position_.assign(static_cast<std::size_t>(quadratic.linear().size()), -1);
  diagonal_.resize(m);
  c_.resize(m);
  for (Index i = 0; i < m; ++i) {
    diagonal_[i] = quadratic.diagonal()[columns_[static_cast<std::size_t>(i)]];
    c_[i] = quadratic.linear()[columns_[static_cast<std::size_t>(i)]];
    position_[static_cast<std::size_t>(columns_[static_cast<std::size_t>(i)])] = i;
  }
  least_thresholds_ = kSmallestThreshold * (diagonal_ * quadratic.target_square()).cwiseSqrt();
  gram_.resize(static_cast<std::size_t>(m), nullptr);
  room_.resize(static_cast<std::size_t>(m));
  everyone_.resize(static_cast<std::size_t>(m));
  std::iota(everyone_.begin(), everyone_.end(), Index{0});
}

const double* RestrictedLasso::gram(Index position) {
  const auto at = static_cast<std::size_t>(position);
  if (!gram_[at]) {
    if (!quadratic_.cached(columns_[at])) fetch_likely(position);
    gram_[at] = quadratic_.column(columns_, position, room_[at]);
  }
  return gram_[at];
}

void RestrictedLasso::fetch_likely(Index position) {
  std::vector<Index> likely;
  Vector nearness = Vector::Zero(std::ssize(position_));
  for (Index i = 0; i < g_.size(); ++i) {
    if (!(std::abs(g_[i]) > kNearlyEntering * t_[i])) continue;
    const Index j = columns_[static_cast<std::size_t>(i)];
    likely.push_back(j);
    nearness[j] = std::abs(g_[i]) / t_[i];
  }
  quadratic_.fetch(columns_[static_cast<std::size_t>(position)], likely, nearness, budget_);
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
    const double delta = coordinate_step(g_[i], t_[i], diagonal_[i], b_[i]);
    if (delta == 0) continue;
    blas::add(g_.size(), -delta, gram(i), g_.data());
    largest_move = std::max(largest_move, std::abs(delta) * std::sqrt(diagonal_[i]));
  }
  return largest_move > settled();
}

// Sweeps over the support on the products of its columns alone, which are fewer than those of W.
// The gradient is not kept up.
void RestrictedLasso::sweep_support() {
  const auto A = active();
  const Index k = std::ssize(A);
  Matrix G(k, k);
  for (Index l = 0; l < k; ++l) {
    const double* column = gram(A[static_cast<std::size_t>(l)]);
    for (Index i = 0; i < k; ++i) G(i, l) = column[A[static_cast<std::size_t>(i)]];
  }
  const Vector t = t_(A), diagonal = diagonal_(A);
  Vector b = b_(A), g = g_(A);
  for (int i = 0; i < kSweepsPerRound; ++i) {
    double largest_move = 0;
    for (Index l = 0; l < k; ++l) {
      const double delta = coordinate_step(g[l], t[l], diagonal[l], b[l]);
      if (delta == 0) continue;
      blas::add(k, -delta, G.col(l).data(), g.data());
      largest_move = std::max(largest_move, std::abs(delta) * std::sqrt(diagonal[l]));
    }
    if (largest_move <= settled()) break;
  }
  b_(A) = b;
}

double RestrictedLasso::settled() const {
  return kSettledSweep * std::sqrt(quadratic_.target_square());
}

void RestrictedLasso::refresh_gradient() {
  g_ = c_;
  const auto A = active();
  std::size_t l = 0;
  for (; l + 4 <= A.size(); l += 4) {
    const double b[] = {-b_[A[l]], -b_[A[l + 1]], -b_[A[l + 2]], -b_[A[l + 3]]};
    add_four(g_.size(), b, gram(A[l]), gram(A[l + 1]), gram(A[l + 2]), gram(A[l + 3]), g_.data());
  }
  for (; l < A.size(); ++l) blas::add(g_.size(), -b_[A[l]], gram(A[l]), g_.data());
}

// The largest violation of the KKT conditions on W, as a fraction of the threshold (of
// kSmallestThreshold where rounding hides more).
double RestrictedLasso::violation() const {
  double largest = 0;
  for (Index i = 0; i < b_.size(); ++i) {
    const double excess =
        b_[i] != 0 ? std::abs(g_[i] - sign(b_[i]) * t_[i]) : std::abs(g_[i]) - t_[i];
    if (excess > 0) largest = std::max(largest, excess / std::max(t_[i], least_thresholds_[i]));
  }
  return largest;
}

// Brings the factor to the present active set; where its columns are dependent, follows the
// dependence to a solution without. False: rounding got in the way.
bool RestrictedLasso::factor_active() {
  if (factor_.has_drifted()) factor_.clear();
  const auto is_active = [&](Index j) { return position(j) >= 0 && b_[position(j)] != 0; };
  for (Index l = factor_.size() - 1; l >= 0; --l) {
    if (!is_active(factor_.columns()[static_cast<std::size_t>(l)])) factor_.remove(l);
  }
  std::vector<char> factored(columns_.size(), 0);
  for (const Index j : factor_.columns()) factored[static_cast<std::size_t>(position(j))] = 1;
  std::vector<Index> fresh = active();
  std::erase_if(fresh, [&](Index i) { return factored[static_cast<std::size_t>(i)] != 0; });
  for (std::size_t first = 0; first < fresh.size(); first += kAppendedTogether) {
    const auto some = std::span(fresh).subspan(first);
    const auto together = some.first(std::min(some.size(), kAppendedTogether));
    const Index appended = append_to_factor(together);
    if (appended == std::ssize(together)) continue;
    // One coefficient fewer each time.
    return remove_dependence(together[static_cast<std::size_t>(appended)]) && factor_active();
  }
  return true;
}

Index RestrictedLasso::append_to_factor(std::span<const Index> positions) {
  const Index k = factor_.size(), m = std::ssize(positions);
  std::vector<Index> at, fresh;
  for (const Index j : factor_.columns()) at.push_back(position(j));
  Matrix products(m, k), among(m, m);
  Vector scales(m);
  for (Index l = 0; l < m; ++l) {
    const Index i = positions[static_cast<std::size_t>(l)];
    const double* column = gram(i);
    fresh.push_back(columns_[static_cast<std::size_t>(i)]);
    for (Index c = 0; c < k; ++c) products(l, c) = column[at[static_cast<std::size_t>(c)]];
    for (Index c = l; c < m; ++c) among(c, l) = column[positions[static_cast<std::size_t>(c)]];
    among(l, l) = diagonal_[i];
    scales[l] = quadratic_.squares()[fresh.back()];
  }
  return factor_.append(fresh, std::move(products), std::move(among), scales);
}

// Column W[dependent] is a combination of the factored ones: along that combination the fit stays
// and the L1 norm is linear, so it can be followed downwards until a coefficient is 0. (Then the
// Lasso has several solutions; this finds one with independent columns.)
bool RestrictedLasso::remove_dependence(Index dependent) {
  const Index k = factor_.size();
  std::vector<Index> at;
  Vector direction(k);
  for (const Index j : factor_.columns()) at.push_back(position(j));
  for (Index l = 0; l < k; ++l) direction[l] = gram(dependent)[at[static_cast<std::size_t>(l)]];
  direction = -factor_.solve(std::move(direction));
  direction.conservativeResize(k + 1);
  direction[k] = 1;
  at.push_back(dependent);

  double slope = 0;
  for (Index l = 0; l <= k; ++l) {
    const Index i = at[static_cast<std::size_t>(l)];
    slope += t_[i] * sign(b_[i]) * direction[l];
  }
  if (slope > 0) direction = -direction;
  double step = std::numeric_limits<double>::infinity();
  Index leaves = -1;
  for (Index l = 0; l <= k; ++l) {
    const double from = b_[at[static_cast<std::size_t>(l)]];
    if (from * direction[l] < 0 && -from / direction[l] < step) {
      step = -from / direction[l];
      leaves = at[static_cast<std::size_t>(l)];
    }
  }
  if (leaves < 0) return false;
  for (Index l = 0; l <= k; ++l) b_[at[static_cast<std::size_t>(l)]] += step * direction[l];
  b_[leaves] = 0;
  return true;
}

// Moves to the exact minimiser for the present support and signs, or as far towards it as the signs
// hold; a coefficient that would change sign becomes 0 and leaves. Never raises the objective.
void RestrictedLasso::active_set_step() {
  for (int drops = 0; drops <= kDropsPerStep; ++drops) {
    if (!factor_active() || factor_.size() == 0) return;
    const Index k = factor_.size();
    std::vector<Index> at;
    for (const Index j : factor_.columns()) at.push_back(position(j));
    Vector target(k);
    for (Index l = 0; l < k; ++l) {
      const Index i = at[static_cast<std::size_t>(l)];
      target[l] = c_[i] - sign(b_[i]) * t_[i];
    }
    target = factor_.solve(std::move(target));

    double step = 1;  // to the first coefficient that reaches 0 on the way
    for (Index l = 0; l < k; ++l) {
      const double from = b_[at[static_cast<std::size_t>(l)]];
      if (target[l] * from <= 0) step = std::min(step, from / (from - target[l]));
    }
    bool dropped = false;
    for (Index l = 0; l < k; ++l) {
      double& b = b_[at[static_cast<std::size_t>(l)]];
      const double from = b, to = from + step * (target[l] - from);
      const bool reaches_zero = target[l] * from <= 0 && from / (from - target[l]) <= step;
      b = reaches_zero || to * from <= 0 ? 0.0 : to;
      dropped |= b == 0;
    }
    if (!dropped) return;
  }
  many_change_ = true;
}

// Until the signs have settled: an active-set step follows changes one by one.
void RestrictedLasso::sweep_many() {
  if (sweep(everyone_)) sweep_support();
}

// The columns that violate their condition at 0, or everyone where it is the others that do.
void RestrictedLasso::sweep_entering() {
  std::vector<Index> entering;
  for (const Index i : everyone_) {
    if (b_[i] == 0 && std::abs(g_[i]) > t_[i]) entering.push_back(i);
  }
  sweep(entering.empty() ? everyone_ : entering);
}

void RestrictedLasso::solve(Vector thresholds, double accuracy) {
  t_ = std::move(thresholds);
  for (int round = 0; round < kMaxRounds; ++round) {
    budget_.check();
    const bool few = static_cast<std::size_t>((b_.array() != 0).count()) <= kFewActive;
    if (!few && many_change_) {
      sweep_many();
    } else if (round > 0) {
      sweep_entering();
    }
    active_set_step();
    refresh_gradient();
    if (violation() <= accuracy) return;
  }
}

}  // namespace lass0
