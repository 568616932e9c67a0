#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/options.hpp>

#include "glm/separation.hpp"
#include "loss/loss.hpp"
#include "model/confusion.hpp"
#include "model/fit_own_table.hpp"
#include "model/included.hpp"
#include "model/solver.hpp"
#include "model/table_for_goal.hpp"
#include "problem/likelihood.hpp"
#include "search/table/larger_moves.hpp"
#include "util/budget.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

[[noreturn]] void throw_not_reached(const Problem& problem, const SupportTable& table, Index k) {
  if (!table.separated_by.empty()) throw_separated(problem, table.separated_by);
  const std::string size = std::to_string(k) + (k == 1 ? " column" : " columns");
  if (stopped(table.status)) {
    throw Error(stopped_before(table.status, "a support of " + size + " was found") +
                ": allow more time");
  }
  throw UsageError("there is no support of " + size +
                   (has_signs(problem) ? " that satisfies the sign constraints" : "") +
                   ": at most " + std::to_string(table.max_k()) +
                   " improve the fit; ask for at most this many");
}

SupportTable table_of(const Solver& solver, const FitOptions& options, const Budget& budget) {
  if (options.table) return *options.table;
  return table_for_goal(solver, options.goal, options.effort, 0, budget);
}

// The best support of exactly k columns. Its status is about swaps alone: an add or a remove would
// change k.
SearchResult from_table(const Solver& solver, Index k, const FitOptions& options,
                        const Budget& budget, Fit& fit) {
  const SupportTable table = table_of(solver, options, budget);
  if (k > table.max_k()) throw_not_reached(solver.problem(), table, k);
  fit.row = table.at_k(k);
  SearchResult found;
  found.support = fit.trace.start_support = fit.row->support;
  const bool unshown = table.status == Status::local_optimum && !fit.row->swap_optimal;
  found.status = unshown ? Status::add_remove_optimum : table.status;
  found.aliased = solver.aliased(found.support, budget.remaining());
  return found;
}

// Where larger moves were tried, or where the table ends before lambda's answer, the Lasso at the
// same lambda may have columns that no row has. (On large data that would take longer than the
// table.)
bool is_hard(const Solver& solver, const SupportTable& table, const AtLambda& at) {
  const double lambda = at.penalty.lambda;
  return (!table.larger_moves.sizes.empty() || selects_last_row(table, lambda)) &&
         !is_large(solver.moments()) && at.penalty.power == 0 && lambda > 0 &&
         !has_signs(solver.problem());
}

LassoPoint papers_start(const Solver& solver, const AtLambda& at, const Budget& budget) {
  return solver.lasso(at.penalty.lambda,
                      {.tolerance = at.l1_tolerance, .control = budget.remaining()});
}

// What Algorithm 1 makes of the paper's start, where that is better.
void try_papers_start(const Solver& solver, const AtLambda& at, const Budget& budget,
                      SearchResult& found) {
  if (stopped(found.status)) return;
  const LassoPoint start = papers_start(solver, at, budget);
  SearchResult papers = solver.search(without_included(solver.problem(), start.at.support),
                                      at.penalty, budget.remaining(), kAlternatives);
  const double enough = kStrictImprovement * found.objective;
  if (!stopped(papers.status) && papers.objective < found.objective - enough)
    found = std::move(papers);
}

// Where a model without finite coefficients is better than all others.
enum class Separating {
  is_an_error,
  is_left_out,  // a table ends before such models, and the answer goes by the table
};

// The table's answer at lambda, and what Algorithm 1 makes of it: where the table ends, it can
// still add columns.
SearchResult from_table_at_lambda(const Solver& solver, const AtLambda& at,
                                  const FitOptions& options, Separating separating,
                                  const Budget& budget, Fit& fit) {
  const SupportTable table = table_of(solver, options, budget);
  fit.row = table.at_lambda(at.penalty.lambda);
  fit.trace.start_support = fit.row->support;
  const auto as_it_is = [&] {
    SearchResult row;
    row.support = fit.row->support;
    row.status = table.status;
    row.aliased = solver.aliased(row.support, budget.remaining());
    return row;
  };
  if (table.status == Status::unchecked && at.penalty.power == 0) return as_it_is();
  SearchResult found;
  try {
    found = solver.search(fit.row->support, at.penalty, budget.remaining(), kAlternatives);
  } catch (const SeparationError&) {
    if (separating == Separating::is_an_error) throw;
    return as_it_is();
  }
  try {
    if (is_hard(solver, table, at)) try_papers_start(solver, at, budget, found);
  } catch (const SeparationError&) {
    if (separating == Separating::is_an_error) throw;
  }
  if (separating == Separating::is_an_error)
    solver.check_finite(table, at.penalty.lambda, found.objective);
  // Stopped before it had looked at its own start: that is the best so far.
  const double at_start =
      0.5 * fit.row->loss + at.penalty.lambda * static_cast<double>(fit.row->support.size());
  if (stopped(found.status) && at.penalty.power == 0 && at_start < found.objective) {
    found.support = fit.row->support;
    found.objective = at_start;
  }
  return found;
}

std::vector<Index> start_support(const Solver& solver, const AtLambda& at, const Budget& budget,
                                 Fit& fit) {
  if (at.start.method == Start::Method::paper) {
    fit.trace.lasso = papers_start(solver, at, budget);
    return without_included(solver.problem(), fit.trace.lasso->at.support);
  }
  std::vector<Index> columns = without_included(solver.problem(), at.start.columns);
  std::sort(columns.begin(), columns.end());
  return columns;
}

SearchResult at_lambda(const Solver& solver, const AtLambda& at, const FitOptions& options,
                       Separating separating, const Budget& budget, Fit& fit) {
  if (at.start.method == Start::Method::table)
    return from_table_at_lambda(solver, at, options, separating, budget, fit);
  fit.trace.start = at.start.method;
  fit.trace.start_support = start_support(solver, at, budget, fit);
  return solver.search(fit.trace.start_support, at.penalty, budget.remaining(), kAlternatives);
}

// Proves what was found, or the table's answer where that is better, or finds something better
// still.
void prove(const Solver& solver, const Budget& budget, SearchResult& found, Fit& fit) {
  if (stopped(found.status)) return;
  ProvenSupport proven;
  if (fit.of_size()) {
    proven = solver.prove_at_size(found.support, budget.remaining());
  } else {
    const double lambda = fit.penalty().lambda;
    std::vector<Index> best = found.support;
    if (fit.trace.start != Start::Method::table) {
      const auto row = solver.best_supports({.control = budget.remaining()}).at_lambda(lambda);
      const double size = static_cast<double>(row.support.size());
      if (0.5 * row.loss + lambda * size < found.objective) best = row.support;
    }
    proven = solver.prove_at_lambda(best, lambda, budget.remaining());
  }
  fit.proof = proven.proof;
  fit.lower_bound = proven.lower_bound;
  found.status = proven.proof.status;
  found.improving_swap.reset();
  if (proven.support == found.support) return;
  found.support = proven.support;
  found.stand_ins.reset();
  found.aliased = solver.aliased(found.support);
}

// What could stand in for each member, and what it costs to leave it out, unless the search knows
// already; neither where there was no time to look.
void look_for_stand_ins(const Solver& solver, SearchResult& found, const Budget& budget,
                        Fit& fit) try {
  if (stopped(found.status)) return;
  if (!found.stand_ins) found.stand_ins = solver.stand_ins(found.support, kAlternatives, budget);
  fit.alternatives = std::move(found.stand_ins->alternatives);
  fit.without = std::move(found.stand_ins->without);
} catch (const Stop&) {
}

// All models nearly as good as the proven one, with included columns in their supports as in the
// model's.
void find_near_optimal(const Solver& solver, const NearOptimalOptions& options, Columns support,
                       const Budget& budget, Fit& fit) {
  const std::optional<double> lambda =
      fit.of_size() ? std::nullopt : std::optional(fit.penalty().lambda);
  const Control control = budget.remaining();
  NearOptimal& found = fit.near_optimal.emplace();
  if (fit.status != Status::proven_optimal) {
    const double within = solver.distance_within(options.within, fit.objective, lambda, fit.loss());
    found = near_optimal_unproven(solver.moments(), support, fit.objective, within);
  } else {
    found = solver.near_optimal(support, lambda, options, control);
  }
  // The model's own objective is from the data: the others are above it.
  const double shift = fit.objective - found.models.front().objective;
  for (NearOptimalModel& model : found.models) {
    model.support = with_included(solver.moments(), model.support);
    model.objective += shift;
  }
}

// What was found, in the user's units and from the data themselves.
void fit_on_data(const Solver& solver, const SearchResult& found, Fit& fit) {
  const Problem& problem = solver.problem();
  auto [at, rss] = solver.refit(found.support);
  fit.model.at = std::move(at);
  if (!problem.summed) fit.model.target_checksum = checksum(problem.y);
  for (Index l = 0; l < std::ssize(fit.model.at.support); ++l) {
    const Index j = fit.model.at.support[static_cast<std::size_t>(l)];
    fit.model.names.push_back(column_name(problem, j));
    fit.effects.push_back(fit.model.at.coefficients[l] * solver.moments().deviation(j));
  }
  fit.model.family = problem.family;
  fit.rss = rss;
  if (problem.family == Family::binomial)
    fit.confusion = confusion_of(problem, linear_predictor(problem, fit.model.at));
  fit.ridge_penalty = ridge_penalty(problem, fit.model.at);
  fit.objective = 0.5 * fit.loss() + penalty_value(problem, fit.penalty(), fit.model.at);
  fit.lower_bound = fit.status == Status::proven_optimal ? fit.objective
                                                         : std::min(fit.lower_bound, fit.objective);
}

// Callers that bring a table go by it.
Separating with_table_of(const FitOptions& options) {
  return options.table ? Separating::is_left_out : Separating::is_an_error;
}

Fit fit_within(const Solver& solver, const FitOptions& options, Separating separating,
               const Budget& budget) {
  check(options, has_signs(solver.problem()));
  Fit fit;
  fit.goal = options.goal;
  const auto* at = std::get_if<AtLambda>(&options.goal);
  SearchResult found =
      at ? at_lambda(solver, *at, options, separating, budget, fit)
         : from_table(solver, std::get<OfSize>(options.goal).k, options, budget, fit);
  if (options.prove) prove(solver, budget, found, fit);
  // Where the search has left the table's row, or the penalty is another, its lambdas are not the
  // model's.
  if (fit.row && (fit.penalty().power > 0 || found.support != fit.row->support)) fit.row.reset();
  fit.status = found.status;
  fit.trace.moves = std::move(found.moves);
  fit.aliased = std::move(found.aliased);
  fit.improving_swap = found.improving_swap;
  look_for_stand_ins(solver, found, budget, fit);
  fit_on_data(solver, found, fit);
  if (options.near_optimal)
    find_near_optimal(solver, *options.near_optimal, found.support, budget, fit);
  fit.problem = problem_info(solver);
  fit.gram_use = solver.moments().gram_use();
  fit.seconds = budget.seconds();
  return fit;
}

}  // namespace

std::vector<std::size_t> cancelling_effects(std::span<const double> effects,
                                            double target_deviation) {
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (target_deviation > 0 && std::abs(effects[i]) > kLargestEffect * target_deviation)
      large.push_back(i);
  }
  std::stable_sort(large.begin(), large.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(effects[a]) > std::abs(effects[b]);
  });
  return large;
}

// Of a gaussian target n/2 log(RSS), of others the log-likelihood itself.
bool Fit::near_tie(const Alternative& one) const {
  if (problem.family != Family::gaussian) return 0.5 * one.loss_increase <= kNearTie;
  return lass0::near_tie(loss(), one.loss_increase,
                         std::max(problem.weight, static_cast<double>(problem.n)));
}

std::vector<std::size_t> Fit::cancelling() const {
  if (problem.family != Family::gaussian) return {};  // log-odds have no standard deviation
  return cancelling_effects(effects,
                            problem.weight > 0 ? std::sqrt(problem.tss / problem.weight) : 0);
}

Index Fit::k() const {
  return std::count_if(model.at.support.begin(), model.at.support.end(), [&](Index j) {
    return !std::binary_search(problem.include.begin(), problem.include.end(), j);
  });
}

Penalty Fit::penalty() const {
  const auto* at = std::get_if<AtLambda>(&goal);
  return at ? at->penalty : Penalty{};
}

Start Start::coefficients(const ConstVec& beta) {
  Start start{Method::support, {}};
  for (Index j = 0; j < beta.size(); ++j) {
    if (beta[j] != 0) start.columns.push_back(j);
  }
  return start;
}

std::string_view to_string(Start::Method method) {
  switch (method) {
    case Start::Method::paper:
      return "paper";
    case Start::Method::empty:
      return "empty";
    case Start::Method::support:
      return "support";
    case Start::Method::table:
      return "table";
  }
  return "";
}

Fit fit(const Solver& solver, const FitOptions& options) {
  return fit_within(solver, options, with_table_of(options), Budget(options.control));
}

Fit fit_own_table(const Solver& solver, const FitOptions& options) {
  return fit_within(solver, options, Separating::is_an_error, Budget(options.control));
}

Fit fit(const Moments& moments, const FitOptions& options) {
  return fit(*solver_by_sums(moments), options);
}

Fit fit(const Problem& problem, const FitOptions& options) {
  const Budget budget(options.control);
  const std::unique_ptr<Solver> solver = make_solver(problem, {}, budget.remaining());
  return fit_within(*solver, options, with_table_of(options), budget);
}

}  // namespace lass0
