#include "glm/newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "util/blas.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Steps of a fit that exists, each with its own curvature. A fit that does not goes on for ever:
// eta grows by about 1 a step.
constexpr int kMostSteps = 60;
constexpr int kMostHalvings = 40;
// Steps with an old curvature go on while each leaves at most this of the decrement, and begin
// where predictions moved by at most this since it was computed: curvatures change as fast.
constexpr double kFastEnough = 0.05, kLittleChange = 0.15;
// A direction separates the classes where no row is on its wrong side by more than this of the
// largest; looked for after this many steps of a fit, once predictions are this sure.
constexpr double kSeparates = 1e-6;
constexpr int kStepsBeforeSeparation = 8;
constexpr double kSureOfARow = 10;
// Without separation, a step leaves less than this of a small decrement; with it, more than a
// third by the curvature where it leads, and more than an eighth by that of where it began.
constexpr double kEnds = 0.05;
// Rows predicted like this may be on their way out.
constexpr double kCertain = 5;
constexpr double kNothingToGain = 1e-20;  // of F
// Rows that are looked at together: their part of the columns stays in the cache.
constexpr Index kBlockOfRows = 512;

class Fitter {
 public:
  Fitter(Panel& panel, const std::vector<Index>& support, double settled)
      : settled_(settled),
        rows_(panel.rows()),
        response_(rows_.response()),
        n_(rows_.rows()),
        first_(rows_.problem().intercept ? 1 : 0) {
    panel.add(support);
    for (const auto* list : {&rows_.included(), &support}) {
      for (const Index j : *list) columns_.push_back(panel.column(j));
    }
    d_ = first_ + std::ssize(columns_);
    ridge_ = Vector::Constant(d_, rows_.ridge());
    if (first_ > 0) ridge_[0] = 0;
    A_.resize(std::min(n_, kBlockOfRows), d_);
    u_.resize(A_.rows());
    M_.resize(A_.rows());
  }

  GlmFit run(const GlmStart* start) {
    b_ = Vector::Zero(d_);
    if (start) {
      if (first_ > 0) b_[0] = start->intercept;
      b_.tail(d_ - first_) = start->b;
    } else if (first_ > 0) {
      b_[0] = rows_.loss().null_intercept(response_);
    }
    GlmFit fit;
    fit.state = descend(start && start->H.size() > 0 ? &start->H : nullptr);
    fit.intercept = first_ > 0 ? b_[0] : 0;
    fit.b = b_.tail(d_ - first_);
    fit.eta = std::move(at_.eta);
    fit.H = std::move(H_);
    fit.loss = 2 * at_.value;
    return fit;
  }

 private:
  // F at some b, its gradient downhill, and its second derivatives if asked for.
  struct Point {
    double value = 0, curvature = 0, largest = 0;  // sum of M, largest |eta|
    Vector eta, gradient;
    Matrix H;  // empty: not asked for
  };
  enum class Want { value, gradient, curvature };

  void look(const Vector& b, Want want, Point& at) const {
    at.eta = rows_.offset();
    at.gradient = Vector::Zero(d_);
    at.H = want == Want::curvature ? Matrix(Matrix::Zero(d_, d_)) : Matrix();
    at.value = at.curvature = 0;
    for (Index begin = 0; begin < n_; begin += kBlockOfRows) {
      const Index count = std::min(kBlockOfRows, n_ - begin);
      load(begin, count);
      auto eta = at.eta.segment(begin, count);
      if (d_ > 0) blas::add_times(count, d_, 1.0, A_.data(), A_.rows(), b.data(), &at.eta[begin]);
      at.value +=
          rows_.loss().evaluate(response_.rows(begin, count), eta, u_.head(count), M_.head(count));
      if (want == Want::value) continue;
      at.curvature += M_.head(count).sum();
      at.gradient.noalias() += A_.topRows(count).transpose() * u_.head(count);
      if (want != Want::curvature) continue;
      M_.head(count) = M_.head(count).cwiseSqrt();
      for (Index c = 0; c < d_; ++c) A_.col(c).head(count).array() *= M_.head(count).array();
      blas::add_lower_square(d_, count, A_.data(), A_.rows(), at.H.data(), d_);
    }
    at.value += 0.5 * ridge_.dot(b.cwiseAbs2());
    at.gradient -= ridge_.cwiseProduct(b);
    at.largest = n_ > 0 ? at.eta.cwiseAbs().maxCoeff() : 0;
    if (want == Want::curvature) at.H.diagonal() += ridge_;
  }

  void load(Index begin, Index count) const {
    if (first_ > 0) A_.col(0).head(count).setOnes();
    for (Index c = first_; c < d_; ++c)
      std::copy_n(columns_[static_cast<std::size_t>(c - first_)] + begin, count, A_.col(c).data());
  }

  GlmFit::State descend(const Matrix* H) {
    bool fresh = H == nullptr;  // the curvature is that of this point
    bool was_fresh = false;     // it is that of the point before
    look(b_, fresh ? Want::curvature : Want::gradient, at_);
    if (d_ == 0) return GlmFit::State::fitted;
    if (!factor(fresh ? at_.H : *H, 0)) {
      if (fresh) return GlmFit::State::dependent;
      fresh = true;
      int none = 0;
      if (!renew(none)) return GlmFit::State::dependent;
    }
    double before = 0;  // the decrement of the step before, by the same curvature; 0: none
    double last = 0;    // by whichever curvature
    for (int steps = 0;;) {
      const Vector step = factor_->solve(at_.gradient);
      const double decrement = at_.gradient.dot(step);
      if (!(decrement > 0) || !std::isfinite(decrement)) break;
      const bool near_separation =
          at_.largest >= kSureOfARow ||
          (!has_ridge() && may_hide_separation(at_.largest, fresh, settled_, at_.value));
      if (decrement <= settled_ * at_.value &&
          (!near_separation || has_ridge() || decrement <= kNothingToGain * at_.value ||
           ((fresh || was_fresh) && last > 0 && decrement <= kEnds * last)))
        break;
      const bool slow = before > 0 && decrement > kFastEnough * before;
      // Where rows are predicted without a doubt, curvatures change fast.
      if (!fresh && (slow || near_separation)) {
        if (!renew(steps)) return GlmFit::State::separated;
        fresh = true;
        before = 0;
        continue;
      }
      if (fresh && separates(steps, step)) return GlmFit::State::separated;
      const bool old_will_do =
          decrement <= kLittleChange * kLittleChange * at_.curvature && !near_separation;
      // What a step leaves is a small part of the decrement: nothing that a look could show.
      const double left = fresh ? decrement / at_.curvature : before > 0 ? decrement / before : 1;
      const bool goes_well = at_.largest < kCertain || (last > 0 && decrement <= kEnds * last);
      const bool ends = old_will_do && goes_well && 4 * left * decrement <= settled_ * at_.value;
      // All that is left to see is whether the step ends it.
      const bool confirms = fresh && decrement <= settled_ * at_.value;
      const Want want = ends                      ? Want::value
                        : old_will_do || confirms ? Want::gradient
                                                  : Want::curvature;
      if (!search(step, decrement, want)) {
        if (fresh) break;
        if (!renew(steps)) return GlmFit::State::separated;
        fresh = true;
        before = 0;
        continue;
      }
      if (ends) break;
      last = decrement;
      if (want == Want::curvature) {
        if (!factor(at_.H, ++steps)) return GlmFit::State::separated;
        if (steps == kMostSteps) return GlmFit::State::separated;
        fresh = true;
        before = 0;
      } else {
        was_fresh = fresh;
        fresh = false;
        before = decrement;
      }
    }
    return GlmFit::State::fitted;
  }

  // The curvature of the point itself.
  bool renew(int& steps) {
    look(b_, Want::curvature, at_);
    return ++steps <= kMostSteps && factor(at_.H, steps - 1);
  }

  // False: the columns are dependent, or the curvature of what is not has gone with the rows that
  // are predicted without a doubt.
  bool factor(Matrix H, int steps) {
    H_ = std::move(H);
    factor_.emplace(H_);
    const double least = steps == 0 ? kAliasTolerance : kNothingLeft;
    return factor_->positive_definite() &&
           (factor_->pivots() > least * H_.diagonal().array()).all();
  }

  // Shorter steps until F falls. False: it does not, so this is the lowest that rounding shows.
  bool search(const Vector& step, double decrement, Want want) {
    double t = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, t /= 2) {
      const Vector b = b_ + t * step;
      look(b, want, next_);
      // Rounding hides what is left to gain.
      const bool hidden = decrement <= kLastDigits * static_cast<double>(n_) * at_.value &&
                          next_.value <= at_.value * (1 + kLastDigits);
      if (std::isfinite(next_.value) &&
          (hidden || next_.value <= at_.value - 1e-4 * t * decrement)) {
        b_ = b;
        std::swap(at_, next_);
        return true;
      }
    }
    return false;
  }

  bool has_ridge() const { return (ridge_.array() > 0).any(); }

  // No row's prediction gets worse along the step: then F falls along it for ever.
  bool separates(int steps, const Vector& step) const {
    if (steps < kStepsBeforeSeparation || at_.largest < kSureOfARow) return false;
    if (has_ridge()) return false;
    Vector change = Vector::Constant(n_, first_ > 0 ? step[0] : 0);
    for (Index c = first_; c < d_; ++c)
      change +=
          step[c] * Eigen::Map<const Vector>(columns_[static_cast<std::size_t>(c - first_)], n_);
    const double largest = change.cwiseAbs().maxCoeff();
    for (Index i = 0; i < n_; ++i) {
      const double moved = std::abs(change[i]) <= kSeparates * largest ? 0 : change[i];
      if (!rows_.loss().never_rises(response_.y[static_cast<std::size_t>(i)], moved)) return false;
    }
    return true;
  }

  const double settled_;  // of F: fits end where the decrement, twice what is left to gain, is less
  const GlmRows& rows_;
  const Response response_;
  const Index n_, first_;
  Index d_ = 0;
  std::vector<const double*> columns_;
  mutable Matrix A_;      // a block of rows of the columns, with the intercept's
  mutable Vector u_, M_;  // of the same rows
  Matrix H_;              // what is factored
  std::optional<Cholesky> factor_;
  Vector ridge_, b_;
  Point at_, next_;
};

}  // namespace

bool may_hide_separation(double largest, bool fresh, double settled, double value) {
  return (fresh ? std::exp(-largest) : 4 * std::exp(-2 * largest)) <= settled * value;
}

GlmFit Newton::fit(std::vector<Index> support, const GlmStart* start) const {
  GlmFit fit = Fitter(panel_, support, settled_).run(start);
  fit.support = std::move(support);
  return fit;
}

GlmStart Newton::start(const Iterate& near, const std::vector<Index>& support) const {
  const GlmRows& rows = panel_.rows();
  const std::vector<Index>& included = rows.included();
  GlmStart start{.intercept = near.intercept,
                 .b = Vector::Zero(std::ssize(included) + std::ssize(support))};
  for (std::size_t l = 0; l < near.support.size(); ++l)
    start.intercept += near.coefficients[static_cast<Index>(l)] * rows.mean(near.support[l]);
  Index c = 0;
  for (const auto* list : {&included, &support}) {
    for (const Index j : *list) {
      const auto at = std::lower_bound(near.support.begin(), near.support.end(), j);
      if (at != near.support.end() && *at == j && rows.unit(j) > 0)
        start.b[c] = near.coefficients[at - near.support.begin()] / rows.unit(j);
      ++c;
    }
  }
  return start;
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
