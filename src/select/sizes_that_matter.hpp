// Once cross-validation has chosen lambda or k, a full search need not look at all sizes.
#pragma once

#include <lass0/support_table.hpp>
#include <optional>

namespace lass0 {

struct Chosen {
  double lambda = 0;
  std::optional<Index> k = {};  // then lambda plays no part
};

// The largest size that a full search should look at, by a quick search of all sizes. At lambda:
// the last size whose objective is within 3 lambda of the lowest, or the next size that a smaller
// lambda selects, whichever is larger; and a few more. At k: a few more than k.
Index last_size_that_matters(const SupportTable& quick, const Chosen& chosen);

// Whether the larger sizes of the quick table leave the answer of a full search of the smaller ones
// alone: its size is not the last one searched, and the same lambdas select it.
bool decides(const SupportTable& searched, const SupportTable& quick, const Chosen& chosen);

}  // namespace lass0
