// The Lasso on a working set W of columns, in the internal units of Moments:
//
//   minimise  1/2 b'Gb - c'b + sum_j t_j |b_j|     over b on W,      t_j = lambda * l1_weight_j
//
// Coordinate descent with covariance updates finds which coefficients are non-zero; once their
// signs have settled the coefficients solve a linear system exactly (an active-set step), so the
// support is right to rounding, not to a tolerance.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "l1/active_cholesky.hpp"
#include "util/budget.hpp"

namespace lass0 {

class RestrictedLasso {
 public:
  // `b` and `g` = c - G b hold the values on W to start from; `factor` is kept from one call to the
  // next.
  RestrictedLasso(const Moments& moments, std::vector<Index> columns, Vector thresholds, Vector b,
                  Vector g, ActiveCholesky& factor, const Budget& budget);

  // Runs until the KKT conditions hold on W to `accuracy` (a fraction of the thresholds), or
  // for a fixed number of rounds.
  void solve(double accuracy);

  const Vector& b() const { return b_; }

 private:
  Index position(Index j) const { return position_[static_cast<std::size_t>(j)]; }
  bool sweep(const std::vector<Index>& positions);  // false: nothing moved noticeably
  void active_set_step();
  bool factor_active();
  bool remove_dependence(Index dependent);
  double violation() const;
  void refresh_gradient();
  std::vector<Index> active() const;
  const double* gram(Index position);
  void fetch_likely(Index position);

  const Moments& moments_;
  ActiveCholesky& factor_;
  const Budget& budget_;
  std::vector<Index> columns_;
  Vector t_, b_, g_, diagonal_, c_;
  std::vector<Index> position_;  // of each column in W, or -1
  std::vector<Vector> gram_;     // G_Wj by position, filled when b_j first changes
};

}  // namespace lass0
