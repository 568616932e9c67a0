#include "glm/newton.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Steps of a fit that exists. A fit that does not goes on for ever: eta grows by about 1 a step.
constexpr int kMostSteps = 60;
constexpr int kMostHalvings = 40;
// The last step lowers F by its decrement d, and leaves less than about d^2 / F to gain: steps end
// where that is below rounding.
constexpr double kSettledDecrement = 1e-8;
// A direction separates the classes where no row is on its wrong side by more than this of the
// largest; looked for once fits have gone on for so many steps and predictions are this sure.
constexpr double kSeparates = 1e-6;
constexpr int kStepsBeforeSeparation = 8;
constexpr double kSureOfARow = 10;

class Fitter {
 public:
  Fitter(Panel& panel, const std::vector<Index>& support)
      : rows_(panel.rows()),
        response_(rows_.response()),
        n_(rows_.rows()),
        first_(rows_.problem().intercept ? 1 : 0) {
    panel.add(support);
    const std::vector<Index>& included = rows_.included();
    d_ = first_ + std::ssize(included) + std::ssize(support);
    A_.resize(n_, d_);
    ridge_ = Vector::Zero(d_);
    if (first_ > 0) A_.col(0).setOnes();
    Index c = first_;
    for (const auto* list : {&included, &support}) {
      for (const Index j : *list) {
        A_.col(c) = Eigen::Map<const Vector>(panel.column(j), n_);
        ridge_[c++] = rows_.ridge();
      }
    }
  }

  GlmFit run(const GlmStart* start) {
    b_ = Vector::Zero(d_);
    if (start) {
      if (first_ > 0) b_[0] = start->intercept;
      b_.tail(d_ - first_) = start->b;
    } else if (first_ > 0) {
      b_[0] = rows_.loss().null_intercept(response_);
    }
    look(b_, 0, Vector());
    GlmFit fit;
    fit.state = descend();
    fit.intercept = first_ > 0 ? b_[0] : 0;
    fit.b = b_.tail(d_ - first_);
    fit.eta = std::move(eta_);
    fit.loss = 2 * value_;
    return fit;
  }

 private:
  // eta and F at b + t * step.
  void look(const Vector& b, double t, const Vector& step) {
    eta_ = rows_.offset();
    const Vector at = t == 0 ? b : Vector(b + t * step);
    if (d_ > 0) blas::add_times(n_, d_, 1.0, A_.data(), n_, at.data(), eta_.data());
    value_ = rows_.loss().value(response_, eta_) + 0.5 * ridge_.dot(at.cwiseAbs2());
  }

  GlmFit::State descend() {
    for (int steps = 0; d_ > 0; ++steps) {
      const Vector u = rows_.loss().residual(response_, eta_);
      const Vector gradient = A_.transpose() * u - ridge_.cwiseProduct(b_);
      if (!factor(steps)) return steps > 0 ? GlmFit::State::separated : GlmFit::State::dependent;
      const Vector step = factor_.solve(gradient);
      const double decrement = gradient.dot(step);
      if (!(decrement > 0) || !std::isfinite(decrement)) break;
      if (separates(steps, step)) return GlmFit::State::separated;
      if (!search(step, decrement)) break;
      if (decrement <= kSettledDecrement * std::max(value_, kSettledDecrement)) break;
      if (steps == kMostSteps) return GlmFit::State::separated;
    }
    return GlmFit::State::fitted;
  }

  // Of A'MA and the ridge. False: the columns are dependent, or the curvature of what is not has
  // gone with the rows that are predicted without a doubt.
  bool factor(int steps) {
    const auto curvature = rows_.loss().curvature(response_, eta_);
    H_ = ridge_.asDiagonal();
    if (const Vector* M = curvature->diagonal()) {
      const Vector root = M->cwiseSqrt();
      scaled_.noalias() = root.asDiagonal() * A_;
      blas::add_lower_square(d_, n_, scaled_.data(), n_, H_.data(), d_);
    } else {
      Matrix MA(n_, d_);
      for (Index c = 0; c < d_; ++c) MA.col(c) = curvature->times(A_.col(c));
      H_ += A_.transpose() * MA;
    }
    const Vector diagonal = H_.diagonal();
    factor_.compute(H_);
    if (factor_.info() != Eigen::Success) return false;
    const auto& L = factor_.matrixLLT();
    for (Index c = 0; c < d_; ++c) {
      const double left = L(c, c) * L(c, c);
      if (!(left > (steps == 0 ? kAliasTolerance : kNothingLeft) * diagonal[c])) return false;
    }
    return true;
  }

  // Shorter steps until F falls. False: it does not, so this is the lowest that rounding shows.
  bool search(const Vector& step, double decrement) {
    const double before = value_;
    const Vector eta = eta_;
    double t = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, t /= 2) {
      look(b_, t, step);
      if (std::isfinite(value_) && value_ <= before - 1e-4 * t * decrement) break;
      // Rounding hides what is left to gain.
      if (decrement <= kLastDigits * static_cast<double>(n_) * std::abs(before) &&
          value_ <= before * (1 + kLastDigits))
        break;
      if (halvings == kMostHalvings - 1) {
        eta_ = eta;
        value_ = before;
        return false;
      }
    }
    b_ += t * step;
    return true;
  }

  // No row's prediction gets worse along the step: then F falls along it for ever.
  bool separates(int steps, const Vector& step) const {
    if (steps < kStepsBeforeSeparation || eta_.cwiseAbs().maxCoeff() < kSureOfARow) return false;
    if ((ridge_.array() > 0).any()) return false;
    const Vector change = A_ * step;
    const double largest = change.cwiseAbs().maxCoeff();
    for (Index i = 0; i < n_; ++i) {
      const double moved = std::abs(change[i]) <= kSeparates * largest ? 0 : change[i];
      if (!rows_.loss().never_rises(response_.y[static_cast<std::size_t>(i)], moved)) return false;
    }
    return true;
  }

  const GlmRows& rows_;
  const Response response_;
  const Index n_, first_;
  Index d_ = 0;
  Matrix A_, scaled_, H_;
  Eigen::LLT<Matrix> factor_;
  Vector ridge_, b_, eta_;
  double value_ = 0;
};

}  // namespace

GlmFit Newton::fit(std::vector<Index> support, const GlmStart* start) const {
  GlmFit fit = Fitter(panel_, support).run(start);
  fit.support = std::move(support);
  return fit;
}

Iterate Newton::model(const GlmFit& fit) const {
  const std::vector<Index>& included = panel_.rows().included();
  std::vector<std::pair<Index, double>> all;
  Index c = 0;
  for (const auto* list : {&included, &fit.support}) {
    for (const Index j : *list) all.emplace_back(j, fit.b[c++]);
  }
  std::sort(all.begin(), all.end());
  std::vector<Index> columns;
  Vector b(c);
  for (Index l = 0; l < c; ++l) {
    columns.push_back(all[static_cast<std::size_t>(l)].first);
    b[l] = all[static_cast<std::size_t>(l)].second;
  }
  return panel_.rows().model(fit.intercept, columns, b);
}

}  // namespace lass0
