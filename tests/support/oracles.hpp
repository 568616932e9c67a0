// Slow, obvious versions of the fast code, written from the paper and from what the headers
// promise. Everything is computed from the raw data in long double; every candidate is refitted by
// QR. The library's answers are compared with these.
#pragma once

#include <optional>
#include <vector>

#include "support/random_problem.hpp"

namespace lass0::testing {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Support = std::vector<Index>;  // ascending

// The data as least squares sees them: rows of positive weight only, centred where there is an
// intercept, times sqrt(w).
struct Centred {
  explicit Centred(const Data& data);

  RealMatrix X;
  RealVector y;
  RealVector mean;  // of the columns; 0 without an intercept
  Real y_mean = 0;
  Real weight = 0;       // the sum of the weights
  RealVector norm;       // of the columns of X; exactly 0 for constant columns
  RealVector deviation;  // s_j of lasso.hpp: norm / sqrt(weight), or 1 where the data say not to
                         // standardise
  // With a ridge, one more row a column: sqrt(ridge) s_j for that column (0 for a constant one), 0
  // for all others and for y. Then the loss is a sum of squares. Without, X and y themselves.
  RealMatrix augmented_X;
  RealVector augmented_y;
  RealVector augmented_norm;
  Support include;

  Index p() const { return X.cols(); }
};

// Support and included columns together: what a model with that support is fitted on.
Support model_columns(const Centred& data, const Support& support);
Support without_included(const Data& data, const Support& columns);

// The fit on exactly these columns (included ones have no part in it unless they are among them):
// the minimum-norm solution (of the columns at unit norm) where columns are dependent.
struct LeastSquares {
  RealVector beta;  // one per member of the support, the user's units
  Real intercept = 0;
  Real rss = 0;
  Real loss = 0;  // with the ridge term
  Index rank = 0;
};
LeastSquares least_squares(const Centred& data, const Support& support);

// The share of (the square of) column j that these columns do not explain; 0 for a constant column.
Real unexplained(const Centred& data, const Support& columns, Index j);
// Less than kAliasTolerance is left of it by the support and the included columns.
bool aliased(const Centred& data, const Support& support, Index j);

// sum_i w_i (y_i - beta0 - x_i'beta)^2 and the penalties, by definition.
Real rss_by_definition(const Data& data, const Iterate& at);
Real ridge_by_definition(const Data& data, const Iterate& at);  // ridge * sum (s_j beta_j)^2
Real penalty_by_definition(const Penalty& penalty, const RealVector& beta);
Real objective_by_definition(const Data& data, const Penalty& penalty, const Iterate& at);

// F of the fit on a support and the included columns, which pay nothing.
Real refitted_objective(const Centred& data, const Penalty& penalty, const Support& support);

// Algorithm 1: each step refits every single add and remove, and takes the best if F falls by more
// than 1e-10 * F. Candidates whose F are within that of the best are ties: the lowest column wins.
// Aliased columns are never added (they can't lower F).
struct OracleMove {
  bool add = true;
  Index column = 0;
  Real gain = 0;
  Real objective = 0;
};
struct OracleSearch {
  Support support;
  Real objective = 0;
  std::vector<OracleMove> moves;
  // The closest call: the smallest difference in F, relative to F, that decided anything. Where it
  // is tiny, rounding may decide otherwise.
  Real margin = 1;
  bool tied = false;  // some step had several best candidates: the order of the columns decided
};
OracleSearch algorithm_1(const Centred& data, const Support& start, const Penalty& penalty);

struct OracleSwap {
  Index remove = 0, add = 0;
  Real gain = 0;
};
// The best exchange of a member for another column, whether it improves F or not; none where there
// is no candidate.
std::optional<OracleSwap> best_swap(const Centred& data, const Support& support,
                                    const Penalty& penalty);
// By how much the best single add or remove lowers F (negative: none does).
Real best_single_gain(const Centred& data, const Support& support, const Penalty& penalty);

// Over all supports (p <= 12 or so).
Real brute_force_objective(const Centred& data, const Penalty& penalty);

// The Lasso of lasso.hpp by cyclic coordinate descent, finished by solving for the signs found;
// exact to about 1e-15.
struct OracleLasso {
  RealVector beta;  // p of them, the user's units
  Real intercept = 0;
  Real objective = 0;
  Support support;  // without the included columns
  Real kkt = 0;     // the worst violation of the optimality conditions, relative to lambda_max
  Real margin = 1;  // how clear the support is: the least slack of a column outside, or the least
                    // share of lambda_max that a member's |coefficient| is worth; both in [0, 1]
};
OracleLasso lasso_by_definition(const Centred& data, Real lambda);
Real lambda_max_by_definition(const Centred& data);

// Judgement of any Lasso answer from the raw data.
struct LassoJudgement {
  Real objective = 0;  // with the ridge term
  Real kkt = 0;        // as above
  Real gap = 0;  // duality gap with the best multiple of the residual as dual point, relative to
                 // 1/2 y'y after the included columns
};
LassoJudgement judge_lasso(const Data& data, Real lambda, const Iterate& at);

std::string describe(const Data& data);  // sizes and settings, for SCOPED_TRACE

}  // namespace lass0::testing
