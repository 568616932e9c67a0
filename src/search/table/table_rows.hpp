// The rows of a table while it is filled, and what becomes of them in the end.
#pragma once

#include <lass0/support_table.hpp>
#include <limits>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

// Internal units.
struct Row {
  std::vector<Index> support;
  double loss = std::numeric_limits<double>::infinity();
  bool swap_optimal = false;
  bool settled = false;  // and its neighbours have seen it
  bool escaped = false;  // each of its members was kept out in turn
};

// The largest size that the options ask for: by default that of the default table.
Index largest_size_asked(const Moments& moments, const TableOptions& options);

// The rows in the user's units, as far as the loss falls; strictly: by more than rounding.
SupportTable table_of(const Moments& moments, const std::vector<Row>& rows, bool strictly = false);

// The lambdas of all rows that were computed; then the rows that were asked for.
void finish(SupportTable& table, const TableOptions& options, const Budget& budget);

}  // namespace lass0
