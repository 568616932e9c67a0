#include "select/held_out_links.hpp"

#include <limits>

#include "problem/likelihood.hpp"
#include "problem/weights.hpp"
#include "select/fold_training.hpp"

namespace lass0 {
namespace {

// The model of one fold, on the columns that it chose.
Iterate fold_model(const Solver& all, const Batch& batch, bool has_sums, Index fold,
                   const std::vector<Index>& support, double ridge, const Iterate* near,
                   const Budget& budget) {
  if (has_sums)
    return FoldTraining(all, batch, fold, budget).at_ridge(ridge).solver->model(support, near);
  Problem problem = all.problem();
  problem.ridge = ridge;
  if (!batch.weights.empty()) problem.weights = batch.weights;
  const Vector kept = split_weights(problem, batch.labels, fold).kept;
  return solver_within(with_weights(problem, kept), {}, budget)->model(support, near);
}

}  // namespace

Vector held_out_links(const Solver& all, std::span<const Batch> batches,
                      std::span<const std::vector<Index>> supports, double ridge,
                      const Budget& budget) {
  const Problem& problem = all.problem();
  const Index n = problem.design->rows();
  Vector sum = Vector::Zero(n), times = Vector::Zero(n);
  const bool shared = batches.front().weights.empty();
  Iterate at;
  const Iterate* near = nullptr;  // the model of the fold before
  for (const Batch& batch : batches) {
    const bool has_sums = shared && (batch.cells || &batch == &batches.front());
    for (Index fold = 0; fold < batch.folds; ++fold) {
      budget.check();
      const auto number = static_cast<std::size_t>(batch.first + fold);
      at = fold_model(all, batch, has_sums, fold, supports[number], ridge, near, budget);
      near = &at;
      const Vector eta = linear_predictor(problem, at);
      for (Index i = 0; i < n; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const double weight = !batch.weights.empty()    ? batch.weights[row]
                              : problem.weights.empty() ? 1.0
                                                        : problem.weights[row];
        if (batch.labels[row] != fold || !(weight > 0)) continue;
        sum[i] += eta[i];
        times[i] += 1;
      }
    }
  }
  for (Index i = 0; i < n; ++i)
    sum[i] = times[i] > 0 ? sum[i] / times[i] : std::numeric_limits<double>::quiet_NaN();
  return sum;
}

}  // namespace lass0
