// The linear predictors of held-out rows, for what is drawn and counted from them: ROC curves,
// calibration, confusion.
#pragma once

#include "model/solver.hpp"
#include "select/batches.hpp"

namespace lass0 {

// One per row: the mean over the folds that hold it out of the predictor of a model on the columns
// that this fold chose (`supports`, in the order of all folds); NaN for rows that none holds out.
// `all`: its moments by the labels of the first batch, unless that has weights of its own. Throws
// Stop.
Vector held_out_links(const Solver& all, std::span<const Batch> batches,
                      std::span<const std::vector<Index>> supports, double ridge,
                      const Budget& budget);

}  // namespace lass0
