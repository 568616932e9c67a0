#include <algorithm>
#include <lass0/options.hpp>

#include "search/table/elimination.hpp"
#include "util/budget.hpp"

namespace lass0 {

namespace {

// Up to this many columns a search costs more than looking at every support.
constexpr Index kFewColumns = 16;

// Something to prove: the table, or where columns are few the next best thing.
SupportTable candidate_table(const Moments& moments, Index rows, const Budget& budget) {
  if (moments.cols() <= kFewColumns && rows >= moments.cols()) {
    if (auto table = eliminated_table(moments)) return std::move(*table);
  }
  return best_supports(moments, {.max_k = rows, .control = budget.remaining()});
}

// The whole default table is proven against, even where less of it is asked for: a row that gets
// better changes the lambdas of the others.
SupportTable proven_table(const Moments& moments, const PathOptions& options, const Budget& budget,
                          std::optional<Proof>& proof) {
  const Index all = default_max_k(moments), rows = std::max(options.max_k.value_or(all), all);
  SupportTable table = candidate_table(moments, rows, budget);
  if (table.status == Status::local_optimum) {
    proof = prove_table(moments, table, options.max_k.value_or(rows), budget.remaining());
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
  const Moments moments(problem, {.control = budget.remaining()});
  Path path;
  path.table = options.prove ? proven_table(moments, options, budget, path.proof)
                             : best_supports(moments, {.max_k = options.max_k.value_or(-1),
                                                       .effort = options.effort,
                                                       .control = budget.remaining()});
  TableModels exact = refit_table(moments, path.table);
  path.models = std::move(exact.models);
  path.rss = std::move(exact.rss);
  for (std::size_t k = 0; k < path.models.size(); ++k) {
    TableRow& row = path.table.rows[k];
    // Of a perfect fit the table's own loss is a difference of sums, and all rounding.
    if (row.lower_bound)
      row.lower_bound = std::min(
          {*row.lower_bound, row.loss, path.rss[k] + ridge_penalty(problem, path.models[k])});
  }
  path.problem = problem_info(moments);
  path.reading.target_checksum = checksum(problem.y);
  path.gram_use = moments.gram_use();
  path.seconds = budget.seconds();
  return path;
}

}  // namespace lass0
