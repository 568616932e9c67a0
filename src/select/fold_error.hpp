// The error of a method's models on the held-out rows of a training set, in the user's units.
#pragma once

#include <lass0/measure.hpp>
#include <memory>

#include "loss/loss.hpp"
#include "select/fold_training.hpp"
#include "select/method.hpp"

namespace lass0 {

// Sums over the held-out rows of what the measure is the mean of, for one model after another.
// Quickest where each support has most columns of the one before.
class HeldOutErrors {
 public:
  virtual ~HeldOutErrors() = default;
  virtual double of(const Candidate& candidate) = 0;
};

// Squared errors from sums alone; where those do not carry enough digits, from the rows. Everything
// must outlive it.
std::unique_ptr<HeldOutErrors> squared_errors(const TrainingSet& training);
// Any family and measure, from the rows. `all`: the problem of all rows.
std::unique_ptr<HeldOutErrors> row_errors(const TrainingSet& training, const Problem& all,
                                          Measure measure);
std::unique_ptr<HeldOutErrors> held_out_errors(const TrainingSet& training, const Problem& all,
                                               Measure measure);

// The same for the model with no column at all, fitted on the training rows: the mean of the
// target, or 0 without an intercept.
double null_error(const Problem& problem, std::span<const int> labels, Index fold, Measure measure);

// The weights of these rows times their mean measure at this linear predictor.
double measured(Measure measure, const Loss& loss, const Response& rows, const ConstVec& eta);

}  // namespace lass0
