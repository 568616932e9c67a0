// Lower bounds on the losses of supports, for any loss. They are dual: with u any vector of the
// domain of the conjugate, o the offset and Z the intercept and the columns of a support,
//
//   1/2 loss(support) >= dual(u) - u'o - 1/(2 ridge) sum of (z_j'u)^2
//
// where z_j'u must be 0 for what has no ridge: the intercept, and without a ridge all columns. This
// holds for every u, so no fit has to converge. At the residual of a fit it is the loss itself; and
// with M the curvature there, H = inv(Z'MZ + ridge) and b the coefficients,
//
//   u + b_i MZ H_.i / H_ii
//
// is orthogonal to all columns but i, and a bound on the loss without i that is right to third
// order: the first two terms of its rise are b_i^2 / H_ii, what least squares would have.
#pragma once

#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

// A fit on some columns, and what it says of all supports among them.
struct BoundedFit {
  GlmFit fit;
  double lower = 0;  // no support among these columns has a lower loss
  // Of each column of fit.support: a support that lacks it has at least the loss `lower` + worth,
  // and one that lacks several at least `lower` plus the sum of their shares (0 without a ridge).
  Vector worth, share;
  Vector order;          // what worth is about, where it can't be bounded: which columns matter
  bool regular = false;  // worth and H are known
  Matrix H;              // of the intercept, the included columns and the support

  // Where a fit without the column at this place of the support should start.
  GlmStart start_without(Index place) const;
};

class GlmBounds {
 public:
  // All columns that will be asked about must be in the panel, which must outlive this.
  explicit GlmBounds(Panel& panel);

  // -infinity where the family allows no bound.
  double least() const { return least_; }  // of any predictor: no loss is lower
  double null_loss() const { return null_loss_; }

  // An ascending support. From many threads at once.
  BoundedFit fit(std::vector<Index> support, const GlmStart* start = nullptr) const;
  GlmFit fit_alone(std::vector<Index> support) const { return newton_.fit(std::move(support)); }

  // Lower bounds on the loss of all supports of 0 .. max_size of these columns, from the fit on
  // one support: with a ridge. Otherwise they say what least() does, but for size 0.
  std::vector<double> by_size(Columns columns, const GlmFit& at, Index max_size) const;

  bool has_ridge() const { return ridge_ > 0; }

 private:
  Matrix columns_of(const std::vector<Index>& support) const;
  double dual_value(const Vector& u) const;  // less the terms of the ridge

  Panel& panel_;
  const GlmRows& rows_;
  const Newton newton_;
  const Index first_;  // 1 with an intercept
  const double ridge_;
  double least_ = 0, null_loss_ = 0;
};

// Some of these columns that are dependent, in the order given, together with those before them and
// `fixed`, the included columns and the intercept; `none`: there is no dependency. Empty: the fixed
// ones alone are dependent.
struct Dependency {
  bool none = true;
  std::vector<Index> columns;
};
Dependency find_dependency(const Panel& panel, Columns fixed, Columns free);

}  // namespace lass0
