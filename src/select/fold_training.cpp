#include "select/fold_training.hpp"

#include "moments/access.hpp"
#include "problem/weights.hpp"
#include "select/folds.hpp"
#include "select/method.hpp"

namespace lass0 {

FoldTraining::FoldTraining(const Problem& problem, const Moments& all, std::span<const int> labels,
                           Index fold, const Budget& budget)
    : problem_(problem), labels_(labels), fold_(fold), moments_(all.without_fold(fold)) {
  left_out_weight_ = moments_.left_out_weight();
  left_out_rows_ = all.rows() - moments_.rows();
  by_rows_ = moments_.lost_digits();
  if (!by_rows_) return;
  kept_ = split_weights(problem, labels, fold).kept;
  moments_ = moments_within(with_weights(problem, kept_), {}, budget);
}

TrainingSet FoldTraining::at_ridge(double ridge) const {
  return {lass0::at_ridge(moments_, ridge), labels_, fold_, by_rows_ ? &problem_ : nullptr};
}

}  // namespace lass0
