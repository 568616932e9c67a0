// The training set of one fold: the sums of the other folds, or, where one held-out row has nearly
// all of some sum so that differences have lost digits, the sums of its own rows.
#pragma once

#include "select/batches.hpp"
#include "select/fold_error.hpp"
#include "util/budget.hpp"

namespace lass0 {

class FoldTraining {
 public:
  // `all` are the moments of the problem, by the labels of the batch; problem and batch must
  // outlive this. Throws Stop.
  FoldTraining(const Problem& problem, const Moments& all, const Batch& batch, Index fold,
               const Budget& budget);
  FoldTraining(const FoldTraining&) = delete;  // its moments may look at its own weights
  FoldTraining& operator=(const FoldTraining&) = delete;

  TrainingSet at_ridge(double ridge) const;
  const Moments& moments() const { return moments_; }
  bool by_rows() const { return by_rows_; }  // of its own rows
  double held_out_weight() const { return held_out_weight_; }
  Index held_out_rows() const { return held_out_rows_; }

 private:
  const Problem& problem_;
  std::span<const int> labels_;
  Index fold_;
  Vector kept_;  // weights: 0 for the held-out rows; empty where sums are good enough
  bool by_rows_ = false;
  double held_out_weight_ = 0;
  Index held_out_rows_ = 0;
  Moments moments_;
};

}  // namespace lass0
