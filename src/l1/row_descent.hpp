// The Lasso on a working set W of many columns of a sparse X, as restricted_lasso.hpp has it, with
// the residual kept over the rows: a coordinate step costs the non-zeros of its column, where that
// with a Gram matrix costs |W|.
//
// Coordinate descent finds the support. It is slow where the columns of the support are nearly as
// many as the rows; there a Newton step on the support, solved by conjugate gradients as far as is
// worth it, gets ahead: each iteration costs about what a sweep does.
//
// It ends by the duality gap on W: columns of tiny coefficients may be missing or too many.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

class RowDescent {
 public:
  // Moments of a sparse X (Moments::sparse) without included columns. `thresholds` are positive;
  // `b` holds the values on W to start from.
  RowDescent(const Moments& moments, const std::vector<Index>& columns, Vector thresholds, Vector b,
             const Budget& budget);

  // Until the duality gap over W is at most `gap` (of 1/2 u'u). False: it does not get there.
  bool solve(double gap);

  const Vector& b() const { return b_; }

 private:
  // Column i of W is values_[k] - mu_i sqrt(w) with the values in rows_[k], start_[i] <= k <
  // start_[i + 1]; all rows times sqrt(w).
  double product(Index i, const Vector& v) const;
  void add_column(Index i, double a, Vector& v) const;
  double gradient(Index i) const;
  void sweep(const std::vector<Index>& positions);
  void newton_step(std::vector<Index> active);
  Vector newton_direction(const std::vector<Index>& active, Vector residual) const;
  void refresh_residual();
  double loss() const;
  double objective() const;
  double duality_gap() const;
  std::vector<Index> active() const;

  const Moments& moments_;
  const Budget& budget_;
  const std::vector<Index>& columns_;
  Vector t_, b_, mu_, ridge_, diagonal_;
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> rows_;
  std::vector<double> values_;
  Vector root_;     // sqrt(w)
  Vector target_;   // times sqrt(w)
  double weight_;   // sum of w
  Vector q_;        // the residual, but for a multiple of sqrt(w) where there is an intercept
  double sum_ = 0;  // of sqrt(w) q, which is not 0 because of that
};

}  // namespace lass0
