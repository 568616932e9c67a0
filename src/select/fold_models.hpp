// The models of the folds at the chosen point, for intervals.
#pragma once

#include "model/solver.hpp"
#include "select/batches.hpp"
#include "util/budget.hpp"

namespace lass0 {

// Of the first partition, of least squares. `all`: with moments by the labels of the first batch;
// `supports`: the columns that each fold chose, without included ones. Throws Stop.
std::vector<FoldModel> fold_models(const Solver& all, std::span<const Batch> batches,
                                   std::span<const std::vector<Index>> supports, double ridge,
                                   const Budget& budget);

}  // namespace lass0
