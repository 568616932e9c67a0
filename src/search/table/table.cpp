#include "search/table/table.hpp"

#include <algorithm>
#include <cmath>

#include "search/table/envelope.hpp"
#include "search/table/short_list.hpp"
#include "search/table/table_filler.hpp"

namespace lass0 {
namespace {

// What a builder has come to, in the user's units.
template <class Choice>
SupportTable table_of(const Moments& moments, const TableBuilder<Choice>& builder) {
  SupportTable table;
  const double unit = moments.target_scale() * moments.target_scale();
  for (const auto& row : builder.rows()) {
    if (!std::isfinite(row.loss)) break;  // not reached in time
    const double loss = row.loss * unit;
    if (!table.rows.empty() && !(loss < table.rows.back().loss)) break;  // perfect, or not settled
    table.rows.push_back({.support = row.support, .loss = loss, .swap_optimal = row.swap_optimal});
  }
  return table;
}

// The lambdas of all rows that were computed; then the rows that were asked for.
void finish(SupportTable& table, const TableOptions& options, const Budget& budget) {
  find_lambda_ranges(table.rows);
  if (options.max_k >= 0 && options.max_k < table.max_k())
    table.rows.resize(static_cast<std::size_t>(options.max_k) + 1);
  table.seconds = budget.seconds();
}

template <class Choice>
SupportTable fill_table(const Moments& moments, Index rows, const TableOptions& options,
                        const Budget& budget) {
  TableBuilder<Choice> builder(moments, rows, options.effort, budget);
  Status status = Status::local_optimum;
  try {
    builder.run();
    builder.extend(rows, std::min(options.max_k, moments.cols()));
  } catch (const Stop& stop) {
    status = stop.status;
  }
  SupportTable table = table_of(moments, builder);
  table.larger_moves = builder.larger_moves();
  std::vector<Index>& tried = table.larger_moves.sizes;  // some of them twice
  std::sort(tried.begin(), tried.end());
  tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
  table.status = status;
  table.effort = options.effort;
  return table;
}

// More columns are too many for a quick search to look at all of them.
constexpr Index kListBeyond = 1024;
// More rows would need a longer list: they are found among all columns.
constexpr Index kMostListedRows = kTableauColumns / 2;

// The table of a short list of columns, of at most `rows` rows.
SupportTable table_of_list(const Moments& moments, Index rows, const Budget& budget) {
  const Index standard = default_max_k(moments);
  const std::vector<Index> list = short_list(moments, standard, budget);
  const Moments few = moments.among(list);
  SupportTable table =
      fill_table<FewColumns>(few, standard, {.max_k = rows, .effort = Effort::quick}, budget);
  for (TableRow& row : table.rows) {
    for (Index& j : row.support) j = list[static_cast<std::size_t>(j)];
    row.swap_optimal = row.support.empty();
  }
  return table;
}

// Rows that a short list is too short for, after those of the list.
void extend_among_all(const Moments& moments, Index from, SupportTable& table,
                      const TableOptions& options, const Budget& budget) {
  TableBuilder<ManyColumns> builder(moments, 0, Effort::quick, budget);
  const double unit = moments.target_scale() * moments.target_scale();
  std::vector<TableBuilder<ManyColumns>::Row> first;
  for (const TableRow& row : table.rows)
    first.push_back({row.support, row.loss / unit, row.swap_optimal, true, true});
  builder.begin_with(std::move(first));
  try {
    // Where the list holds little but duplicates, from the step that it did not finish.
    Index step = default_max_k(moments);
    while (step < from && step <= table.max_k()) step = next_table_size(step);
    if (table.max_k() < step) builder.extend_to(step);
    builder.extend(step, std::min(options.max_k, moments.cols()));
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  const SupportTable longer = table_of(moments, builder);
  if (longer.rows.size() > table.rows.size())
    table.rows.insert(table.rows.end(), longer.rows.begin() + std::ssize(table.rows),
                      longer.rows.end());
}

SupportTable supports_from_list(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  SupportTable table;
  try {
    Index listed = default_max_k(moments);
    while (listed < options.max_k && next_table_size(listed) <= kMostListedRows)
      listed = next_table_size(listed);
    table = table_of_list(moments, listed, budget);
    if ((options.max_k > listed || table.max_k() < listed) && !stopped(table.status))
      extend_among_all(moments, listed, table, options, budget);
  } catch (const Stop& stop) {
    table.status = stop.status;
    const double unit = moments.target_scale() * moments.target_scale();
    table.rows = {{.support = {}, .loss = moments.yty() * unit}};
  }
  table.effort = Effort::quick;
  if (!stopped(table.status)) table.status = Status::unchecked;
  finish(table, options, budget);
  return table;
}

}  // namespace

SupportTable best_free_supports(const Moments& moments, const TableOptions& options) {
  if (options.effort == Effort::quick && moments.cols() > kListBeyond)
    return supports_from_list(moments, options);
  const Budget budget(options.control);
  const Index rows = default_max_k(moments);
  SupportTable table = moments.cols() <= kTableauColumns
                           ? fill_table<FewColumns>(moments, rows, options, budget)
                           : fill_table<ManyColumns>(moments, rows, options, budget);
  if (moments.cols() <= kSameEffort) table.effort = Effort::full;
  finish(table, options, budget);
  return table;
}

}  // namespace lass0
