// The best support of every size for any loss. The table is searched on second-order models of the
// loss (second_order.hpp), which are least-squares problems, at fits of growing size; every support
// found is fitted exactly, and judged by that alone. Then every row's swaps, adds and removes are
// scored to second order at its own fit, and the best few fitted, until nothing changes.
#pragma once

#include <lass0/support_table.hpp>
#include <optional>
#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

// Where a table had to end: some combination of these columns tells the classes apart, so there is
// no finite fit.
struct Separation {
  std::vector<Index> support;  // ascending
};

struct GlmTable {
  SupportTable table;
  std::vector<GlmFit> fits;  // fits[k] is that of table.rows[k]
  std::optional<Separation> separation;
};

struct GlmTableOptions {
  Index max_k = 0;
  Effort effort = Effort::full;
  std::vector<std::vector<Index>> starts = {};  // supports to begin with
};

// `panel`: grows by the columns that the search looks at. The budget's stop is the table's status.
GlmTable best_glm_supports(Panel& panel, const GlmTableOptions& options, const Budget& budget);

}  // namespace lass0
