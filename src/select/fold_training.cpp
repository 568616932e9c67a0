#include "select/fold_training.hpp"

#include <lass0/error.hpp>

#include "moments/access.hpp"
#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/folds.hpp"

namespace lass0 {
namespace {

// A loss may not work with the training rows alone: those of one class, for instance.
void check_target(const Problem& kept, Index fold) try {
  loss_of(kept).check(response_of(kept));
} catch (const Error& error) {
  throw Error("fold " + std::to_string(fold + 1) + ": on the other rows " + error.what());
}

}  // namespace

FoldTraining::FoldTraining(const Solver& all, const Batch& batch, Index fold, const Budget& budget)
    : problem_(all.problem()), labels_(batch.labels), fold_(fold) {
  Moments moments = all.moments().without_folds(batch.held_out(fold));
  held_out_weight_ = moments.held_out_weight();
  held_out_rows_ = all.moments().rows() - moments.rows();
  by_rows_ = moments.lost_digits();
  const bool gaussian = problem_.family == Family::gaussian;
  if (by_rows_ || !gaussian) kept_ = split_weights(problem_, labels_, fold).kept;
  if (by_rows_) moments = moments_within(with_weights(all.moments().problem(), kept_), {}, budget);
  if (!gaussian) check_target(with_weights(problem_, kept_), batch.first + fold);
  solver_ = all.on_rows(std::move(moments), kept_);
}

TrainingSet FoldTraining::at_ridge(double ridge) const {
  return {solver_->at_ridge(ridge), labels_, fold_, by_rows_ ? &problem_ : nullptr};
}

}  // namespace lass0
