#include "search/table/table_rows.hpp"

#include <algorithm>
#include <cmath>

#include "search/table/envelope.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

Index largest_size_asked(const Moments& moments, const TableOptions& options) {
  return std::min(options.max_k.value_or(default_max_k(moments)), moments.cols());
}

SupportTable table_of(const Moments& moments, const std::vector<Row>& rows, bool strictly) {
  SupportTable table;
  const double unit = moments.target_scale() * moments.target_scale();
  for (const Row& row : rows) {
    if (!std::isfinite(row.loss)) break;  // not reached in time
    const double loss = row.loss * unit;
    if (!table.rows.empty()) {
      const double before = table.rows.back().loss;
      const double least = strictly ? slack(before, moments.target_square() * unit) : 0.0;
      if (!(loss < before - least)) break;  // perfect, or not settled
    }
    table.rows.push_back({.support = row.support, .loss = loss, .swap_optimal = row.swap_optimal});
  }
  return table;
}

void finish(SupportTable& table, const TableOptions& options, const Budget& budget) {
  find_lambda_ranges(table.rows);
  if (options.max_k && *options.max_k < table.max_k())
    table.rows.resize(static_cast<std::size_t>(*options.max_k) + 1);
  table.seconds = budget.seconds();
}

}  // namespace lass0
