#include "glm/glm_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "glm/glm_lasso_gap.hpp"
#include "glm/local_quadratic.hpp"
#include "glm/newton.hpp"
#include "glm/separation.hpp"
#include "l1/lambdas.hpp"
#include "l1/restricted_lasso.hpp"
#include "l1/soft_threshold.hpp"
#include "moments/independent.hpp"
#include "util/blas.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kWidestStrongRule = 0.7;  // of lambda: columns below it wait for the check of all
constexpr Index kSmallestGrowth = 100;     // columns that may enter at once
constexpr int kMostSteps = 200;            // at one lambda, between two checks of all columns
constexpr int kMostHalvings = 40;
// Steps with the curvature of an earlier fit, as long as each leaves at most this of the violation.
constexpr double kSlow = 0.25;
// Of lambda: a violation of the conditions that counts, in units of the tolerance of the gap; at
// least, and at most.
constexpr double kAccuracyPerGap = 10, kLeastAccuracy = 1e-9, kMostAccuracy = 1e-2;
constexpr double kLastAccuracy = 1e-13;

class GlmPathSolver {
 public:
  GlmPathSolver(const GlmRows& rows, const Budget& budget)
      : rows_(rows),
        budget_(budget),
        response_(rows.response()),
        first_(rows.problem().intercept ? 1 : 0),
        free_(first_ + std::ssize(rows.included())),
        panel_(rows),
        null_(null_fit()),
        quadratic_(panel_, null_.loss) {
    restart();
    check_all();
    for (Index j = 0; j < rows.cols(); ++j) {
      if (rows.eligible(j)) lambda_max_ = std::max(lambda_max_, std::abs(gap_.gradient[j]));
    }
    last_lambda_ = lambda_max_;
  }

  double lambda_max() const { return lambda_max_; }
  Index size() const { return (b_.tail(b_.size() - free_).array() != 0).count(); }

  LassoPoint solve(double lambda, double tolerance) {
    lambda_ = lambda;
    if (lambda_max_ == 0) {
      gap_.relative = 0;  // no column is a solution at every lambda
    } else if (lambda == 0) {
      solve_without_penalty();
    } else {
      solve_lasso(tolerance);
    }
    last_lambda_ = lambda;
    return point(tolerance);
  }

  // The model with no column, where nothing was solved.
  LassoPoint nothing() {
    restart();
    LassoPoint none = point(0);
    none.relative_gap = 1;
    none.converged = false;
    return none;
  }

 private:
  GlmFit null_fit() {
    const GlmFit fit = Newton(panel_).fit({});
    if (!fit.fitted()) throw_separated(rows_.problem(), rows_.included());
    return fit;
  }

  void restart() {
    b_ = Vector::Zero(first_ + panel_.size());
    if (first_ > 0) b_[0] = null_.intercept;
    b_.segment(first_, null_.b.size()) = null_.b;
    look(b_, null_.eta);
  }

  // ---- where we are ----

  double value(const Vector& b, const Vector& eta) const {
    return rows_.loss().value(response_, eta) +
           0.5 * rows_.ridge() * b.tail(b.size() - first_).squaredNorm();
  }
  double norm(const Vector& b) const { return b.tail(b.size() - free_).lpNorm<1>(); }

  void look(const Vector& b, Vector eta) {
    b_ = b;
    eta_ = std::move(eta);
    value_ = value(b_, eta_);
    u_ = rows_.loss().residual(response_, eta_);
  }

  // Minus that of the loss and the ridge term, by the intercept and the columns of the panel.
  Vector gradient() const {
    Vector g(b_.size());
    if (first_ > 0) g[0] = u_.sum();
    const Index n = rows_.rows(), m = panel_.size();
    Vector products(m);
    blas::transposed_times(m, 1, n, panel_.matrix().data(), n, u_.data(), n, products.data(), m);
    g.tail(m) = products - rows_.ridge() * b_.tail(m);
    return g;
  }

  // The largest of the conditions of optimality among the columns of the panel, as a fraction of
  // lambda.
  double violation(const Vector& g) const {
    double largest = g.head(free_).cwiseAbs().sum();
    for (Index l = free_; l < g.size(); ++l) {
      const double excess =
          b_[l] != 0 ? std::abs(g[l] - sign(b_[l]) * lambda_) : std::abs(g[l]) - lambda_;
      largest = std::max(largest, excess);
    }
    return largest / lambda_;
  }

  // ---- the Lasso at one lambda ----

  void solve_lasso(double tolerance) {
    enter(std::max(2 * lambda_ - last_lambda_, kWidestStrongRule * lambda_));
    double accuracy = std::clamp(kAccuracyPerGap * tolerance, kLeastAccuracy, kMostAccuracy);
    for (;;) {
      settle(accuracy);
      check_all();
      if (enter(lambda_ * (1 + accuracy))) continue;
      if (gap_.relative <= tolerance || accuracy < kLastAccuracy) return;
      accuracy /= 10;
    }
  }

  // The columns outside of the panel whose gradient is at least this, the largest first. False:
  // there is none.
  bool enter(double threshold) {
    std::vector<Index> columns;
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (rows_.eligible(j) && panel_.place(j) < 0 && std::abs(gap_.gradient[j]) >= threshold)
        columns.push_back(j);
    }
    if (columns.empty()) return false;
    const auto most = static_cast<std::size_t>(std::max(kSmallestGrowth, size()));
    if (columns.size() > most) {
      std::stable_sort(columns.begin(), columns.end(), [&](Index i, Index j) {
        return std::abs(gap_.gradient[i]) > std::abs(gap_.gradient[j]);
      });
      columns.resize(most);
      std::sort(columns.begin(), columns.end());
    }
    panel_.add(columns);
    const Index before = b_.size();
    b_.conservativeResize(first_ + panel_.size());
    b_.tail(b_.size() - before).setZero();
    if (has_model_) quadratic_.grow();
    return true;
  }

  // Steps among the columns of the panel until no condition is violated by more than `accuracy`.
  void settle(double accuracy) {
    double last = std::numeric_limits<double>::infinity();
    for (int steps = 0; steps < kMostSteps; ++steps) {
      budget_.check();
      const Vector g = gradient();
      const double now = violation(g);
      if (now <= accuracy) return;
      if (!has_model_ || now > kSlow * last) renew();
      last = now;
      if (step(g, now)) continue;
      if (fresh_) return;  // rounding hides what is left
      renew();
      if (!step(g, now)) return;
    }
  }

  void renew() {
    quadratic_.renew(eta_);
    factor_.clear();
    has_model_ = fresh_ = true;
  }

  // To the solution of the second-order model, or as far as F falls. False: it does not.
  bool step(const Vector& g, double violation) {
    quadratic_.move_to(b_, g);
    const Index m = b_.size() - free_;
    std::vector<Index> everyone(static_cast<std::size_t>(m));
    for (Index l = 0; l < m; ++l) everyone[static_cast<std::size_t>(l)] = l;
    RestrictedLasso lasso(quadratic_, std::move(everyone), quadratic_.penalised(b_),
                          quadratic_.residual_products(), factor_, budget_);
    lasso.solve(Vector::Constant(m, lambda_), std::clamp(0.01 * violation, kLastKktAccuracy, 1e-3));
    const Vector target = quadratic_.all_coefficients(lasso.b());
    const Vector direction = target - b_;
    const double promised = promise(g, target, direction);
    if (!(promised > 0) || !std::isfinite(promised)) return false;
    return search(target, direction, promised);
  }

  // What F would fall by, to first order; by coefficient, because near the solution the sums of the
  // two parts are nearly the same.
  double promise(const Vector& g, const Vector& target, const Vector& direction) const {
    double sum = g.head(free_).dot(direction.head(free_));
    for (Index l = free_; l < g.size(); ++l) {
      sum += b_[l] * target[l] > 0
                 ? (g[l] - sign(b_[l]) * lambda_) * direction[l]
                 : g[l] * direction[l] - lambda_ * (std::abs(target[l]) - std::abs(b_[l]));
    }
    return sum;
  }

  // Shorter steps until the objective falls.
  bool search(const Vector& target, const Vector& direction, double promised) {
    const Index n = rows_.rows(), m = panel_.size();
    Vector change = Vector::Constant(n, first_ > 0 ? direction[0] : 0.0);
    blas::add_times(n, m, 1.0, panel_.matrix().data(), n, direction.data() + first_, change.data());
    const double before = value_ + lambda_ * norm(b_);
    const bool rounding = promised <= kLastDigits * static_cast<double>(n) * before;
    double t = 1;
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, t /= 2) {
      const Vector b = t == 1 ? target : Vector(b_ + t * direction);
      Vector eta = eta_ + t * change;
      const double after = value(b, eta) + lambda_ * norm(b);
      if (!std::isfinite(after)) continue;
      if (after <= before - 1e-4 * t * promised ||
          (rounding && after <= before * (1 + kLastDigits))) {
        look(b, std::move(eta));
        fresh_ = false;
        return true;
      }
    }
    return false;
  }

  // ---- all columns ----

  void check_all() { gap_ = glm_lasso_gap(panel_, lambda_, b_, eta_, value_, 0.5 * null_.loss); }

  // Any solution without a penalty is one: that on the first independent columns.
  void solve_without_penalty() {
    std::vector<Index> all;
    for (Index j = 0; j < rows_.cols(); ++j) {
      if (rows_.eligible(j)) all.push_back(j);
    }
    const auto kept = independent_columns(rows_.base(), all, kAliasTolerance).kept;
    budget_.check();
    const GlmFit fit = Newton(panel_).fit(kept);
    if (!fit.fitted())
      throw Error("the Lasso has no finite solution at lambda 0: " +
                  separation_message(rows_.problem(), kept));
    Vector b = Vector::Zero(first_ + panel_.size());
    if (first_ > 0) b[0] = fit.intercept;
    Index c = 0;
    for (const auto* list : {&rows_.included(), &fit.support}) {
      for (const Index j : *list) b[first_ + panel_.place(j)] = fit.b[c++];
    }
    look(b, fit.eta);
    has_model_ = false;
    check_all();
  }

  LassoPoint point(double tolerance) const {
    std::vector<Index> columns;
    for (Index l = 0; l < panel_.size(); ++l) {
      if (first_ + l < free_ || b_[first_ + l] != 0)
        columns.push_back(panel_.columns()[static_cast<std::size_t>(l)]);
    }
    std::sort(columns.begin(), columns.end());
    Vector b(std::ssize(columns));
    for (Index l = 0; l < b.size(); ++l)
      b[l] = b_[first_ + panel_.place(columns[static_cast<std::size_t>(l)])];
    LassoPoint point;
    point.lambda = lambda_;
    point.at = rows_.model(first_ > 0 ? b_[0] : 0, columns, b);
    point.objective = value_ + lambda_ * norm(b_);
    point.relative_gap = gap_.relative;
    point.converged = gap_.relative <= tolerance;
    return point;
  }

  const GlmRows& rows_;
  const Budget& budget_;
  const Response response_;
  const Index first_, free_;  // 1 with an intercept; with the included columns
  Panel panel_;
  const GlmFit null_;
  LocalQuadratic quadratic_;
  ActiveCholesky factor_;
  bool has_model_ = false;
  bool fresh_ = false;  // the model is that of the present fit
  double lambda_max_ = 0, last_lambda_ = 0, lambda_ = 0;
  // The fit: coefficients of the intercept and of the panel's columns, and what follows from them.
  Vector b_, eta_, u_;
  double value_ = 0;  // without the L1 norm
  GlmLassoGap gap_;
};

}  // namespace

double glm_lasso_lambda_max(const GlmRows& rows) {
  const Budget budget{Control{}};
  return GlmPathSolver(rows, budget).lambda_max();
}

LassoPath glm_lasso_path(const GlmRows& rows, const LassoOptions& options) {
  check_options(options);
  const Budget budget(options.control);
  GlmPathSolver solver(rows, budget);
  return follow_path(
      solver.lambda_max(), options, budget,
      [&](double lambda) { return solver.solve(lambda, options.tolerance); },
      [&] { return solver.size(); });
}

LassoPoint glm_lasso(const GlmRows& rows, double lambda, const LassoOptions& options) {
  check_lambda(lambda);
  check_options(options);
  const Budget budget(options.control);
  GlmPathSolver solver(rows, budget);
  LassoPoint last;
  bool any = false;
  try {
    for (const double warm : steps_to(solver.lambda_max(), lambda)) {
      budget.check();
      last = solver.solve(warm, std::max(options.tolerance, kRoughLasso));
      any = true;
    }
    budget.check();
    return solver.solve(lambda, options.tolerance);
  } catch (const Stop&) {
    if (!any) last = solver.nothing();
    last.converged = false;
    return last;
  }
}

}  // namespace lass0
