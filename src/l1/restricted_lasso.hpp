// The Lasso on a working set W of columns:
//
//   minimise  1/2 b'Gb - c'b + sum_j t_j |b_j|     over b on W
//
// (for least squares in the internal units of Moments, t_j = lambda * l1_weight_j).
// With support and signs given, the coefficients solve a linear system exactly (an active-set
// step), so the support is right to rounding, not to a tolerance. Coordinate descent with
// covariance updates brings in the columns that are missing, and finds the signs where many are
// non-zero.
#pragma once

#include <span>
#include <vector>

#include "l1/active_cholesky.hpp"
#include "l1/quadratic.hpp"
#include "util/budget.hpp"

namespace lass0 {

class RestrictedLasso {
 public:
  // `b` and `g` = c - G b hold the values on W to start from; `factor` may have been used for other
  // columns before.
  RestrictedLasso(const Quadratic& quadratic, std::vector<Index> columns, Vector b, Vector g,
                  ActiveCholesky& factor, const Budget& budget);

  // From the solution before, runs until the KKT conditions hold on W to `accuracy` (a fraction of
  // the thresholds), or for a fixed number of rounds.
  void solve(Vector thresholds, double accuracy);

  const std::vector<Index>& columns() const { return columns_; }
  const Vector& b() const { return b_; }
  const Vector& g() const { return g_; }

 private:
  Index position(Index j) const { return position_[static_cast<std::size_t>(j)]; }
  bool sweep(const std::vector<Index>& positions);  // false: nothing moved noticeably
  void sweep_support();
  double settled() const;
  void sweep_many();
  void sweep_entering();
  void active_set_step();
  bool factor_active();
  Index append_to_factor(std::span<const Index> positions);
  bool remove_dependence(Index dependent);
  double violation() const;
  void refresh_gradient();
  std::vector<Index> active() const;
  const double* gram(Index position);
  void fetch_likely(Index position);

  const Quadratic& quadratic_;
  ActiveCholesky& factor_;
  const Budget& budget_;
  std::vector<Index> columns_;
  std::vector<Index> everyone_;  // all positions
  bool many_change_ = false;     // more signs than an active-set step follows
  Vector t_, b_, g_, diagonal_, c_;
  Vector least_thresholds_;          // rounding hides what a smaller one would ask for
  std::vector<Index> position_;      // of each column in W, or -1
  std::vector<const double*> gram_;  // G_Wj by position, null until b_j first changes
  std::vector<Vector> room_;         // for those that lie nowhere else
};

}  // namespace lass0
