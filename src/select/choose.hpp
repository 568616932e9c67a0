// From the errors of all folds to one tuning value. A new rule of choice is an entry of rules() and
// a few lines of choose().
#pragma once

#include <lass0/rule.hpp>
#include <lass0/tuning.hpp>
#include <optional>
#include <vector>

namespace lass0 {

// Of one tuning value over all folds.
struct ErrorSummary {
  double mean = 0, se = 0;
};
ErrorSummary summarise(const ConstVec& errors_per_row, std::span<const double> fold_weights);

// All that a choice may depend on.
struct ErrorCurve {
  std::vector<Tuning>
      values;  // ridge by ridge; for each relaxation from the sparsest to the densest
  std::vector<ErrorSummary> errors;
  std::vector<double> mean_sizes;    // columns chosen, on average over the folds
  Matrix fold_errors;                // folds x values: squared error per row
  std::vector<double> fold_weights;  // of the held-out rows
  std::vector<Index> partitions;     // that the folds belong to, ascending: repeats have several
  double null_error = 0;             // of the model with no column, on the same rows
  double any_column = 1;             // p-value: is any column related to the target at all?
};

// Positions of the tuning values that the rules take.
using Choice = ByRule<Index>;
Choice choose(const ErrorCurve& curve);

// The same among the values without a ridge; none where all values have the same ridge.
std::optional<Index> choose_without_ridge(const ErrorCurve& curve, Rule rule);

}  // namespace lass0
