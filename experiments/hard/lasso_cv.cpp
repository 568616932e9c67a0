// The Lasso with its lambda chosen by 10-fold cross-validation, by the least error.
#include <algorithm>
#include <lass0/lasso.hpp>
#include <utility>

#include "experiments.hpp"

namespace lass0::experiments {
namespace {

constexpr int kFolds = 10;

double squared_error(const Iterate& at, const Simulated& data, Index row) {
  double residual = data.y[row] - at.intercept;
  for (std::size_t i = 0; i < at.support.size(); ++i)
    residual -= at.coefficients[static_cast<Index>(i)] * data.X(row, at.support[i]);
  return residual * residual;
}

}  // namespace

Iterate cross_validated_lasso(const HardProblem& hard) {
  const Index n = hard.data.y.size();
  std::vector<int> folds;  // the rows are independent: any balanced labels are random ones
  for (Index i = 0; i < n; ++i) folds.push_back(static_cast<int>(i % kFolds));
  const Moments moments(hard.problem(), {.folds = folds});
  LassoPath path = lasso_path(moments);
  std::vector<double> errors(path.points.size());
  for (int fold = 0; fold < kFolds; ++fold) {
    const Moments training = moments.without_fold(fold);
    LassoOptions options;
    // lambda belongs to a sum over rows: of fewer rows it is smaller.
    for (const LassoPoint& point : path.points)
      options.lambdas.push_back(point.lambda * training.weight() / moments.weight());
    const LassoPath fitted = lasso_path(training, options);
    for (std::size_t at = 0; at < errors.size(); ++at)
      for (Index i = fold; i < n; i += kFolds)
        errors[at] += squared_error(fitted.points[at].at, hard.data, i);
  }
  const auto best = std::ranges::min_element(errors) - errors.begin();
  return std::move(path.points[static_cast<std::size_t>(best)].at);
}

}  // namespace lass0::experiments
