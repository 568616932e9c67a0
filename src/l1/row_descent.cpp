#include "l1/row_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "l1/duality_gap.hpp"
#include "l1/soft_threshold.hpp"
#include "moments/access.hpp"
#include "moments/sparse_products.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr int kSweepsPerRound = 3;  // of the support, before a Newton step
constexpr int kMaxRounds = 500;
constexpr int kMostIdleRounds = 10;  // in which nothing got better: rounding is all that is left
constexpr int kMostIterations = 60;  // of conjugate gradients in one step
// Signs change on the way, so that an exact direction is wasted: this much of the squared residual
// may stay.
constexpr double kResidualLeft = 0.2;
constexpr int kHalvings = 3;  // of a step that raises the objective

}  // namespace

RowDescent::RowDescent(const Moments& moments, const std::vector<Index>& columns, Vector thresholds,
                       Vector b, const Budget& budget)
    : moments_(moments),
      budget_(budget),
      columns_(columns),
      t_(std::move(thresholds)),
      b_(std::move(b)),
      mu_(b_.size()),
      ridge_(b_.size()),
      diagonal_(b_.size()),
      start_{0},
      root_(sparse_products(moments)->weights().cwiseSqrt()),
      target_(root_.cwiseProduct(sparse_products(moments)->target())),
      weight_(sparse_products(moments)->weight()) {
  const SparseProducts& sparse = *sparse_products(moments);
  for (Index i = 0; i < b_.size(); ++i) {
    const Index j = columns_[static_cast<std::size_t>(i)];
    mu_[i] = sparse.mu(j);
    ridge_[i] = moments.ridge(j);
    diagonal_[i] = moments.diagonal()[j];
    const auto [rows, values] = sparse.column(j);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows_.push_back(static_cast<std::int32_t>(rows[k]));
      values_.push_back(root_[rows[k]] * values[k] * sparse.unit(j));
    }
    start_.push_back(rows_.size());
  }
  refresh_residual();
}

double RowDescent::product(Index i, const Vector& v) const {
  const std::size_t end = start_[static_cast<std::size_t>(i) + 1];
  double sum = 0;
  for (std::size_t k = start_[static_cast<std::size_t>(i)]; k < end; ++k)
    sum += values_[k] * v[rows_[k]];
  return sum;
}

void RowDescent::add_column(Index i, double a, Vector& v) const {
  const std::size_t end = start_[static_cast<std::size_t>(i) + 1];
  for (std::size_t k = start_[static_cast<std::size_t>(i)]; k < end; ++k)
    v[rows_[k]] += a * values_[k];
}

void RowDescent::refresh_residual() {
  q_ = target_;
  double means = 0;
  for (Index i = 0; i < b_.size(); ++i) {
    if (b_[i] == 0) continue;
    add_column(i, -b_[i], q_);
    means += b_[i] * mu_[i];
  }
  sum_ = -means * weight_;  // without the centring of columns
}

// z_i is orthogonal to sqrt(w), so that of the residual only q matters.
double RowDescent::gradient(Index i) const {
  return product(i, q_) - mu_[i] * sum_ - ridge_[i] * b_[i];
}

double RowDescent::loss() const {
  return q_.squaredNorm() - sum_ * sum_ / weight_ + ridge_.dot(b_.cwiseAbs2());
}

double RowDescent::objective() const { return 0.5 * loss() + t_.dot(b_.cwiseAbs()); }

double RowDescent::duality_gap() const {
  double steepest = 0;
  for (Index i = 0; i < b_.size(); ++i) {
    const Index j = columns_[static_cast<std::size_t>(i)];
    steepest = std::max(steepest, certain_gradient(moments_, j, gradient(i)) / t_[i]);
  }
  const double gap = objective() - dual_value(target_.dot(q_), loss(), steepest);
  return moments_.yty() > 0 ? gap / (0.5 * moments_.yty()) : 0.0;
}

std::vector<Index> RowDescent::active() const {
  std::vector<Index> positions;
  for (Index i = 0; i < b_.size(); ++i) {
    if (b_[i] != 0) positions.push_back(i);
  }
  return positions;
}

void RowDescent::sweep(const std::vector<Index>& positions) {
  for (const Index i : positions) {
    const double updated = soft_threshold(gradient(i) + diagonal_[i] * b_[i], t_[i]) / diagonal_[i];
    const double delta = updated - b_[i];
    if (delta == 0) continue;
    add_column(i, -delta, q_);
    sum_ -= delta * mu_[i] * weight_;
    b_[i] = updated;
  }
}

// About inv(G_AA) times the residual of the equations that hold where signs stay as they are.
Vector RowDescent::newton_direction(const std::vector<Index>& active, Vector residual) const {
  const Index k = residual.size();
  Vector direction = Vector::Zero(k), step = residual, image(k), v(q_.size());
  double square = residual.squaredNorm();
  const double enough = kResidualLeft * square;
  for (int iteration = 0; iteration < kMostIterations && square > enough; ++iteration) {
    v.setZero();
    double means = 0;
    for (Index l = 0; l < k; ++l) {
      const Index i = active[static_cast<std::size_t>(l)];
      add_column(i, step[l], v);
      means += step[l] * mu_[i];
    }
    for (Index l = 0; l < k; ++l) {
      const Index i = active[static_cast<std::size_t>(l)];
      image[l] = product(i, v) - mu_[i] * means * weight_ + ridge_[i] * step[l];
    }
    const double curvature = step.dot(image);
    if (!(curvature > kNoCurvature * step.squaredNorm())) break;
    direction += (square / curvature) * step;
    residual -= (square / curvature) * image;
    const double left = residual.squaredNorm();
    step = residual + (left / square) * step;
    square = left;
  }
  return direction;
}

// Towards the minimiser for the present signs; a coefficient that would change its own becomes 0.
// If the objective would rise because many do, the step is shorter.
void RowDescent::newton_step(std::vector<Index> active) {
  std::erase_if(active, [&](Index i) { return b_[i] == 0; });
  Vector residual(std::ssize(active));
  for (Index l = 0; l < residual.size(); ++l) {
    const Index i = active[static_cast<std::size_t>(l)];
    residual[l] = gradient(i) - sign(b_[i]) * t_[i];
  }
  const Vector direction = newton_direction(active, std::move(residual));
  const Vector from = b_, q = q_;
  const double before = objective(), sum = sum_;
  double length = 1;
  for (int trial = 0; trial <= kHalvings; ++trial, length /= 2) {
    for (Index l = 0; l < direction.size(); ++l) {
      const Index i = active[static_cast<std::size_t>(l)];
      const double to = from[i] + length * direction[l];
      b_[i] = to * from[i] > 0 ? to : 0.0;
    }
    refresh_residual();
    if (objective() <= before * (1 + kObjectiveRounding)) return;
  }
  b_ = from;
  q_ = q;
  sum_ = sum;
}

bool RowDescent::solve(double gap) {
  std::vector<Index> everyone(columns_.size());
  std::iota(everyone.begin(), everyone.end(), Index{0});
  // The gap is of the order of an error in b and the objective of its square, so that the one still
  // falls where rounding hides the other.
  double least_objective = objective(), least_gap = std::numeric_limits<double>::infinity();
  for (int round = 0, idle = 0; round < kMaxRounds && idle < kMostIdleRounds; ++round) {
    budget_.check();
    sweep(everyone);
    const double now = duality_gap();
    if (now <= gap) return true;
    const std::vector<Index> A = active();
    for (int i = 0; i < kSweepsPerRound; ++i) sweep(A);
    newton_step(A);
    idle = objective() < least_objective || now < least_gap ? 0 : idle + 1;
    least_objective = std::min(least_objective, objective());
    least_gap = std::min(least_gap, now);
  }
  return false;
}

}  // namespace lass0
