#include "select/fold_models.hpp"

#include <algorithm>
#include <cmath>

#include "model/included.hpp"
#include "model/refit_moments.hpp"
#include "problem/weights.hpp"
#include "select/fold_training.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// Absolute residuals of the rows of positive weight.
std::vector<double> residuals(const Problem& problem, const Vector& weights, const Iterate& at) {
  Vector rest = Eigen::Map<const Vector>(problem.y.data(), std::ssize(problem.y));
  rest.array() -= at.intercept;
  for (std::size_t l = 0; l < at.support.size(); ++l)
    problem.design->add_column(at.support[l], -at.coefficients[static_cast<Index>(l)], rest);
  std::vector<double> values;
  for (Index i = 0; i < rest.size(); ++i) {
    if (weights[i] > 0) values.push_back(std::abs(rest[i]));
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

std::vector<FoldModel> fold_models(const Solver& all, std::span<const Batch> batches,
                                   std::span<const std::vector<Index>> supports, double ridge,
                                   const Budget& budget) {
  Problem problem = all.problem();
  problem.ridge = ridge;
  std::vector<FoldModel> models;
  for (const Batch& batch : batches) {
    if (batch.partition > 0) break;
    const bool has_sums = &batch == &batches.front();
    const std::size_t first = models.size();
    models.resize(first + static_cast<std::size_t>(batch.folds));
    for_each_block(batch.folds, budget.threads(), [&](Index fold) {
      budget.check();
      const std::size_t number = first + static_cast<std::size_t>(fold);
      const SplitWeights weights = split_weights(problem, batch.labels, fold);
      const Problem kept = with_weights(problem, weights.kept);
      FoldModel& model = models[number];
      if (has_sums) {
        const FoldTraining training(all, batch, fold, budget);
        const TrainingSet at_ridge = training.at_ridge(ridge);
        const Moments& moments = at_ridge.moments();
        model.at = training.by_rows() ? refit(kept, with_included(moments, supports[number]))
                                      : refit(moments, kept, supports[number]).at;
      } else {
        model.at = refit(kept, with_included(all.moments(), supports[number]));
      }
      for (const Index j : model.at.support) model.names.push_back(column_name(problem, j));
      model.residuals = residuals(problem, weights.held_out, model.at);
    });
  }
  return models;
}

}  // namespace lass0
