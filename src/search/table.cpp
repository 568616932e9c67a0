#include <algorithm>
#include <cmath>
#include <lass0/support_table.hpp>

#include "search/envelope.hpp"
#include "search/short_list.hpp"
#include "search/signed_table.hpp"
#include "search/table_builder.hpp"

namespace lass0 {
namespace {

template <class Choice>
SupportTable fill_table(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  TableBuilder<Choice> builder(moments, default_max_k(moments), options.effort, budget);
  SupportTable table;
  try {
    builder.run();
    builder.extend(std::min(options.max_k, moments.cols()));
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  const double unit = moments.target_scale() * moments.target_scale();
  for (const auto& row : builder.rows()) {
    if (!std::isfinite(row.loss)) break;  // not reached in time
    const double loss = row.loss * unit;
    if (!table.rows.empty() && !(loss < table.rows.back().loss)) break;  // perfect, or not settled
    table.rows.push_back({.support = row.support, .loss = loss, .swap_optimal = row.swap_optimal});
  }
  find_lambda_ranges(
      table.rows);  // of all rows, so that they don't depend on how many are asked for
  if (options.max_k >= 0 && options.max_k < table.max_k()) {
    table.rows.resize(static_cast<std::size_t>(options.max_k) + 1);
  }
  table.seconds = budget.seconds();
  return table;
}

// More columns are too many for a quick search to look at all of them.
constexpr Index kListBeyond = 1024;
// More rows would need a longer list.
constexpr Index kMostListedRows = kTableauColumns / 2;

// The table of a short list of columns.
SupportTable supports_from_list(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  SupportTable table;
  std::vector<Index> list;
  try {
    list = short_list(moments, default_max_k(moments), budget);
    const Control control = budget.remaining();
    table = fill_table<FewColumns>(
        moments.among(list), {.max_k = options.max_k, .effort = Effort::quick, .control = control});
  } catch (const Stop& stop) {
    table.status = stop.status;
    const double unit = moments.target_scale() * moments.target_scale();
    table.rows = {{.support = {}, .loss = moments.yty() * unit}};
    find_lambda_ranges(table.rows);
  }
  for (TableRow& row : table.rows) {
    for (Index& j : row.support) j = list[static_cast<std::size_t>(j)];
    row.swap_optimal = row.support.empty();
  }
  if (!stopped(table.status)) table.status = Status::unchecked;
  table.seconds = budget.seconds();
  return table;
}

}  // namespace

std::string_view to_string(Effort effort) { return effort == Effort::quick ? "quick" : "full"; }

SupportTable best_supports(const Moments& moments, const TableOptions& options) {
  if (has_signs(moments.problem())) return best_signed_supports(moments, options);
  const bool listed = options.effort == Effort::quick && moments.cols() > kListBeyond &&
                      options.max_k <= kMostListedRows;
  return listed ? supports_from_list(moments, options) : best_free_supports(moments, options);
}

SupportTable best_free_supports(const Moments& moments, const TableOptions& options) {
  return moments.cols() <= kTableauColumns ? fill_table<FewColumns>(moments, options)
                                           : fill_table<ManyColumns>(moments, options);
}

SupportTable best_supports(const Problem& problem, const TableOptions& options) {
  return best_supports(Moments(problem, {.control = options.control}), options);
}

}  // namespace lass0
