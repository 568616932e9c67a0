// The L1 stage: the Lasso of the paper's Eq. 2,
//
//   1/2 * sum_i w_i (y_i - beta0 - x_i' beta)^2 + lambda1 * sum_j s_j |beta_j|
//
// plus the ridge term of the problem, if it has one (an elastic net). Included columns are not
// penalised. s_j is the standard deviation of column j (without an intercept, the root mean
// square), or 1 if the problem is not standardised. The sum is not divided by n, as in Eq. 1, so
// lambda1 is n times glmnet's lambda.
#pragma once

#include <lass0/moments.hpp>

namespace lass0 {

struct LassoOptions {
  double tolerance = 1e-7;           // stop at a duality gap of this times 1/2 y'y (centred)
  std::vector<double> lambdas = {};  // largest first; empty: `count` values, evenly spaced in log
                                     // from lambda_max down
  int count = 100;
  double ratio = 1e-3;  // smallest / largest of a grid made by `count`
  Index max_support =
      -1;  // end the path after the first solution with more columns than this; -1: never
  Control control = {};
};

struct LassoPoint {
  double lambda = 0;
  Iterate at;               // in the user's units, with included columns
  double objective = 0;     // of the L1 problem
  double relative_gap = 0;  // duality gap / (1/2 y'y), over all columns
  bool converged = false;   // relative_gap <= tolerance
};

struct LassoPath {
  double lambda_max = 0;  // the smallest lambda1 with no column
  std::vector<LassoPoint> points;
  bool complete = true;  // false: the time limit or keep_going stopped it before the last lambda
};

double lasso_lambda_max(const Moments& moments);
LassoPath lasso_path(const Moments& moments, const LassoOptions& options = {});

// One lambda, reached from lambda_max by a short warm-started path. Throws UsageError if lambda is
// negative or not finite.
LassoPoint lasso(const Moments& moments, double lambda, const LassoOptions& options = {});

}  // namespace lass0
