// The lambdas that are tried: where the models of a training set change.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/solver.hpp"

namespace lass0 {

// Times a breakpoint, where two sizes are equally good: the sparser one is the better there.
inline constexpr double kAbove = 1 + 1e-6;

// The lambdas at which a table's answers are known.
struct LambdaRange {
  double highest = 0;  // no column above it; 0: no column at any lambda
  double nothing = 0;  // no column above it on any part of these rows, whatever the search: 1/2 the
                       // loss of no column, which is never larger on fewer rows
  double lowest = 0;   // below it ...
  bool capped = false;  // true: ... models would be larger than `max_k` or than the table; false:
                        // ... nothing changes, or nothing that could be told from noise
};

// max_k: a size that models must not exceed, if there is one.
LambdaRange lambda_range(const Solver& rows, const SupportTable& table, std::optional<Index> max_k);

// Down to where a part of these rows, too, has every column that is worth more than noise. The last
// column of all may be worth far more, and a part of the rows then needs a lower lambda to choose
// it. `loss`: the lowest of any model.
double lowest_for_parts(const Solver& rows, double highest, double loss);

// `count` of them, evenly spaced in log, from where neither the table of all rows nor any training
// set has a column down to where all of them still have their answers. Where the training sets are
// not known yet (none is given), the first is at all.nothing and the others begin at all.highest.
std::vector<double> lambda_grid(const LambdaRange& all, std::span<const LambdaRange> training,
                                int count);

}  // namespace lass0
