// The second derivatives of the loss at one fit, for scores of the moves at all fits nearby, which
// have nearly the same.
#pragma once

#include <deque>

#include "glm/newton.hpp"

namespace lass0 {

// sum_i M_i z_i z_i' over the intercept, if there is one, and the panel's columns: M is a diagonal.
Matrix weighted_products(const Panel& panel, const Vector& M);

// About that, positive semidefinite, from a part of the rows where there are very many for each
// column: rows of the whole length of the data, the same for all M. Good enough to rank columns.
Matrix estimated_products(const Panel& panel, const Vector& M);

// A fit, and those whose predictions differ little from its own: its curvatures do for them.
class NearbyFits {
 public:
  explicit NearbyFits(const GlmRows& rows, const GlmFit& at);
  // Root mean square change of the predictions, by the curvature, of at most `most`.
  bool holds_at(const GlmFit& fit, double most) const;
  const Vector& curvature() const { return M_; }  // of each row; M 1 where M is not diagonal

 private:
  Vector eta_, M_;
};

// Among all columns of a panel.
class PanelCurvature {
 public:
  PanelCurvature(const Panel& panel, const GlmFit& at);

  // `fit` is nearby, and the panel has the same columns.
  bool holds_at(const Panel& panel, const GlmFit& fit) const;

  // Rows and columns: the intercept, if there is one, then the panel's columns. Without the ridge.
  const Matrix& matrix() const { return C_; }

 private:
  NearbyFits nearby_;
  Index columns_;
  Matrix C_;
};

// Those of a search so far, a few of the last ones.
class KnownCurvatures {
 public:
  // One that holds at a fit whose predictions are known: computed if there is none.
  const PanelCurvature& near(const Panel& panel, const GlmFit& fit);

 private:
  std::deque<PanelCurvature> known_;
};

}  // namespace lass0
