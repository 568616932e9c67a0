// The L1 stage: the Lasso of the paper's Eq. 2,
//
//   1/2 * sum_i w_i (y_i - beta0 - x_i' beta)^2 + lambda1 * sum_j s_j |beta_j|
//
// plus the ridge term of the problem where there is one (an elastic net); the sum leaves out the
// problem's included columns,
// with s_j the deviation of column j (sqrt of the weighted mean square about the mean; about 0
// without an intercept), or 1 where the problem says not to standardise. A plain sum like Eq. 1, so
// lambda1 is n times glmnet's lambda.
#pragma once

#include <lass0/moments.hpp>

namespace lass0 {

struct LassoOptions {
  double tolerance = 1e-7;           // stop at a duality gap of this times 1/2 y'y (centred)
  std::vector<double> lambdas = {};  // these, largest first; empty: `count` of them, evenly spaced
                                     // in log from lambda_max down
  int count = 100;
  double ratio = 1e-3;  // smallest / largest of a grid made by `count`
  Index max_support =
      -1;  // a path ends after the first solution that chooses more columns; -1: never
  Control control = {};
};

struct LassoPoint {
  double lambda = 0;
  Iterate at;            // support, coefficients, intercept: the user's units; included columns too
  double objective = 0;  // of the L1 problem
  double relative_gap = 0;  // duality gap / (1/2 y'y), over all columns
  bool converged = false;   // relative_gap <= tolerance
};

struct LassoPath {
  double lambda_max = 0;  // the smallest lambda1 with no column
  std::vector<LassoPoint> points;
  bool complete = true;  // false: stopped by time limit or keep_going before the last lambda
};

double lasso_lambda_max(const Moments& moments);
LassoPath lasso_path(const Moments& moments, const LassoOptions& options = {});

// One lambda, reached from lambda_max by a short warm-started path. Throws UsageError when lambda
// is negative or not finite.
LassoPoint lasso(const Moments& moments, double lambda, const LassoOptions& options = {});

}  // namespace lass0
