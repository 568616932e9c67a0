// The error of a support on the held-out rows of a training set, in the user's units.
#pragma once

#include <lass0/moments.hpp>

#include "select/nested_fits.hpp"

namespace lass0 {

// A training set with what it takes to look at its rows again.
struct TrainingSet {
  Moments moments;              // without_fold(fold), or of its rows alone
  std::span<const int> labels;  // the folds that these moments were made with
  Index fold = 0;
  // Where sums by fold have lost digits: the problem of all rows, and errors come from its rows.
  const Problem* by_rows = nullptr;
};

// The deviance (loss/loss.hpp) on the held-out rows, sum of w (y - prediction)^2, for the
// least-squares fits (with the ridge and the included columns of the problem) on supports of
// independent columns. From sums alone, which only squares allow; where those do not carry enough
// digits, from the rows themselves.
class HeldOutErrors {
 public:
  explicit HeldOutErrors(const TrainingSet& training)  // which must outlive it
      : training_(training), fits_(training.moments) {}

  // Quickest where each support has most columns of the one before.
  double of(Columns support);

 private:
  const TrainingSet& training_;
  NestedFits fits_;
};

// The same for the model with no column at all: the mean of the training rows, or 0 without an
// intercept.
double null_error(const Problem& problem, std::span<const int> labels, Index fold);

// The same for given coefficients, in the internal units of the training set's moments.
double held_out_error(const TrainingSet& training, Columns support, const Vector& b);

}  // namespace lass0
