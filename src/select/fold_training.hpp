// The training set of one fold: the sums of the other folds, or, where one held-out row has nearly
// all of some sum so that differences have lost digits, the sums of its own rows.
#pragma once

#include <memory>

#include "model/solver.hpp"
#include "select/batches.hpp"
#include "util/budget.hpp"

namespace lass0 {

// A training set at one ridge, with what it takes to look at its rows again.
struct TrainingSet {
  std::unique_ptr<Solver> solver;  // of the training rows
  std::span<const int> labels;     // the folds that its moments were made with
  Index fold = 0;
  // Where sums by fold have lost digits: the problem of all rows, and errors come from its rows.
  const Problem* by_rows = nullptr;

  const Moments& moments() const { return solver->moments(); }
};

class FoldTraining {
 public:
  // `all`: of all rows, with moments by the labels of the batch; both must outlive this. Throws
  // Stop, and Error where the training rows can't be fitted at all.
  FoldTraining(const Solver& all, const Batch& batch, Index fold, const Budget& budget);
  FoldTraining(const FoldTraining&) = delete;  // its solver may look at its own weights
  FoldTraining& operator=(const FoldTraining&) = delete;

  TrainingSet at_ridge(double ridge) const;
  const Moments& moments() const { return solver_->moments(); }
  bool by_rows() const { return by_rows_; }  // its moments are of its own rows
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
  std::unique_ptr<Solver> solver_;
};

}  // namespace lass0
