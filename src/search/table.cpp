#include <algorithm>
#include <cmath>
#include <lass0/support_table.hpp>

#include "search/envelope.hpp"
#include "search/signed_table.hpp"
#include "search/table_builder.hpp"

namespace lass0 {
namespace {

template <class Choice>
SupportTable fill_table(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  TableBuilder<Choice> builder(moments, default_max_k(moments), budget);
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

}  // namespace

SupportTable best_supports(const Moments& moments, const TableOptions& options) {
  return has_signs(moments.problem()) ? best_signed_supports(moments, options)
                                      : best_free_supports(moments, options);
}

SupportTable best_free_supports(const Moments& moments, const TableOptions& options) {
  return moments.cols() <= kTableauColumns ? fill_table<FewColumns>(moments, options)
                                           : fill_table<ManyColumns>(moments, options);
}

SupportTable best_supports(const Problem& problem, const TableOptions& options) {
  return best_supports(Moments(problem, {.control = options.control}), options);
}

}  // namespace lass0
