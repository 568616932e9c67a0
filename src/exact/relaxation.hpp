// A bound for subproblems with many free columns. For any diagonal Delta >= 0 with G - Delta
// positive semidefinite, and any price mu of a column,
//
//   1/2 loss + mu * size  >=  min over beta of
//       1/2 beta'(G - Delta) beta - c'beta + sum_i min over z in [0, 1] of Delta_i beta_i^2 / (2 z)
//       + mu z
//
// the perspective relaxation: convex, and exact where G is diagonal. By duality every point beta
// gives a bound, solved to the end or not: with Q = G - Delta, w = c - Q beta, v_i = w_i^2 / (2
// Delta_i),
//
//   1/2 loss(support)  >=  1/2 loss(in) - 1/2 beta'Q beta - sum over its free members of v_i
//
// and so, for supports that keep t of the free columns, with the t largest v_i. Delta is improved
// together with beta: at the best one this is the semidefinite relaxation of best subset.
#pragma once

#include <optional>

#include "exact/subproblem.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct RelaxationGoal {
  std::optional<double> price;  // mu; empty: found so that `keep` columns are worth it
  Index keep = 0;               // the number of free columns kept that matters most
  std::vector<double>
      thresholds;  // by number kept: bounds on the loss above these close the problem
};

struct Relaxation {
  double base = 0;  // 1/2 loss(in) - 1/2 beta'Q beta
  Vector value;     // v
  Vector delta;

  std::vector<double> lower() const;  // of the loss, by the number of free columns kept
};

// From the Delta of the subproblem, where it has one, as long as it improves and at most `rounds`
// times. Regular subproblems only.
Relaxation relax(const Reduced& reduced, const RelaxationGoal& goal, int rounds,
                 const Budget& budget);

}  // namespace lass0
