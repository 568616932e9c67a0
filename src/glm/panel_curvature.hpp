// The second derivatives of the loss among all columns of a panel at one fit. Fits nearby have
// nearly the same, so that with many rows the moves at all of them are scored with these.
#pragma once

#include "glm/newton.hpp"

namespace lass0 {

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
