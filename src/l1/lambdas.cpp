#include "l1/lambdas.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>

namespace lass0 {
namespace {

constexpr double kWarmStartRatio = 0.75;  // of one lambda to the next on the way to a single one
constexpr double kSmallestWarmStart =
    1e-8;  // of lambda_max: below it, steps to a single lambda end

}  // namespace

void check_lambda(double lambda) {
  if (!std::isfinite(lambda) || lambda < 0)
    throw UsageError("lambda must be a finite number, 0 or more");
}

void check_options(const LassoOptions& options) {
  for (const double lambda : options.lambdas) check_lambda(lambda);
  if (!(options.tolerance > 0)) throw UsageError("the tolerance of the Lasso must be positive");
  if (options.count < 1) throw UsageError("a Lasso path needs at least one lambda");
  if (!(options.ratio > 0 && options.ratio < 1))
    throw UsageError("the ratio of a lambda grid must lie between 0 and 1");
}

std::vector<double> steps_to(double lambda_max, double lambda) {
  std::vector<double> steps;
  if (lambda == 0) return steps;
  const double last = std::max(lambda, kSmallestWarmStart * lambda_max);
  for (double warm = lambda_max * kWarmStartRatio; warm > last; warm *= kWarmStartRatio)
    steps.push_back(warm);
  return steps;
}

std::vector<double> path_lambdas(double lambda_max, const LassoOptions& options) {
  std::vector<double> lambdas = options.lambdas;
  std::sort(lambdas.rbegin(), lambdas.rend());
  if (!lambdas.empty()) return lambdas;
  for (int i = 0; i < options.count; ++i) {
    const double fraction = options.count > 1 ? static_cast<double>(i) / (options.count - 1) : 0.0;
    lambdas.push_back(lambda_max * std::pow(options.ratio, fraction));
  }
  return lambdas;
}

LassoPath follow_path(double lambda_max, const LassoOptions& options, const Budget& budget,
                      const std::function<LassoPoint(double)>& solve,
                      const std::function<Index()>& size) {
  LassoPath path;
  path.lambda_max = lambda_max;
  const std::vector<double> lambdas = path_lambdas(lambda_max, options);
  try {
    for (const double lambda : lambdas) {
      budget.check();
      path.points.push_back(solve(lambda));
      path.points.back().lambda = lambda;  // as asked, not as it came back from other units
      if (options.max_support >= 0 && size() > options.max_support) break;
      budget.progress("Lasso path", static_cast<double>(path.points.size()) /
                                        static_cast<double>(lambdas.size()));
    }
  } catch (const Stop&) {
    path.complete = false;
  }
  return path;
}

}  // namespace lass0
