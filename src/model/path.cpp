#include <algorithm>
#include <lass0/options.hpp>

#include "model/solver.hpp"
#include "search/table/elimination.hpp"
#include "util/budget.hpp"

namespace lass0 {

namespace {

// Up to this many columns a search costs more than looking at every support.
constexpr Index kFewColumns = 16;

// Something to prove: the table, or where columns are few the next best thing.
SupportTable candidate_table(const Solver& solver, Index rows, const Budget& budget) {
  const Moments& moments = solver.moments();
  if (solver.problem().family == Family::gaussian && moments.cols() <= kFewColumns &&
      rows >= moments.cols()) {
    if (auto table = eliminated_table(moments)) return std::move(*table);
  }
  return solver.best_supports({.max_k = rows, .control = budget.remaining()});
}

// The whole default table is proven against, even where less of it is asked for: a row that gets
// better changes the lambdas of the others.
SupportTable proven_table(const Solver& solver, const PathOptions& options, const Budget& budget,
                          std::optional<Proof>& proof) {
  const Index all = solver.default_max_k(), rows = std::max(options.max_k.value_or(all), all);
  SupportTable table = candidate_table(solver, rows, budget);
  if (!stopped(table.status)) {
    proof = solver.prove_table(table, options.max_k.value_or(rows), budget.remaining());
    table.status = proof->status;
  }
  if (options.max_k && *options.max_k < table.max_k())
    table.rows.resize(static_cast<std::size_t>(*options.max_k) + 1);
  return table;
}

}  // namespace

Path path(const Problem& problem, const PathOptions& options) {
  const Budget budget(options.control);
  check(options, has_signs(problem));
  const std::unique_ptr<Solver> solver = make_solver(problem, {}, budget.remaining());
  Path path;
  path.table =
      options.prove
          ? proven_table(*solver, options, budget, path.proof)
          : solver->best_supports(
                {.max_k = options.max_k, .effort = options.effort, .control = budget.remaining()});
  TableModels exact = solver->refit_table(path.table);
  path.models = std::move(exact.models);
  path.rss = std::move(exact.rss);
  for (std::size_t k = 0; k < path.models.size(); ++k) {
    TableRow& row = path.table.rows[k];
    // Of a perfect fit the table's own loss is a difference of sums, and all rounding.
    if (row.lower_bound)
      row.lower_bound = std::min(
          {*row.lower_bound, row.loss, path.rss[k] + ridge_penalty(problem, path.models[k])});
  }
  path.problem = problem_info(*solver);
  if (!problem.summed) path.reading.target_checksum = checksum(problem.y);
  path.reading.family = problem.family;
  path.gram_use = solver->moments().gram_use();
  path.seconds = budget.seconds();
  return path;
}

}  // namespace lass0
