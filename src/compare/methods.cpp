#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/lasso.hpp>

#include "compare/method.hpp"
#include "model/included.hpp"
#include "select/fold_curve.hpp"

namespace lass0 {
namespace {

// Smallest / largest lambda of the Lasso, as glmnet has them: below the rank the path ends near
// least squares, otherwise before it becomes a perfect fit.
constexpr double kRatioOfTall = 1e-4, kRatioOfWide = 1e-2;
// Smallest lambda of the L0 penalty: pure noise lowers 1/2 RSS by half its variance a column, so
// lambdas below this share of it are all alike. Without noise: as a share of the largest.
constexpr double kBelowNoise = 0.01, kOfHighest = 1e-6;

using Maker = std::unique_ptr<Method> (*)();
constexpr Maker kMakers[] = {make_lasso, make_relaxed_lasso,   make_forward,
                             make_foba,  make_lasso_criterion, make_lass0_paper,
                             make_lass0, make_lass0_ridge,     make_exact};
constexpr Maker kOnlyWhenAsked = make_exact;  // a proof may take very long

std::unique_ptr<Method> make_method(const std::string& name) {
  std::string known;
  for (const Maker make : kMakers) {
    std::unique_ptr<Method> method = make();
    if (method->name().name == name) return method;
    known.append(known.empty() ? "" : ", ").append(method->name().name);
  }
  throw UsageError("there is no method " + name + ", only " + known);
}

}  // namespace

std::vector<MethodName> compare_methods() {
  std::vector<MethodName> names;
  for (const Maker make : kMakers) names.push_back(make()->name());
  return names;
}

std::vector<std::unique_ptr<Method>> make_methods(const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Method>> methods;
  if (names.empty()) {
    for (const Maker make : kMakers) {
      if (make != kOnlyWhenAsked) methods.push_back(make());
    }
    return methods;
  }
  for (const std::string& name : names) {
    methods.push_back(make_method(name));
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError("the method " + name + " is named twice");
  }
  return methods;
}

std::vector<Tuning> lasso_grid(const Moments& training) {
  const double ratio = training.rows() > training.cols() ? kRatioOfTall : kRatioOfWide;
  const double largest = lasso_lambda_max(training) / training.weight();
  if (!(largest > 0)) return {Tuning{}};
  std::vector<Tuning> grid(kGridLambdas);
  for (int l = 0; l < kGridLambdas; ++l)
    grid[static_cast<std::size_t>(l)].lambda =
        largest * std::pow(ratio, static_cast<double>(l) / (kGridLambdas - 1));
  return grid;
}

std::vector<Candidate> lasso_candidates(const Moments& rows, std::span<const Tuning> grid,
                                        const Budget& budget) {
  LassoOptions options;
  options.control = budget.remaining();
  for (const Tuning& tuning : grid) options.lambdas.push_back(tuning.lambda * rows.weight());
  const LassoPath path = lasso_path(rows, options);
  budget.check();  // or else the path may have been stopped on its way
  std::vector<Candidate> candidates;
  for (const LassoPoint& point : path.points) {
    Candidate candidate;
    candidate.support = without_included(rows.problem(), point.at.support);
    Vector b(std::ssize(candidate.support));
    std::size_t at = 0;
    for (std::size_t l = 0; l < point.at.support.size() && at < candidate.support.size(); ++l) {
      if (point.at.support[l] != candidate.support[at]) continue;
      b[static_cast<Index>(at)] = point.at.coefficients[static_cast<Index>(l)] /
                                  rows.coefficient_unit(candidate.support[at]);
      ++at;
    }
    candidate.b = std::move(b);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::vector<Tuning> size_grid(const Moments& training) {
  std::vector<Tuning> grid(static_cast<std::size_t>(default_max_k(training) + 1));
  for (std::size_t k = 0; k < grid.size(); ++k) grid[k].k = static_cast<Index>(k);
  return grid;
}

std::vector<Candidate> by_size(std::vector<std::vector<Index>> supports,
                               std::span<const Tuning> grid) {
  std::vector<Candidate> candidates;
  for (const Tuning& tuning : grid) {
    std::vector<Index> support =
        supports[std::min(static_cast<std::size_t>(tuning.k), supports.size() - 1)];
    std::sort(support.begin(), support.end());
    candidates.push_back({std::move(support)});
  }
  return candidates;
}

std::vector<Tuning> lambda_grid_of(const Moments& training, const SupportTable& table,
                                   double ridge) {
  LambdaRange range = lambda_range(training, table, -1);
  // The last column of all may be worth far more than noise. A part of the rows then needs a lower
  // lambda than all of them to choose it.
  if (!range.capped) range.lowest = lowest_lambda(range.highest, table.rows.back().loss, training);
  return lambda_grid_in(range, ridge);
}

double lowest_lambda(double highest, double least_loss, const Moments& training) {
  return std::max(kBelowNoise * noise_of_a_column(training, least_loss), kOfHighest * highest);
}

std::vector<Tuning> lambda_grid_in(const LambdaRange& range, double ridge) {
  std::vector<Tuning> grid;
  for (const double lambda : lambda_grid(range, {}, kGridLambdas)) {
    Tuning tuning;
    tuning.lambda = lambda;
    tuning.ridge = ridge;
    grid.push_back(tuning);
  }
  return grid;
}

SupportTable whole_table(const Moments& rows, const Budget& budget) {
  SupportTable table =
      best_supports(rows, {.effort = Effort::quick, .control = budget.remaining()});
  if (stopped(table.status)) throw Stop{table.status};
  return table;
}

}  // namespace lass0
