// What finds, fits and proves supports on some rows of a problem. Two ways: by sums of squares and
// products, which hold all that least squares needs (by_sums.cpp), and by the rows themselves, for
// every other family (by_rows.cpp). Everything above asks a Solver and knows neither.
//
// The *loss* of a support is its RSS, or twice its negative log-likelihood, plus the ridge term.
#pragma once

#include <lass0/fit.hpp>
#include <lass0/lasso.hpp>
#include <lass0/model.hpp>
#include <lass0/near_optimal.hpp>
#include <lass0/problem_info.hpp>
#include <lass0/search.hpp>
#include <lass0/support_table.hpp>
#include <memory>

#include "model/refit_moments.hpp"
#include "util/budget.hpp"

namespace lass0 {

class Solver {
 public:
  virtual ~Solver() = default;

  virtual const Problem& problem() const = 0;
  // The facts of columns and rows: scales, what varies, the sum of the weights. Of a family other
  // than gaussian these are the moments of least squares on the same rows.
  virtual const Moments& moments() const = 0;
  // The same rows with another ridge. It may look at this solver, which must outlive it.
  virtual std::unique_ptr<Solver> at_ridge(double ridge) const = 0;
  // Some of the rows: all but those of the folds that the moments hold out. `kept` has their
  // weights, and 0 for the others; it must outlive the solver.
  virtual std::unique_ptr<Solver> on_rows(Moments rows, const Vector& kept) const = 0;

  // The mean second derivative of the loss by the linear predictor, at the model with no column: a
  // ridge of r times the rows shrinks a coefficient by about 1 / (1 + r / curvature).
  virtual double curvature() const { return 1; }

  // A quick table looks at a list of columns, not at all of them.
  virtual bool makes_lists() const { return true; }

  virtual Index default_max_k() const { return lass0::default_max_k(moments()); }
  virtual SupportTable best_supports(const TableOptions& options) const = 0;
  // A full search of the sizes 0 .. last alone, where larger ones would take most of its time. They
  // then have no part in it, so a row may differ from that of a longer table. None: all sizes cost
  // little.
  virtual std::optional<SupportTable> supports_up_to(Index /*last*/,
                                                     const Control& /*control*/) const {
    return std::nullopt;
  }
  virtual SearchResult search(Columns start, const Penalty& penalty, const Control& control,
                              Index stand_ins = 1) const = 0;
  virtual std::vector<Index> aliased(Columns support, const Control& control = {}) const;
  virtual StandIns stand_ins(Columns support, Index per_member, const Budget& budget) const = 0;

  // Forward stepwise selection: the supports of 0 .. steps columns, or fewer. Throws Stop.
  virtual std::vector<std::vector<Index>> forward(Index steps, const Budget& budget) const = 0;

  virtual double lasso_lambda_max() const = 0;
  virtual LassoPoint lasso(double lambda, const LassoOptions& options) const = 0;
  virtual LassoPath lasso_path(const LassoOptions& options) const = 0;
  // At given lambdas, largest first, that may be far below the largest of the Lasso.
  virtual LassoPath lasso_path_at(std::span<const double> lambdas,
                                  const LassoOptions& options) const = 0;

  virtual ProvenSupport prove_at_lambda(Columns best, double lambda,
                                        const Control& control) const = 0;
  virtual ProvenSupport prove_at_size(Columns best, const Control& control) const = 0;
  virtual Proof prove_table(SupportTable& table, std::optional<Index> max_k,
                            const Control& control) const = 0;
  // lambda: none for a given size.
  virtual NearOptimal near_optimal(Columns best, std::optional<double> lambda,
                                   const NearOptimalOptions& options,
                                   const Control& control) const = 0;
  // The distance that `within` asks for, beside a model of this objective and loss.
  virtual double distance_within(const Within& within, double objective,
                                 std::optional<double> lambda, double loss) const = 0;

  // Throws Error where a model without finite coefficients is better at this lambda than what was
  // found: a table ends before such models.
  virtual void check_finite(const SupportTable& /*table*/, double /*lambda*/,
                            double /*objective*/) const {}

  // The exact fits of a support (without included columns, which it has too) and of every row of a
  // table; `rss` is without the ridge term.
  virtual Refit refit(Columns support) const = 0;
  // `near`: a model of nearly the same rows, if there is one, where an iteration may begin.
  virtual Iterate model(Columns support, const Iterate* /*near*/ = nullptr) const {
    return refit(support).at;
  }
  virtual TableModels refit_table(const SupportTable& table) const = 0;
  virtual double null_loss() const = 0;  // of the model with no column at all
};

// For the family of the problem, whose data must outlive it. `folds`: as MomentsOptions. Throws
// Error where the control stops it.
std::unique_ptr<Solver> make_solver(const Problem& problem, std::span<const int> folds,
                                    const Control& control);
// As a part of a longer run: throws Stop.
std::unique_ptr<Solver> solver_within(const Problem& problem, std::span<const int> folds,
                                      const Budget& budget);
// Least squares on moments that are there already.
std::unique_ptr<Solver> solver_by_sums(Moments moments);
// Another family. `base`: the moments of least_squares_of(problem), with or without folds.
std::unique_ptr<Solver> solver_by_rows(const Problem& problem, Moments base);

// The problem that is left when the target is taken for any number and there is no offset.
Problem least_squares_of(const Problem& problem);

ProblemInfo problem_info(const Solver& solver);

Fit fit(const Solver& solver, const FitOptions& options);

}  // namespace lass0
