#include "l1/path.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/lasso.hpp>
#include <optional>

#include "l1/duality_gap.hpp"
#include "l1/lambdas.hpp"
#include "l1/look_ahead.hpp"
#include "l1/restricted_lasso.hpp"
#include "l1/row_descent.hpp"
#include "moments/access.hpp"
#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "moments/sparse_products.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kWidestStrongRule =
    0.7;                                // of a threshold: columns below it wait for the KKT check
constexpr Index kSmallestGrowth = 100;  // violators that may enter the working set at once
// How far solutions are looked for ahead, of a lambda. Columns are listed for them whose gradient
// is more than this times the last of these lambdas: those that enter later still, or would not,
// cost more than to list some of them when they turn out to be missing.
constexpr double kFarthest = 0.7, kNearAhead = 1.1;

// Up to this many columns, most of which a path brings in, are all listed at once.
constexpr Index kAllListed = 1024;

struct Gap {
  double primal = 0;
  double relative = 0;
};

// The Lasso at one lambda after another, from large to small, each from the solution before.
// Internal units throughout.
class PathSolver {
 public:
  PathSolver(const Moments& moments, const LassoOptions& options, const Budget& budget,
             Index few_columns = kFewColumns)
      : moments_(moments),
        quadratic_(moments),
        options_(options),
        budget_(budget),
        few_columns_(few_columns),
        b_(Vector::Zero(moments.cols())),
        g_(moments.xty()),
        lambda_max_(largest_useful()),
        last_lambda_(lambda_max_) {}

  double lambda_max() const { return lambda_max_; }

  // These lambdas will be asked for, one after the other: passes over X may serve several of them.
  void expect(std::vector<double> lambdas) {
    if (moments_.cols() <= few_columns_ || !ListedColumns::suit(moments_)) return;
    to_come_ = std::move(lambdas);
    ahead_.emplace(moments_, budget_);
    all_wanted_ = moments_.cols() <= kAllListed;
  }

  Index size() const { return (b_.array() != 0).count(); }  // of the last solution

  LassoPoint solve(double lambda) {
    if (std::exchange(all_wanted_, false)) list_all();
    if (lambda_max_ == 0) {
      // Nothing is left to explain: no column is a solution at every lambda, at 0 as well, where
      // all columns would be looked at for another.
      gap_ = {0.5 * moments_.yty(), 0};
    } else if (lambda == 0) {
      solve_least_squares();
    } else {
      solve_lasso(lambda);
    }
    last_lambda_ = lambda;
    return point(lambda);
  }

 private:
  double largest_useful() const {
    double largest = 0;
    if (!(moments_.yty() > 0)) return largest;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (moments_.eligible(j)) {
        largest = std::max(largest, std::abs(moments_.xty()[j]) / moments_.l1_weights()[j]);
      }
    }
    return largest;
  }

  double threshold(Index j, double lambda) const { return lambda * moments_.l1_weights()[j]; }

  std::vector<Index> support() const {
    std::vector<Index> columns;
    for (Index j = 0; j < b_.size(); ++j) {
      if (b_[j] != 0) columns.push_back(j);
    }
    return columns;
  }

  // The non-zero columns, and of the others those that the strong rule does not rule out (from one
  // lambda to the next a gradient rarely moves by more than their difference), the nearest to
  // entering first.
  std::vector<Index> strong_set(double lambda) const {
    const double cut = std::max(2 * lambda - last_lambda_, kWidestStrongRule * lambda);
    std::vector<Index> columns = support(), enter;
    for (Index j = 0; j < b_.size(); ++j) {
      if (b_[j] == 0 && moments_.eligible(j) && std::abs(g_[j]) >= threshold(j, cut))
        enter.push_back(j);
    }
    grow(columns, std::move(enter), lambda);
    return columns;
  }

  std::vector<Index> violators(double lambda) const {
    std::vector<Index> columns;
    for (Index j = 0; j < b_.size(); ++j) {
      if (b_[j] == 0 && moments_.eligible(j) &&
          std::abs(g_[j]) > threshold(j, lambda) * (1 + kKktAccuracy)) {
        columns.push_back(j);
      }
    }
    return columns;
  }

  void solve_lasso(double lambda) {
    if (moments_.cols() <= few_columns_) return solve_few(lambda);
    if (ahead_ && solve_ahead(lambda)) return;
    std::vector<Index> W = strong_set(lambda);
    double accuracy = kKktAccuracy;
    for (;;) {
      const bool by_rows = solve_on(W, lambda, accuracy);
      update_gradient();
      gap_ = duality_gap(lambda);
      if (by_rows && gap_.relative <= options_.tolerance) return;
      std::vector<Index> enter = violators(lambda);
      std::erase_if(enter, [&](Index j) { return std::binary_search(W.begin(), W.end(), j); });
      if (!enter.empty()) {
        grow(W, std::move(enter), lambda);
      } else if (gap_.relative <= options_.tolerance || accuracy < kLastKktAccuracy) {
        return;
      } else {
        accuracy /= 10;
      }
    }
  }

  // False: the list has no room for the columns that the solution needs.
  bool solve_ahead(double lambda) {
    double accuracy = kKktAccuracy;
    for (;;) {
      if (next_ == end_ahead_) {
        begin_ahead_ = next_;
        end_ahead_ = next_ + how_far();
        if (!list(near_entering(to_come_[end_ahead_ - 1]), lambda)) return false;
        ahead_->solve(std::span(to_come_).subspan(begin_ahead_, end_ahead_ - begin_ahead_),
                      moments_.l1_weights(), b_, g_, accuracy, factor_);
      }
      const auto here = static_cast<Index>(next_ - begin_ahead_);
      b_ = ahead_->b(here, moments_.cols());
      g_ = ahead_->g(here);
      gap_ = duality_gap(lambda);
      std::vector<Index> enter = violators(lambda);
      std::erase_if(enter, [&](Index j) { return ahead_->listed().has(j); });
      if (enter.empty()) {
        if (gap_.relative <= options_.tolerance || accuracy < kLastKktAccuracy) {
          ++next_;
          return true;
        }
        accuracy /= 10;
      }
      if (!list(std::move(enter), lambda)) return false;
      end_ahead_ = next_;  // those further on have to be solved again as well
    }
  }

  std::size_t how_far() const {
    std::size_t count = 1;
    while (count < kGramBatch && next_ + count < to_come_.size() &&
           to_come_[next_ + count] > kFarthest * to_come_[next_])
      ++count;
    return count;
  }

  // The columns that the strong rule does not rule out at a lambda ahead.
  std::vector<Index> near_entering(double lambda) const {
    const double cut = std::max(2 * lambda - last_lambda_, kNearAhead * lambda);
    std::vector<Index> columns;
    for (Index j = 0; j < b_.size(); ++j) {
      if (!ahead_->listed().has(j) && moments_.eligible(j) && std::abs(g_[j]) >= threshold(j, cut))
        columns.push_back(j);
    }
    return columns;
  }

  bool list(std::vector<Index> enter, double lambda) {
    std::vector<Index> columns;
    grow(columns, std::move(enter), lambda);
    if (!ahead_->listed().has_room(std::ssize(columns))) {
      ahead_.reset();
      return false;
    }
    ahead_->add(columns);
    return true;
  }

  // None can be missing then.
  void list_all() {
    const std::vector<Index> all = eligible();
    if (!ahead_->listed().has_room(std::ssize(all))) return;
    constexpr std::size_t kAtOnce = 128;  // between two looks at the clock
    for (std::size_t begin = 0; begin < all.size(); begin += kAtOnce) {
      budget_.check();
      ahead_->add(Columns(all).subspan(begin, std::min(kAtOnce, all.size() - begin)));
    }
  }

  // The worst violators first, so that a bad guess does not bring in thousands of columns.
  void grow(std::vector<Index>& W, std::vector<Index> enter, double lambda) const {
    const auto most = static_cast<std::size_t>(std::max(kSmallestGrowth, std::ssize(support())));
    if (enter.size() > most) {
      const auto excess = [&](Index j) { return std::abs(g_[j]) / threshold(j, lambda); };
      std::stable_sort(enter.begin(), enter.end(),
                       [&](Index i, Index j) { return excess(i) > excess(j); });
      enter.resize(most);
    }
    W.insert(W.end(), enter.begin(), enter.end());
    std::sort(W.begin(), W.end());
  }

  // So that loops over the non-zeros of one column after the other have as many steps for long,
  // which a processor foresees.
  std::vector<Index> by_nonzeros(std::vector<Index> W) const {
    const SparseProducts& sparse = *sparse_products(moments_);
    std::stable_sort(W.begin(), W.end(), [&](Index i, Index j) {
      return sparse.column(i).rows.size() < sparse.column(j).rows.size();
    });
    return W;
  }

  // True: the residual was kept over the rows, and the solution is right to the duality gap.
  bool solve_on(const std::vector<Index>& W, double lambda, double accuracy) {
    const Vector thresholds = lambda * moments_.l1_weights()(W);
    const bool many = std::ssize(W) > few_columns_ && lambda > 0;
    if (many && sparse_products(moments_) && moments_.included().empty()) {
      const std::vector<Index> sorted = by_nonzeros(W);
      RowDescent descent(moments_, sorted, lambda * moments_.l1_weights()(sorted), b_(sorted),
                         budget_);
      if (descent.solve(options_.tolerance * accuracy / kKktAccuracy)) {
        b_(sorted) = descent.b();
        return true;
      }
    }
    RestrictedLasso restricted(quadratic_, W, b_(W), g_(W), factor_, budget_);
    restricted.solve(thresholds, accuracy);
    b_(W) = restricted.b();
    return false;
  }

  // No column is left out, so none can violate its condition unseen.
  void solve_few(double lambda) {
    if (!everyone_) {
      const std::vector<Index> W = eligible();
      everyone_.emplace(quadratic_, W, b_(W), g_(W), factor_, budget_);
    }
    const std::vector<Index>& W = everyone_->columns();
    const Vector thresholds = lambda * moments_.l1_weights()(W);
    for (double accuracy = kKktAccuracy; accuracy >= kLastKktAccuracyOfFew; accuracy /= 10) {
      everyone_->solve(thresholds, accuracy);
      b_(W) = everyone_->b();
      g_(W) = everyone_->g();
      gap_ = duality_gap(lambda);
      if (gap_.relative <= options_.tolerance) return;
    }
  }

  std::vector<Index> eligible() const {
    std::vector<Index> columns;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (moments_.eligible(j)) columns.push_back(j);
    }
    return columns;
  }

  // lambda = 0: any least-squares solution is one; the one on the first independent columns.
  void solve_least_squares() {
    const std::vector<Index> all = eligible();
    fetch_within_budget(moments_, all, budget_);
    const auto kept = independent_columns(moments_, all, kAliasTolerance).kept;
    b_.setZero();
    update_gradient();
    solve_on(kept, 0, kKktAccuracy);
    update_gradient();
    gap_ = duality_gap(0);
  }

  void update_gradient() {
    const auto A = support();
    Vector b(std::ssize(A));
    for (Index i = 0; i < b.size(); ++i) b[i] = b_[A[static_cast<std::size_t>(i)]];
    fetch_within_budget(moments_, A, budget_);
    moments_.gram_times(A, b, g_);
    g_ = moments_.xty() - g_;
  }

  // At lambda = 0 the solution solves a linear system, and what is left of its gradient says how
  // well.
  Gap duality_gap(double lambda) const {
    const double yty = moments_.yty();
    const double fit = moments_.xty().dot(b_);
    const double rss = std::max(0.0, yty - fit - g_.dot(b_));
    double norm = 0, steepest = 0;
    for (Index j = 0; j < b_.size(); ++j) {
      if (!moments_.eligible(j)) continue;
      norm += threshold(j, lambda) * std::abs(b_[j]);
      const double gradient = certain_gradient(moments_, j, g_[j]);
      steepest = std::max(steepest, lambda > 0 ? gradient / threshold(j, lambda) : gradient);
    }
    Gap gap{0.5 * rss + norm, 0};
    gap.relative =
        lambda > 0 ? gap.primal - dual_value(yty - fit, rss, steepest) : steepest * steepest;
    gap.relative = yty > 0 ? std::max(0.0, gap.relative) / (0.5 * yty) : 0.0;
    return gap;
  }

  LassoPoint point(double lambda) const {
    LassoPoint point;
    const double e = moments_.target_scale();
    point.lambda = lambda * e;
    const std::vector<Index> chosen = support();
    Vector b(std::ssize(chosen));
    for (Index l = 0; l < b.size(); ++l) b[l] = b_[chosen[static_cast<std::size_t>(l)]];
    point.at = moments_.model(chosen, b);
    point.objective = gap_.primal * e * e;
    point.relative_gap = gap_.relative;
    point.converged = gap_.relative <= options_.tolerance;
    return point;
  }

  const Moments& moments_;
  const QuadraticOfMoments quadratic_;
  const LassoOptions& options_;
  const Budget& budget_;
  const Index few_columns_;
  Vector b_, g_;  // g = c - G b over all columns
  const double lambda_max_;
  double last_lambda_;  // whose solution b_ is
  Gap gap_;
  ActiveCholesky factor_;
  std::optional<RestrictedLasso> everyone_;      // where columns are few
  std::optional<LookAhead> ahead_;               // where passes over X are what takes long
  std::vector<double> to_come_;                  // all lambdas that were expected
  std::size_t next_ = 0;                         // of these
  bool all_wanted_ = false;                      // all columns are to be listed first
  std::size_t begin_ahead_ = 0, end_ahead_ = 0;  // those that ahead_ has solutions of
};

LassoPath path_of(const Moments& moments, const LassoOptions& options, Passes passes,
                  Index few_columns) {
  check_options(options);
  const Budget budget(options.control);
  PathSolver solver(moments, options, budget, few_columns);
  const double e = moments.target_scale();
  if (passes == Passes::few) {
    std::vector<double> lambdas = path_lambdas(solver.lambda_max() * e, options);
    for (double& lambda : lambdas) lambda /= e;
    solver.expect(std::move(lambdas));
  }
  return follow_path(
      solver.lambda_max() * e, options, budget,
      [&](double lambda) { return solver.solve(lambda / e); }, [&] { return solver.size(); });
}

}  // namespace

double lasso_lambda_max(const Moments& moments) {
  const LassoOptions options;
  const Budget budget(options.control);
  return PathSolver(moments, options, budget).lambda_max() * moments.target_scale();
}

LassoPath lasso_path(const Moments& moments, const LassoOptions& options) {
  return path_of(moments, options, Passes::few, kFewColumns);
}

LassoPath lasso_path(const Moments& moments, const LassoOptions& options, Passes passes) {
  return path_of(moments, options, passes, kFewColumns);
}

LassoPath lasso_path(const Moments& moments, const LassoOptions& options, Index few_columns) {
  return path_of(moments, options, Passes::few, few_columns);
}

LassoPath lasso_path_at(const Moments& moments, std::span<const double> lambdas,
                        const LassoOptions& options) {
  LassoOptions with_steps = options;
  with_steps.lambdas = steps_to(lasso_lambda_max(moments), lambdas.front());
  const std::size_t steps = with_steps.lambdas.size();
  with_steps.lambdas.insert(with_steps.lambdas.end(), lambdas.begin(), lambdas.end());
  LassoPath path = lasso_path(moments, with_steps, Passes::keep_columns);
  const auto first = static_cast<std::ptrdiff_t>(std::min(steps, path.points.size()));
  path.points.erase(path.points.begin(), path.points.begin() + first);
  return path;
}

LassoPoint lasso(const Moments& moments, double lambda, const LassoOptions& options) {
  check_lambda(lambda);
  LassoOptions to_lambda = options;
  to_lambda.lambdas = steps_to(lasso_lambda_max(moments), lambda);
  to_lambda.lambdas.push_back(lambda);
  LassoPath path = lasso_path(moments, to_lambda, Passes::keep_columns);
  if (path.points.empty()) {
    LassoPoint
        none;  // stopped before anything was done: the model with no column, which is not converged
    none.lambda = lambda;
    none.at = moments.model({}, Vector());
    none.relative_gap = 1;
    none.objective = 0.5 * moments.yty() * moments.target_scale() * moments.target_scale();
    return none;
  }
  LassoPoint last = std::move(path.points.back());
  if (!path.complete) last.converged = false;
  return last;
}

}  // namespace lass0
