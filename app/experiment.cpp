#include "experiment.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/fit.hpp>
#include <lass0/lasso.hpp>
#include <lass0/moments.hpp>
#include <limits>

namespace lass0::app {
namespace {

struct RowRange {
  Index first, count;
};

double rmse(const Simulated& data, RowRange rows, const Iterate& at) {
  Vector residual = data.y.segment(rows.first, rows.count).array() - at.intercept;
  for (std::size_t i = 0; i < at.support.size(); ++i)
    residual -= at.coefficients[static_cast<Index>(i)] *
                data.X.col(at.support[i]).segment(rows.first, rows.count);
  return std::sqrt(residual.squaredNorm() / static_cast<double>(rows.count));
}

// The two penalties mean different things at the same lambda, so the grid begins where neither
// method has a column any more: lambda_max of the Lasso, or the largest fall of 1/2 RSS that one
// column gives, whichever is larger.
std::vector<double> lambda_grid(const Moments& moments, int count) {
  constexpr double kRatio =
      1e-4;  // smallest / largest: well below what validation chooses for either
  const double enters = moments.xty().cwiseAbs().maxCoeff() * moments.target_scale();
  const double top = std::max(lasso_lambda_max(moments), enters * enters / 2);
  std::vector<double> grid(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    grid[static_cast<std::size_t>(i)] =
        top * std::pow(kRatio, static_cast<double>(i) / (count - 1));
  return grid;
}

// Keeps the candidate with the smallest validation error; the larger lambda where they tie.
class Choice {
 public:
  Choice(const Simulated& data, RowRange validation) : data_(data), validation_(validation) {}

  void offer(double lambda, const Iterate& at) {
    const double error = rmse(data_, validation_, at);
    if (error >= best_error_) return;
    best_error_ = error;
    best_.lambda = lambda;
    best_.at = at;
  }

  Chosen take(RowRange test) {
    best_.test_rmse = rmse(data_, test, best_.at);
    for (const Index j : best_.at.support)
      ++(std::binary_search(data_.support.begin(), data_.support.end(), j) ? best_.found
                                                                           : best_.wrong);
    return best_;
  }

 private:
  const Simulated& data_;
  RowRange validation_;
  double best_error_ = std::numeric_limits<double>::infinity();
  Chosen best_;
};

}  // namespace

Experiment run_experiment(const ExperimentOptions& options) {
  SimulateOptions simulation = options.data;
  simulation.n = options.train + options.validation + options.test;
  const Simulated data = simulate(simulation);
  const RowRange validation{options.train, options.validation};
  const RowRange test{options.train + options.validation, options.test};

  const DenseDesign train(data.X.data(), options.train, data.X.cols(), data.X.rows());
  const Problem problem{.design = &train,
                        .y = {data.y.data(), static_cast<std::size_t>(options.train)}};
  const Moments moments(problem);  // shared by every lambda of both methods

  Choice lasso(data, validation), lass0(data, validation);
  for (const LassoPoint& point :
       lasso_path(moments, {.lambdas = lambda_grid(moments, options.lambdas)}).points) {
    lasso.offer(point.lambda, point.at);
    // The paper's coupling: Lass0 at lambda starts from the support of the Lasso at the same
    // lambda.
    const Fit at_lambda = fit(
        moments,
        {.goal = AtLambda{.penalty = {point.lambda}, .start = Start::support(point.at.support)}});
    lass0.offer(point.lambda, at_lambda.model.at);
  }
  return {data.support, data.beta, data.noise, lasso.take(test), lass0.take(test)};
}

}  // namespace lass0::app
