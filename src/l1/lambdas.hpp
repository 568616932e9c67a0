// The lambdas of a Lasso path, and the walk along them, whatever solves the Lasso at each.
#pragma once

#include <functional>
#include <lass0/lasso.hpp>

#include "util/budget.hpp"

namespace lass0 {

// Throws UsageError unless it is a finite number, 0 or more.
void check_lambda(double lambda);
void check_options(const LassoOptions& options);

// The lambdas by which a first one is reached from lambda_max: none of them is far from the one
// before.
std::vector<double> steps_to(double lambda_max, double lambda);

// Those of the options, or the grid that they ask for; largest first.
std::vector<double> path_lambdas(double lambda_max, const LassoOptions& options);

// The points at those lambdas, until one has more columns than
// max_support or the budget stops the run. `solve`: the point at a lambda, from the one before;
// `size`: its number of columns.
LassoPath follow_path(double lambda_max, const LassoOptions& options, const Budget& budget,
                      const std::function<LassoPoint(double)>& solve,
                      const std::function<Index()>& size);

}  // namespace lass0
