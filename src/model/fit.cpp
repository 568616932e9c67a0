#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>

#include "util/budget.hpp"

namespace lass0 {
namespace {

Fit fit_within(const Moments& moments, const FitOptions& options, const Budget& budget) {
  const Problem& problem = moments.problem();
  Fit fit;
  fit.penalty = {options.lambda, options.power};
  fit.start = options.start.method;
  if (options.start.method == Start::Method::paper) {
    fit.lasso = lasso(moments, options.lambda,
                      {.tolerance = options.l1_tolerance, .control = budget.remaining()});
    fit.start_support = fit.lasso->at.support;
  } else {
    fit.start_support = options.start.columns;
    std::sort(fit.start_support.begin(), fit.start_support.end());
  }
  SearchResult found = search(moments, fit.start_support, fit.penalty, budget.remaining());
  fit.status = found.status;
  fit.moves = std::move(found.moves);
  fit.aliased = std::move(found.aliased);
  fit.improving_swap = found.improving_swap;

  fit.model.at = refit(problem, found.support);
  fit.rss = residual_sum_of_squares(problem, fit.model.at);
  fit.objective = objective(problem, fit.penalty, fit.model.at);
  fit.tss = moments.yty() * moments.target_scale() * moments.target_scale();
  fit.p = moments.cols();
  fit.n = problem.design->rows();
  for (const double w : problem.weights) fit.n -= w == 0 ? 1 : 0;
  for (Index j = 0; j < fit.p; ++j) {
    if (moments.constant(j)) fit.constant.push_back(j);
  }
  for (Index l = 0; l < std::ssize(found.support); ++l) {
    const Index j = found.support[static_cast<std::size_t>(l)];
    fit.model.names.push_back(column_name(problem, j));
    fit.effects.push_back(fit.model.at.coefficients[l] *
                          (moments.column_scale(j) / std::sqrt(moments.weight())));
  }
  fit.seconds = budget.seconds();
  return fit;
}

}  // namespace

Start Start::coefficients(const ConstVec& beta) {
  Start start{Method::support, {}};
  for (Index j = 0; j < beta.size(); ++j) {
    if (beta[j] != 0) start.columns.push_back(j);
  }
  return start;
}

std::string_view to_string(Start::Method method) {
  switch (method) {
    case Start::Method::paper:
      return "paper";
    case Start::Method::empty:
      return "empty";
    case Start::Method::support:
      return "support";
  }
  return "";
}

Fit fit(const Moments& moments, const FitOptions& options) {
  return fit_within(moments, options, Budget(options.control));
}

Fit fit(const Problem& problem, const FitOptions& options) {
  const Budget budget(options.control);
  return fit_within(Moments(problem, {.control = options.control}), options, budget);
}

}  // namespace lass0
