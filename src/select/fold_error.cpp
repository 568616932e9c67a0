#include "select/fold_error.hpp"

#include <algorithm>
#include <lass0/model.hpp>

#include "model/included.hpp"
#include "model/refit_moments.hpp"
#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/folds.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// All rows, with the ridge of the training set.
Problem all_rows(const TrainingSet& training) {
  Problem all = training.by_rows ? *training.by_rows : training.moments.problem();
  all.ridge = training.moments.problem().ridge;
  return all;
}

// By the definition: the refit on the training rows, and its deviance on the others.
double from_rows(const TrainingSet& training, Columns support) {
  const Problem all = all_rows(training);
  const SplitWeights weights = split_weights(all, training.labels, training.fold);
  const Problem kept = with_weights(all, weights.kept);
  const Iterate at = training.by_rows ? refit(kept, with_included(training.moments, support))
                                      : refit(training.moments, kept, support).at;
  return deviance(with_weights(all, weights.held_out), at);
}

}  // namespace

double HeldOutErrors::of(Columns support) {
  const Moments& moments = training_.moments;
  if (training_.by_rows || !fits_.fit(support) || !(fits_.inflation() < kIllConditionedForErrors))
    return from_rows(training_, support);
  const Moments::HeldOutError error = moments.held_out_error(fits_.columns(), fits_.b());
  const double expected = fits_.loss() / moments.weight() * moments.held_out_weight();
  if (!(std::max(error.squares, expected) > kEnoughForErrors * error.magnitude))
    return from_rows(training_, support);
  return error.squares * moments.target_scale() * moments.target_scale();
}

double null_error(const Problem& problem, std::span<const int> labels, Index fold) {
  const SplitWeights weights = split_weights(problem, labels, fold);
  return null_deviance(problem, weights.kept, weights.held_out);
}

double held_out_error(const TrainingSet& training, Columns support, const Vector& b) {
  const Moments& moments = training.moments;
  if (!training.by_rows) {
    const Moments::HeldOutError error = moments.held_out_error(support, b);
    if (error.squares > kEnoughForErrors * error.magnitude)
      return error.squares * moments.target_scale() * moments.target_scale();
  }
  const Problem all = all_rows(training);
  const SplitWeights weights = split_weights(all, training.labels, training.fold);
  return deviance(with_weights(all, weights.held_out), moments.model(support, b));
}

}  // namespace lass0
