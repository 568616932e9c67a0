#include <lass0/path.hpp>

#include "model/included.hpp"
#include "util/budget.hpp"

namespace lass0 {

Path path(const Problem& problem, const TableOptions& options) {
  const Budget budget(options.control);
  const Moments moments(problem, {.control = options.control});
  Path path;
  path.table = best_supports(moments, options);
  for (const TableRow& row : path.table.rows) {
    path.models.push_back(refit(problem, with_included(moments, row.support)));
    path.rss.push_back(residual_sum_of_squares(problem, path.models.back()));
  }
  path.include = include_list(problem);
  path.ridge = problem.ridge;
  path.p = moments.cols();
  path.n = rows_used(problem);
  for (Index j = 0; j < path.p; ++j) {
    if (moments.constant(j)) path.constant.push_back(j);
  }
  path.seconds = budget.seconds();
  return path;
}

}  // namespace lass0
