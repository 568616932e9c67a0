// The second-order model of the loss at a fit, as the Lasso sees it: with the curvature M of some
// fit, H = Z'MZ plus the ridge over the columns of a panel, and from it, once the intercept and the
// included columns are projected out, G and c of the other columns.
//
// M may be that of a fit nearby. A step with it is still one downhill, as long as the gradient is
// that of the fit itself, and it saves the products of all pairs of columns.
#pragma once

#include "glm/newton.hpp"
#include "l1/quadratic.hpp"

namespace lass0 {

// Column j of it is the panel's column at place j + (number of included columns).
class LocalQuadratic final : public Quadratic {
 public:
  // `target_square`: twice the loss of the model with no column.
  LocalQuadratic(const Panel& panel, double target_square);

  // With the curvature at these linear predictors, for all columns of the panel.
  void renew(const Vector& eta);
  // With the same curvature, for the columns that the panel has gained.
  void grow();

  // The model at coefficients b of the intercept (where there is one) and of the columns of the
  // panel, where -`gradient` is that of the loss and the ridge term.
  void move_to(const Vector& b, const Vector& gradient);
  Vector penalised(const Vector& b) const { return b.tail(G_.rows()); }
  const Vector& residual_products() const { return g_; }  // c - G b
  // All coefficients, where the penalised ones are these.
  Vector all_coefficients(const Vector& penalised) const;

  const Vector& diagonal() const override { return diagonal_; }
  const Vector& linear() const override { return c_; }
  const Vector& squares() const override { return squares_; }
  double target_square() const override { return target_square_; }
  const double* column(Columns W, Index place, Vector& room) const override;

 private:
  void project();

  const Panel& panel_;
  const double target_square_;
  const Index first_, free_;  // 1 with an intercept; with the included columns
  Vector M_;
  Matrix H_;  // of the intercept and all columns
  Matrix L_;  // H of the intercept and the included columns is L L'
  Matrix U_;  // H of the others with them, times inv(L')
  Matrix G_;
  Vector diagonal_, squares_, c_, g_, b_, free_gradient_;
};

}  // namespace lass0
