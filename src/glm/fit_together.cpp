#include "glm/fit_together.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "glm/secant_curvature.hpp"
#include "util/blas.hpp"
#include "util/target_clones.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Supports that are fitted together: more share each look at the rows, but have fewer columns in
// common.
constexpr std::size_t kTogether = 16;
// Rows that are looked at together: their part of the columns stays in the cache.
constexpr Index kBlockOfRows = 256;
// A step that leaves more than this of the decrement asks for new second derivatives.
constexpr double kFastEnough = 0.25;
// Computed for all fits at one of them; what then still is slow has predictions of its own.
constexpr int kMostRenewals = 2, kMostSteps = 40;
// Predictions from here on are nearly certain: curvatures change fast, and separation is near.
constexpr double kSureOfARow = 10;
// Rows with such predictions hardly bend F any more.
constexpr double kCertain = 5;

struct Sureness {
  double largest;  // |eta|
  double certain;  // the weight of the rows where it is large
};

LASS0_TARGET_CLONES
Sureness sureness_of(Index n, const double* eta, const double* w) {
  double most = 0, certain = 0;
#pragma omp simd reduction(max : most) reduction(+ : certain)
  for (Index i = 0; i < n; ++i) {
    const double size = std::abs(eta[i]);
    most = std::max(most, size);
    certain += size >= kCertain ? w[i] : 0;
  }
  return {most, certain};
}

// Of each size, among fits that compete.
class LowestLosses {
 public:
  double of(Index size) const {
    const auto at = losses_.find(size);
    return at == losses_.end() ? std::numeric_limits<double>::infinity() : at->second;
  }
  void offer(Index size, double loss) { losses_[size] = std::min(of(size), loss); }

 private:
  std::map<Index, double> losses_;
};

class Group {
 public:
  Group(Panel& panel, std::span<WantedFit> wanted, double settled)
      : panel_(panel),
        rows_(panel.rows()),
        response_(rows_.response()),
        n_(rows_.rows()),
        first_(rows_.problem().intercept ? 1 : 0),
        settled_(settled),
        has_offset_((rows_.offset().array() != 0).any()) {
    choose_columns(wanted);
    fits_.resize(wanted.size());
    for (std::size_t s = 0; s < wanted.size(); ++s) begin(wanted[s], fits_[s]);
  }

  // The most promising fits first: they may show that others of their size need not be
  // finished.
  std::vector<GlmFit> run(LowestLosses* lowest) {
    if (lowest) {
      for (One& one : fits_) one.limit = std::min(one.limit, lowest->of(std::ssize(one.support)));
    }
    descend();
    std::vector<std::size_t> order(fits_.size());
    std::iota(order.begin(), order.end(), 0);
    if (lowest)
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return fits_[a].value < fits_[b].value;
      });
    std::vector<GlmFit> found(fits_.size());
    for (const std::size_t s : order) {
      One& one = fits_[s];
      if (lowest && one.state == State::perhaps_separated &&
          is_worse(one, lowest->of(std::ssize(one.support))))
        one.state = State::beaten;
      found[s] = finished(one);
      if (lowest && found[s].fitted()) lowest->offer(std::ssize(found[s].support), found[s].loss);
    }
    return found;
  }

 private:
  enum class State {
    needs_curvature,
    stepping,
    settled,
    perhaps_separated,  // settled, unless the fit has no end: Newton's method tells
    beaten,
    left_to_newton
  };
  struct One {
    State state = State::stepping;
    std::vector<Index> support;
    std::vector<Index> places;  // of its coefficients among those of the group
    Vector b, gradient, step;
    Matrix H;
    SecantCurvature curvature;                    // from H
    double value = 0, decrement = 0, before = 0;  // before: the last decrement with this H, 0: none
    double largest = 0;                           // |eta|
    double certain = 0;                           // the weight of the rows where it is large
    double limit = 0;
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
    one.limit = wanted.limit;
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
    if (!one.curvature.factor(one.H)) leave(one);
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
      one->step = one->curvature.times_inverse(one->gradient);
      one->decrement = one->gradient.dot(one->step);
      if (!std::isfinite(one->decrement)) {
        leave(*one);
      } else if (is_worse(*one, one->limit)) {
        one->state = State::beaten;
      } else if (!(one->decrement > settled_ * one->value)) {
        settle(*one);
      } else if (one->before > 0) {
        const double left = one->decrement / one->before;
        if (left > kFastEnough && one->largest >= kSureOfARow) {
          leave(*one);
        } else if (left > kFastEnough) {
          one->state = State::needs_curvature;
        } else if (4 * left * one->decrement <= settled_ * one->value) {
          // What the step leaves is nothing that a look could show.
          one->b += one->step;
          one->value -= 0.5 * one->decrement;
          settle(*one);
        }
      }
    }
  }

  void settle(One& one) {
    one.state = may_be_separated(one) ? State::perhaps_separated : State::settled;
  }

  // Rows are predicted with near certainty that have most of what some column varies.
  bool may_be_separated(const One& one) const {
    if (rows_.ridge() > 0 || !may_hide_separation(one.largest, false, settled_, one.value))
      return false;
    if (may_hide_separation(one.largest, true, settled_, one.value)) return true;
    return std::any_of(one.support.begin(), one.support.end(), [&](Index j) {
      return 2 * one.certain * panel_.largest(j) * panel_.largest(j) >= rows_.square(j);
    });
  }

  // About half of the decrement is left to gain; four times that is to be on the safe side.
  static bool is_worse(const One& one, double limit) {
    return 2 * one.value - 4 * one.decrement > limit;
  }

  // The coefficients of some fits, at b or after the step, one fit per column.
  Matrix coefficients(const std::vector<One*>& some, bool after_step) const {
    Matrix B = Matrix::Zero(d_, std::ssize(some));
    for (Index s = 0; s < B.cols(); ++s) {
      const One& one = *some[static_cast<std::size_t>(s)];
      B(one.places, s) = after_step ? Vector(one.b + one.step) : one.b;
    }
    return B;
  }

  // Calls use(begin, eta), eta: the predictions of a block of rows, one fit per column.
  template <class Use>
  void predict(const Matrix& B, const Use& use) {
    eta_.resize(A_.rows(), B.cols());
    for (Index begin = 0; begin < n_; begin += kBlockOfRows) {
      const Index rows = std::min(kBlockOfRows, n_ - begin);
      load(begin, rows);
      if (d_ > 0)
        blas::product(rows, B.cols(), d_, A_.data(), A_.rows(), B.data(), d_, eta_.data(),
                      eta_.rows());
      else
        eta_.setZero();
      auto eta = eta_.topRows(rows);
      if (has_offset_) eta.colwise() += rows_.offset().segment(begin, rows);
      use(begin, eta);
    }
  }

  // One pass over the rows: values and gradients at b, or after the step, which is taken where the
  // value falls.
  void look(const std::vector<One*>& some, bool after_step) {
    const Index count = std::ssize(some);
    if (count == 0) return;
    const Matrix B = coefficients(some, after_step);
    Matrix G = Matrix::Zero(d_, count), U(A_.rows(), count);
    Vector values = Vector::Zero(count), largest = Vector::Zero(count), M(A_.rows());
    Vector certain = Vector::Zero(count);
    predict(B, [&](Index begin, auto eta) {
      const Index rows = eta.rows();
      for (Index s = 0; s < count; ++s) {
        values[s] += rows_.loss().evaluate(response_.rows(begin, rows), eta.col(s),
                                           U.col(s).head(rows), M.head(rows));
        const Sureness block =
            sureness_of(rows, eta.col(s).data(), rows_.case_weights().data() + begin);
        largest[s] = std::max(largest[s], block.largest);
        certain[s] += block.certain;
      }
      if (d_ > 0)
        blas::add_transposed_times(d_, count, rows, A_.data(), A_.rows(), U.data(), U.rows(),
                                   G.data(), d_);
    });
    for (Index s = 0; s < count; ++s)
      if (take(*some[static_cast<std::size_t>(s)], B.col(s), values[s], G.col(s), after_step)) {
        some[static_cast<std::size_t>(s)]->largest = largest[s];
        some[static_cast<std::size_t>(s)]->certain = certain[s];
      }
  }

  // What was seen at these coefficients, of all columns of the group. False: the value does not
  // fall.
  bool take(One& one, const ConstVec& B, double value, const ConstVec& G, bool after_step) {
    const Vector b = B(one.places);
    const Index effects = b.size() - first_;
    value += 0.5 * rows_.ridge() * b.tail(effects).squaredNorm();
    if (after_step && !falls(one, value)) {
      one.state = one.before > 0 ? State::needs_curvature : State::left_to_newton;
      return false;
    }
    Vector gradient = G(one.places);
    gradient.tail(effects) -= rows_.ridge() * b.tail(effects);
    if (after_step) {
      one.before = one.decrement;
      one.curvature.learn(std::move(one.step), one.gradient - gradient);
    }
    one.b = b;
    one.value = value;
    one.gradient = std::move(gradient);
    return true;
  }

  bool falls(const One& one, double value) const {
    const bool hidden = one.decrement <= kLastDigits * static_cast<double>(n_) * one.value &&
                        value <= one.value * (1 + kLastDigits);  // by rounding
    return std::isfinite(value) && (hidden || value <= one.value - 1e-4 * one.decrement);
  }

  // The second derivatives at the middle one of some fits, for all of them.
  void renew(const std::vector<One*>& some) {
    const Matrix C = second_derivatives(*some[some.size() / 2]);
    for (One* one : some) {
      one->H = C(one->places, one->places);
      for (Index l = first_; l < one->H.rows(); ++l) one->H(l, l) += rows_.ridge();
      factor(*one);
    }
  }

  Matrix second_derivatives(One& at) {
    Matrix C = Matrix::Zero(d_, d_);
    Vector u(A_.rows()), M(A_.rows());
    predict(coefficients({&at}, false), [&](Index begin, auto eta) {
      const Index rows = eta.rows();
      rows_.loss().evaluate(response_.rows(begin, rows), eta.col(0), u.head(rows), M.head(rows));
      for (Index c = 0; c < d_; ++c) A_.col(c).head(rows).array() *= M.head(rows).array().sqrt();
      blas::add_lower_square(d_, rows, A_.data(), A_.rows(), C.data(), d_);
    });
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
    if (one.state == State::settled || one.state == State::beaten) {
      if (one.state == State::beaten) fit.state = GlmFit::State::beaten;
      fit.support = std::move(one.support);
      fit.intercept = first_ > 0 ? one.b[0] : 0;
      fit.b = one.b.tail(effects);
      fit.H = std::move(one.H);
      fit.loss = 2 * one.value;
      return fit;
    }
    GlmStart start{first_ > 0 ? one.b[0] : 0, one.b.tail(effects), std::move(one.H)};
    if (one.state == State::perhaps_separated) start.H.resize(0, 0);  // its own will tell
    const bool usable = one.b.allFinite();
    return Newton(panel_, settled_).fit(std::move(one.support), usable ? &start : nullptr);
  }

  Panel& panel_;
  const GlmRows& rows_;
  const Response response_;
  const Index n_, first_;
  const double settled_;
  const bool has_offset_;
  std::vector<Index> support_columns_;  // of all supports, ascending
  std::vector<const double*> columns_;  // included ones first
  Index d_ = 0;                         // coefficients of the group
  Matrix A_;                            // a block of rows, with the intercept's column
  Matrix eta_;                          // and their predictions
  std::vector<One> fits_;
};

}  // namespace

std::vector<GlmFit> fit_together(Panel& panel, std::vector<WantedFit> wanted, double settled,
                                 const Budget& budget, FitsToKeep keep) {
  std::vector<GlmFit> fits;
  LowestLosses lowest;
  const std::span<WantedFit> all(wanted);
  for (std::size_t begin = 0; begin < all.size(); begin += kTogether) {
    budget.check();
    for (GlmFit& fit :
         Group(panel, all.subspan(begin, std::min(kTogether, all.size() - begin)), settled)
             .run(keep == FitsToKeep::all ? nullptr : &lowest))
      fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace lass0
