#include "glm/fit_together.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <span>

#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Supports that are fitted together: more share each look at the rows, but have fewer columns in
// common.
constexpr std::size_t kTogether = 16;
// Rows that are looked at together: their part of the columns stays in the cache.
constexpr Index kBlockOfRows = 256;
// A step that leaves more than this of the decrement asks for new second derivatives.
constexpr double kFastEnough = 0.15;
// Computed for all fits at one of them; what then still is slow has predictions of its own.
constexpr int kMostRenewals = 2, kMostSteps = 40;
// Predictions from here on are nearly certain: curvatures change fast, and separation is near.
constexpr double kSureOfARow = 10;

class Group {
 public:
  Group(Panel& panel, std::span<WantedFit> wanted, double settled)
      : panel_(panel),
        rows_(panel.rows()),
        response_(rows_.response()),
        n_(rows_.rows()),
        first_(rows_.problem().intercept ? 1 : 0),
        settled_(settled) {
    choose_columns(wanted);
    fits_.resize(wanted.size());
    for (std::size_t s = 0; s < wanted.size(); ++s) begin(wanted[s], fits_[s]);
  }

  std::vector<GlmFit> run() {
    descend();
    std::vector<GlmFit> found;
    for (One& one : fits_) found.push_back(finished(one));
    return found;
  }

 private:
  enum class State { needs_curvature, stepping, settled, left_to_newton };
  struct One {
    State state = State::stepping;
    std::vector<Index> support;
    std::vector<Index> places;  // of its coefficients among those of the group
    Vector b, gradient, step;
    Matrix H;
    Eigen::LLT<Matrix> factor;
    double value = 0, decrement = 0, before = 0;  // before: the last decrement with this H, 0: none
    double largest = 0;                           // |eta|
    Vector eta;
  };

  // ---- columns and starts ----

  void choose_columns(std::span<WantedFit> wanted) {
    std::vector<Index> all;
    for (const WantedFit& one : wanted)
      all.insert(all.end(), one.support.begin(), one.support.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    panel_.add(all);
    for (const auto* list : {&rows_.included(), &std::as_const(all)}) {
      for (const Index j : *list) columns_.push_back(panel_.column(j));
    }
    support_columns_ = std::move(all);
    d_ = first_ + std::ssize(columns_);
    A_.resize(std::min(n_, kBlockOfRows), d_);
  }

  void begin(WantedFit& wanted, One& one) {
    const Index fixed = first_ + std::ssize(rows_.included());
    for (Index c = 0; c < fixed; ++c) one.places.push_back(c);
    for (const Index j : wanted.support) {
      const auto at = std::lower_bound(support_columns_.begin(), support_columns_.end(), j);
      one.places.push_back(fixed + (at - support_columns_.begin()));
    }
    one.support = std::move(wanted.support);
    one.b.resize(std::ssize(one.places));
    if (first_ > 0) one.b[0] = wanted.start.intercept;
    one.b.tail(one.b.size() - first_) = wanted.start.b;
    one.H = std::move(wanted.start.H);
    if (!one.b.allFinite())
      leave(one);
    else if (one.H.size() == 0)
      one.state = State::needs_curvature;
    else
      factor(one);
  }

  // Newton's method for this one alone, from where it is.
  static void leave(One& one) { one.state = State::left_to_newton; }

  static void factor(One& one) {
    one.before = 0;
    one.state = State::stepping;
    one.factor.compute(one.H);
    if (one.factor.info() != Eigen::Success) return leave(one);
    const auto pivots = one.factor.matrixLLT().diagonal().cwiseAbs2();
    if (!(pivots.array() > kAliasTolerance * one.H.diagonal().array()).all()) leave(one);
  }

  // ---- steps ----

  std::vector<One*> in(State state) {
    std::vector<One*> some;
    for (One& one : fits_) {
      if (one.state == state) some.push_back(&one);
    }
    return some;
  }

  void descend() {
    std::vector<One*> all = in(State::stepping);
    const std::vector<One*> others = in(State::needs_curvature);
    all.insert(all.end(), others.begin(), others.end());
    look(all, false);
    int renewals = 0;
    for (int steps = 0; steps < kMostSteps; ++steps) {
      choose_steps();
      if (const auto slow = in(State::needs_curvature); !slow.empty()) {
        if (renewals++ < kMostRenewals)
          renew(slow);
        else
          std::for_each(slow.begin(), slow.end(), [](One* one) { leave(*one); });
        choose_steps();
      }
      const std::vector<One*> stepping = in(State::stepping);
      if (stepping.empty()) break;
      look(stepping, true);
    }
    for (One* one : in(State::stepping)) leave(*one);
  }

  void choose_steps() {
    for (One* one : in(State::stepping)) {
      one->step = one->factor.solve(one->gradient);
      one->decrement = one->gradient.dot(one->step);
      if (!std::isfinite(one->decrement) || one->largest >= kSureOfARow)
        leave(*one);
      else if (!(one->decrement > settled_ * one->value))
        one->state = State::settled;
      else if (one->before > 0 && one->decrement > kFastEnough * one->before)
        one->state = State::needs_curvature;
    }
  }

  // One pass over the rows: values and gradients at b, or after the step, which is taken where the
  // value falls.
  void look(const std::vector<One*>& some, bool after_step) {
    const Index count = std::ssize(some);
    if (count == 0) return;
    Matrix B = Matrix::Zero(d_, count), G = Matrix::Zero(d_, count);
    for (Index s = 0; s < count; ++s) {
      const One& one = *some[static_cast<std::size_t>(s)];
      B(one.places, s) = after_step ? Vector(one.b + one.step) : one.b;
    }
    Matrix eta(n_, count), U(A_.rows(), count);
    Vector values = Vector::Zero(count), M(A_.rows());
    for (Index begin = 0; begin < n_; begin += kBlockOfRows) {
      const Index rows = std::min(kBlockOfRows, n_ - begin);
      load(begin, rows);
      if (d_ > 0)
        blas::product(rows, count, d_, A_.data(), A_.rows(), B.data(), d_, &eta(begin, 0), n_);
      else
        eta.middleRows(begin, rows).setZero();
      for (Index s = 0; s < count; ++s) {
        auto predicted = eta.col(s).segment(begin, rows);
        predicted += rows_.offset().segment(begin, rows);
        values[s] += rows_.loss().evaluate(response_.rows(begin, rows), predicted,
                                           U.col(s).head(rows), M.head(rows));
      }
      if (d_ > 0)
        blas::add_transposed_times(d_, count, rows, A_.data(), A_.rows(), U.data(), U.rows(),
                                   G.data(), d_);
    }
    for (Index s = 0; s < count; ++s) {
      One& one = *some[static_cast<std::size_t>(s)];
      const Vector b = B(one.places, s);
      const double penalised = b.tail(b.size() - first_).squaredNorm();
      const double value = values[s] + 0.5 * rows_.ridge() * penalised;
      if (after_step && !falls(one, value)) {
        one.state = one.before > 0 ? State::needs_curvature : State::left_to_newton;
        continue;
      }
      if (after_step) one.before = one.decrement;
      one.b = b;
      one.value = value;
      one.gradient = G(one.places, s);
      one.gradient.tail(b.size() - first_) -= rows_.ridge() * b.tail(b.size() - first_);
      one.eta = eta.col(s);
      one.largest = n_ > 0 ? one.eta.cwiseAbs().maxCoeff() : 0;
    }
  }

  bool falls(const One& one, double value) const {
    const bool hidden = one.decrement <= kLastDigits * static_cast<double>(n_) * one.value &&
                        value <= one.value * (1 + kLastDigits);  // by rounding
    return std::isfinite(value) && (hidden || value <= one.value - 1e-4 * one.decrement);
  }

  // The second derivatives at the middle one of some fits, for all of them.
  void renew(const std::vector<One*>& some) {
    const Vector& eta = some[some.size() / 2]->eta;
    const Matrix C = second_derivatives(eta);
    for (One* one : some) {
      one->H = C(one->places, one->places);
      one->H.diagonal().tail(one->H.rows() - first_).array() += rows_.ridge();
      factor(*one);
    }
  }

  Matrix second_derivatives(const Vector& eta) {
    Matrix C = Matrix::Zero(d_, d_);
    Vector u(A_.rows()), M(A_.rows());
    for (Index begin = 0; begin < n_; begin += kBlockOfRows) {
      const Index rows = std::min(kBlockOfRows, n_ - begin);
      load(begin, rows);
      rows_.loss().evaluate(response_.rows(begin, rows), eta.segment(begin, rows), u.head(rows),
                            M.head(rows));
      for (Index c = 0; c < d_; ++c) A_.col(c).head(rows).array() *= M.head(rows).array().sqrt();
      blas::add_lower_square(d_, rows, A_.data(), A_.rows(), C.data(), d_);
    }
    C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
    return C;
  }

  void load(Index begin, Index rows) {
    if (first_ > 0) A_.col(0).head(rows).setOnes();
    for (Index c = first_; c < d_; ++c)
      std::copy_n(columns_[static_cast<std::size_t>(c - first_)] + begin, rows, A_.col(c).data());
  }

  // ---- the result ----

  GlmFit finished(One& one) {
    GlmFit fit;
    const Index effects = one.b.size() - first_;
    if (one.state == State::settled) {
      fit.support = std::move(one.support);
      fit.intercept = first_ > 0 ? one.b[0] : 0;
      fit.b = one.b.tail(effects);
      fit.eta = std::move(one.eta);
      fit.H = std::move(one.H);
      fit.loss = 2 * one.value;
      return fit;
    }
    GlmStart start{first_ > 0 ? one.b[0] : 0, one.b.tail(effects), std::move(one.H)};
    const bool usable = one.b.allFinite();
    return Newton(panel_, settled_).fit(std::move(one.support), usable ? &start : nullptr);
  }

  Panel& panel_;
  const GlmRows& rows_;
  const Response response_;
  const Index n_, first_;
  const double settled_;
  std::vector<Index> support_columns_;  // of all supports, ascending
  std::vector<const double*> columns_;  // included ones first
  Index d_ = 0;                         // coefficients of the group
  Matrix A_;                            // a block of rows, with the intercept's column
  std::vector<One> fits_;
};

}  // namespace

std::vector<GlmFit> fit_together(Panel& panel, std::vector<WantedFit> wanted, double settled,
                                 const Budget& budget) {
  std::vector<GlmFit> fits;
  const std::span<WantedFit> all(wanted);
  for (std::size_t begin = 0; begin < all.size(); begin += kTogether) {
    budget.check();
    for (GlmFit& fit :
         Group(panel, all.subspan(begin, std::min(kTogether, all.size() - begin)), settled).run())
      fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace lass0
