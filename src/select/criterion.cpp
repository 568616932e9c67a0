#include <algorithm>
#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/error.hpp>
#include <lass0/options.hpp>

#include "model/included.hpp"
#include "model/solver.hpp"
#include "problem/likelihood.hpp"
#include "util/budget.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

double log_binomial(Index n, Index k) {
  const auto log_factorial = [](Index m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double row_rss(const Solver& solver, const TableRow& row) {
  if (solver.problem().family != Family::gaussian) return row.loss;  // there is no ridge
  const Moments& moments = solver.moments();
  const double total = moments.target_square() * moments.target_scale() * moments.target_scale();
  if (row.loss > kEnoughForCriteria * total) return row.loss;
  const Problem& problem = moments.problem();
  return deviance(problem, refit(problem, with_included(moments, row.support)));
}

double value(const Loss& loss, const CriterionSelection& selection, const CriterionPoint& point) {
  const double n = selection.n, k = static_cast<double>(point.k);
  const double fit = loss.minus_twice_log_likelihood(point.rss, n);
  switch (selection.criterion) {
    case Criterion::aic:
      return fit + 2 * k;
    case Criterion::bic:
      return fit + k * std::log(n);
    case Criterion::ebic:
      return fit + k * std::log(n) + 2 * log_binomial(selection.p, point.k);
    case Criterion::gic:
      return point.k == 0
                 ? fit  // p may be 0 too
                 : fit + k * std::log(std::log(n)) * std::log(static_cast<double>(selection.p));
    case Criterion::cp:
      return point.rss / selection.variance - n + 2 * k;
  }
  return 0;
}

double noise_variance(const Moments& moments, const CriterionPoint& largest) {
  const double free = moments.weight() - static_cast<double>(largest.k) -
                      static_cast<double>(moments.included().size()) -
                      (moments.problem().intercept ? 1 : 0);
  if (!(free > 0))
    throw Error("cp needs more rows than columns in the largest model: use another criterion");
  if (!(largest.rss > 0))
    throw Error(
        "cp needs noise, but the largest model fits the target exactly: use another criterion");
  return largest.rss / free;
}

}  // namespace

std::string_view to_string(Criterion criterion) {
  switch (criterion) {
    case Criterion::aic:
      return "aic";
    case Criterion::bic:
      return "bic";
    case Criterion::ebic:
      return "ebic";
    case Criterion::gic:
      return "gic";
    case Criterion::cp:
      return "cp";
  }
  return "";
}

CriterionSelection select_by_criterion(const Problem& problem, const CriterionOptions& options) {
  check(options, problem.ridge > 0);
  if (options.criterion == Criterion::cp && problem.family != Family::gaussian)
    throw UsageError("the criterion cp works with the family gaussian only: use aic");
  const Budget budget(options.control);
  const std::unique_ptr<Solver> solver = make_solver(problem, {}, budget.remaining());
  const Moments& moments = solver->moments();
  CriterionSelection selection;
  selection.criterion = options.criterion;
  selection.n = moments.weight();
  selection.p = moments.cols() - std::ssize(include_list(problem));
  if (options.criterion == Criterion::gic && !(selection.n >= 3))
    throw Error("gic needs at least 3 rows");
  // The variance comes from the largest model, even where only smaller ones are asked for.
  const Index all = solver->default_max_k(), rows = std::max(options.max_k.value_or(all), all);
  selection.table = solver->best_supports({.max_k = rows, .control = budget.remaining()});
  for (const TableRow& row : selection.table.rows)
    selection.curve.push_back({std::ssize(row.support), row_rss(*solver, row), 0});
  if (options.criterion == Criterion::cp)
    selection.variance = noise_variance(moments, selection.curve.back());
  if (options.max_k && *options.max_k < selection.table.max_k())
    selection.curve.resize(static_cast<std::size_t>(*options.max_k) + 1);
  for (CriterionPoint& point : selection.curve) {
    point.value = value(loss_of(problem), selection, point);
    if (!std::isfinite(point.value))
      throw Error("the criterion is too large for a double: rescale the target");
    if (point.value < selection.curve[static_cast<std::size_t>(selection.chosen)].value)
      selection.chosen = point.k;
  }

  FitOptions fit_options;
  fit_options.goal = OfSize{selection.chosen};
  fit_options.table = &selection.table;
  fit_options.control = budget.remaining();
  selection.fit = fit(*solver, fit_options);
  if (options.models) selection.models = solver->refit_table(selection.table);
  selection.seconds = budget.seconds();
  return selection;
}

}  // namespace lass0
