#include "select/fold_training.hpp"

#include "moments/access.hpp"
#include "problem/weights.hpp"
#include "select/folds.hpp"
#include "select/method.hpp"

namespace lass0 {

FoldTraining::FoldTraining(const Problem& problem, const Moments& all, const Batch& batch,
                           Index fold, const Budget& budget)
    : problem_(problem),
      labels_(batch.labels),
      fold_(fold),
      moments_(all.without_folds(batch.held_out(fold))) {
  held_out_weight_ = moments_.held_out_weight();
  held_out_rows_ = all.rows() - moments_.rows();
  by_rows_ = moments_.lost_digits();
  if (!by_rows_) return;
  kept_ = split_weights(problem, labels_, fold).kept;
  moments_ = moments_within(with_weights(problem, kept_), {}, budget);
}

TrainingSet FoldTraining::at_ridge(double ridge) const {
  return {lass0::at_ridge(moments_, ridge), labels_, fold_, by_rows_ ? &problem_ : nullptr};
}

}  // namespace lass0
