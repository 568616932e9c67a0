// From the errors of all folds to one tuning value. A new rule of choice is a member of Rule, of
// Choice, and a few lines of choose().
#pragma once

#include <lass0/cross_validate.hpp>
#include <lass0/tuning.hpp>

namespace lass0 {

// Of one tuning value over all folds.
struct ErrorSummary {
  double mean = 0, se = 0;
};
ErrorSummary summarise(const ConstVec& errors_per_row, std::span<const double> fold_weights);

// Positions of the tuning values that the rules take.
struct Choice {
  Index minimum = 0, one_se = 0;

  Index by(Rule rule) const { return rule == Rule::min ? minimum : one_se; }
};

// The values of each ridge and relaxation stand from the sparsest model to the densest.
Choice choose(std::span<const Tuning> values, std::span<const ErrorSummary> errors);

}  // namespace lass0
