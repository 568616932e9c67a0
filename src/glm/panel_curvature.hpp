// The second derivatives of the loss among all columns of a panel at one fit. Fits nearby have
// nearly the same, so that with many rows the moves at all of them are scored with these.
#pragma once

#include "glm/newton.hpp"

namespace lass0 {

// sum_i M_i z_i z_i' over the intercept, if there is one, and the panel's columns: M is a diagonal.
Matrix weighted_products(const Panel& panel, const Vector& M);

// About that, positive semidefinite, from a part of the rows where there are very many for each
// column: rows of the whole length of the data, the same for all M. Good enough to rank columns.
Matrix estimated_products(const Panel& panel, const Vector& M);

class PanelCurvature {
 public:
  PanelCurvature(const Panel& panel, const GlmFit& at);

  // The predictions of a fit differ little from those where this was computed, and the panel has
  // the same columns.
  bool holds_at(const Panel& panel, const GlmFit& fit) const;

  // Rows and columns: the intercept, if there is one, then the panel's columns. Without the ridge.
  const Matrix& matrix() const { return C_; }

 private:
  Vector eta_, M_;  // where this was computed, and the curvature of each row there
  Index columns_;
  Matrix C_;
};

}  // namespace lass0
