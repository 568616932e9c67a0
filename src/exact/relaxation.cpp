#include "exact/relaxation.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace lass0 {
namespace {

constexpr int kSweeps = 20;
constexpr double kSweepTolerance = 1e-7;
constexpr double kSmallestDelta = 1e-9;                      // times G_ii
constexpr double kFirstBarrier = 1e-2, kLastBarrier = 1e-7;  // times 1/2 y'y of the subproblem
constexpr int kRoundsPerBarrier = 3;
constexpr double kBarrierStep = 0.3;

class Relaxer {
 public:
  Relaxer(const Reduced& reduced, const RelaxationGoal& goal, Vector delta)
      : reduced_(reduced), goal_(goal), delta_(std::move(delta)), beta_(reduced.b) {
    price_ = goal.price.value_or(0);
    if (!goal.price) update_price(reduced.c.cwiseAbs2().cwiseQuotient(2 * reduced.G.diagonal()));
  }

  Relaxation run(int rounds, const Budget& budget) {
    const double scale = 0.5 * std::max(reduced_.loss_in, 1e-300);
    double barrier = kFirstBarrier * scale;
    for (int round = 0; round < rounds; ++round) {
      budget.check();
      Q_ = reduced_.G;
      Q_.diagonal() -= delta_;
      minimise();
      evaluate();
      if (closed()) break;
      if (round % kRoundsPerBarrier == kRoundsPerBarrier - 1)
        barrier = std::max(kLastBarrier * scale, barrier * kBarrierStep);
      if (!improve_delta(barrier)) break;
    }
    return std::move(best_);
  }

 private:
  Index f() const { return beta_.size(); }

  // The reverse Huber penalty that the best z leaves: linear up to the knee, then quadratic.
  double knee(Index i) const { return std::sqrt(2 * price_ / delta_[i]); }

  // Coordinate descent from the last beta.
  void minimise() {
    Vector w = reduced_.c - Q_ * beta_;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      double largest = 0;
      for (Index i = 0; i < f(); ++i) {
        const double q = Q_(i, i), d = delta_[i];
        const double pull = w[i] + q * beta_[i];
        double next = pull / (q + d);
        if (std::abs(next) < knee(i)) {
          const double rest = std::abs(pull) - std::sqrt(2 * price_ * d);
          next = rest <= 0 ? 0.0 : std::copysign(std::min(rest / q, knee(i)), pull);
        }
        const double change = next - beta_[i];
        if (change == 0) continue;
        w -= change * Q_.col(i);
        beta_[i] = next;
        largest = std::max(largest, change * change * (q + d));
      }
      if (largest < kSweepTolerance * kSweepTolerance * reduced_.loss_in) break;
    }
  }

  void evaluate() {
    Relaxation at;
    const Vector Qb = Q_ * beta_;
    const Vector w = reduced_.c - Qb;
    at.base = 0.5 * reduced_.loss_in - 0.5 * beta_.dot(Qb);
    at.value = w.cwiseAbs2().cwiseQuotient(2 * delta_);
    at.delta = delta_;
    if (!goal_.price) update_price(at.value);
    const double bound = merit(at);
    if (best_.delta.size() == 0 || bound > best_bound_) {
      best_bound_ = bound;
      best_ = std::move(at);
    }
  }

  // What is to be raised: the bound on 1/2 loss + price * size, or on 1/2 loss at the size that
  // matters.
  double merit(const Relaxation& at) const {
    if (goal_.price) return at.base - (at.value.array() - price_).max(0.0).sum();
    return 0.5 * at.lower()[static_cast<std::size_t>(goal_.keep)];
  }

  bool closed() const {
    const std::vector<double> lower = best_.lower();
    for (std::size_t t = 0; t < lower.size(); ++t) {
      if (lower[t] < goal_.thresholds[t]) return false;
    }
    return true;
  }

  // Between the values of the last column that is kept and of the first that is not.
  void update_price(Vector value) {
    std::sort(value.begin(), value.end(), std::greater<>());
    const Index t = std::clamp<Index>(goal_.keep, 1, f() - 1);
    const double between = f() == 1 ? 0.5 * value[0] : 0.5 * (value[t - 1] + value[t]);
    price_ = price_ > 0 ? std::sqrt(price_ * std::max(between, 1e-300)) : between;
  }

  // One step of Newton's method with the diagonal of the Hessian, on the bound plus barriers that
  // keep Q and Delta positive. The bound rises with Delta_i by beta_i^2 (1/z_i - 1) / 2.
  bool improve_delta(double barrier) {
    const Eigen::LLT<Matrix> factor(Q_);
    if (factor.info() != Eigen::Success) return false;
    Matrix inverse_L = Matrix::Identity(f(), f());
    factor.matrixL().solveInPlace(inverse_L);
    const Vector inverse = inverse_L.colwise().squaredNorm();  // the diagonal of inv(Q)
    Vector step(f());
    for (Index i = 0; i < f(); ++i) {
      const double size = std::abs(beta_[i]), z = std::min(1.0, size / knee(i));
      // beta^2 / z = beta * knee below the knee: no division by a z near 0.
      const double slope = z < 1 ? 0.5 * size * (knee(i) - size) : 0.0;
      const double gradient = slope - barrier * inverse[i] + barrier / delta_[i];
      const double curvature =
          barrier * inverse[i] * inverse[i] + barrier / (delta_[i] * delta_[i]);
      step[i] = std::clamp(gradient / curvature, -0.5 * delta_[i], 0.9 / inverse[i]);
    }
    for (double length = 1; length > 1e-3; length *= 0.5) {
      Vector next = delta_ + length * step;
      next = next.cwiseMax(kSmallestDelta * reduced_.G.diagonal());
      Matrix Q = reduced_.G;
      Q.diagonal() -= next;
      const Eigen::LLT<Matrix> trial(Q);
      // Well inside, so that rounding can't have made it look positive.
      if (trial.info() == Eigen::Success && (trial.matrixLLT().diagonal().array().square() >
                                             kSmallestDelta * reduced_.G.diagonal().array())
                                                .all()) {
        delta_ = delta_ + 0.7 * (next - delta_);
        return true;
      }
    }
    return false;
  }

  const Reduced& reduced_;
  const RelaxationGoal& goal_;
  double price_ = 0;
  Vector delta_, beta_;
  Matrix Q_;
  Relaxation best_;
  double best_bound_ = 0;
};

}  // namespace

std::vector<double> Relaxation::lower() const {
  Vector sorted = value;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  std::vector<double> bounds(static_cast<std::size_t>(sorted.size()) + 1);
  double half = base;
  for (std::size_t t = 0; t < bounds.size(); ++t) {
    bounds[t] = 2 * half;
    if (t + 1 < bounds.size()) half -= sorted[static_cast<Index>(t)];
  }
  return bounds;
}

Relaxation relax(const Reduced& reduced, const RelaxationGoal& goal, int rounds,
                 const Budget& budget) {
  // 1 / sum_j |H_ij|: then inv(Delta) - H is diagonally dominant, so that G - Delta >= 0.
  Vector start = 0.9 * reduced.H.cwiseAbs().rowwise().sum().cwiseInverse();
  if (reduced.delta.minCoeff() > 0) start = reduced.delta;
  return Relaxer(reduced, goal, start).run(rounds, budget);
}

}  // namespace lass0
