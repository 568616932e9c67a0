#include <lass0/fit_with_table.hpp>

#include "model/fit_own_table.hpp"
#include "model/table_for_goal.hpp"
#include "util/budget.hpp"

namespace lass0 {
namespace {

bool starts_from_table(const FitGoal& goal) {
  const auto* at = std::get_if<AtLambda>(&goal);
  return !at || at->start.method == Start::Method::table;
}

}  // namespace

FitWithTable fit_with_table(const Problem& problem, const FitOptions& options,
                            std::optional<Index> shown) {
  const Budget budget(options.control);
  const std::unique_ptr<Solver> solver = make_solver(problem, {}, budget.remaining());
  FitOptions within = options;
  FitWithTable result;
  if (starts_from_table(options.goal)) {
    result.table = table_for_goal(*solver, options.goal, options.effort, shown.value_or(0), budget);
    within.table = &*result.table;
  }
  within.control = budget.remaining();
  result.fit = fit_own_table(*solver, within);
  if (!result.table) return result;
  SupportTable& table = *result.table;
  const auto* size = std::get_if<OfSize>(&options.goal);
  if (shown && !size && *shown < table.max_k()) {
    table.rows.resize(static_cast<std::size_t>(*shown) + 1);
    table.separated_by.clear();
  }
  result.models = solver->refit_table(table);
  return result;
}

}  // namespace lass0
