#include "select/fold_error.hpp"

#include <algorithm>
#include <lass0/model.hpp>

#include "model/refit_moments.hpp"
#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/folds.hpp"
#include "select/nested_fits.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

class SquaredErrors final : public HeldOutErrors {
 public:
  explicit SquaredErrors(const TrainingSet& training)
      : training_(training), moments_(training.moments()), fits_(moments_) {}

  double of(const Candidate& candidate) override {
    return candidate.b ? of_coefficients(candidate.support, *candidate.b)
                       : of_fit(candidate.support);
  }

 private:
  double of_fit(Columns support) {
    if (training_.by_rows || !fits_.fit(support) || !(fits_.inflation() < kIllConditionedForErrors))
      return from_rows(support);
    const Moments::HeldOutError error = moments_.held_out_error(fits_.columns(), fits_.b());
    const double expected = fits_.loss() / moments_.weight() * moments_.held_out_weight();
    if (!(std::max(error.squares, expected) > kEnoughForErrors * error.magnitude))
      return from_rows(support);
    return error.squares * moments_.target_scale() * moments_.target_scale();
  }

  double of_coefficients(Columns support, const Vector& b) const {
    if (!training_.by_rows) {
      const Moments::HeldOutError error = moments_.held_out_error(support, b);
      if (error.squares > kEnoughForErrors * error.magnitude)
        return error.squares * moments_.target_scale() * moments_.target_scale();
    }
    const Problem all = all_rows();
    const SplitWeights weights = split_weights(all, training_.labels, training_.fold);
    return deviance(with_weights(all, weights.held_out), moments_.model(support, b));
  }

  // All rows, with the ridge of the training set.
  Problem all_rows() const {
    Problem all = training_.by_rows ? *training_.by_rows : moments_.problem();
    all.ridge = moments_.problem().ridge;
    return all;
  }

  // By the definition: the refit on the training rows, and its deviance on the others.
  double from_rows(Columns support) const {
    const Problem all = all_rows();
    const SplitWeights weights = split_weights(all, training_.labels, training_.fold);
    const Problem kept = with_weights(all, weights.kept);
    return deviance(with_weights(all, weights.held_out), refit(moments_, kept, support).at);
  }

  const TrainingSet& training_;
  const Moments& moments_;
  NestedFits fits_;
};

}  // namespace

std::unique_ptr<HeldOutErrors> squared_errors(const TrainingSet& training) {
  return std::make_unique<SquaredErrors>(training);
}

std::unique_ptr<HeldOutErrors> held_out_errors(const TrainingSet& training, const Problem& all,
                                               Measure measure) {
  return all.family == Family::gaussian ? squared_errors(training)
                                        : row_errors(training, all, measure);
}

double null_error(const Problem& problem, std::span<const int> labels, Index fold,
                  Measure measure) {
  const SplitWeights weights = split_weights(problem, labels, fold);
  if (problem.family == Family::gaussian)
    return null_deviance(problem, weights.kept, weights.held_out);
  const Problem kept = with_weights(problem, weights.kept);
  Iterate at;
  at.intercept = problem.intercept ? loss_of(problem).null_intercept(response_of(kept)) : 0;
  const Problem held_out = with_weights(problem, weights.held_out);
  return measured(measure, loss_of(problem), response_of(held_out), linear_predictor(held_out, at));
}

}  // namespace lass0
