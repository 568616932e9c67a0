// The second-order model of the loss at a fit is a least-squares problem: rows have the weights M
// and the target eta + u / M less the offset (the step of IRLS). Whatever searches supports for
// least squares therefore searches them for any loss, near the fit.
#pragma once

#include "glm/newton.hpp"
#include "glm/panel_curvature.hpp"

namespace lass0 {

class SecondOrder {
 public:
  // Among the columns of the panel, which must not change while this is in use. At the model with
  // no column all rows have the same curvature per weight: then the least-squares moments of the
  // rows do, where they have the sums of all columns, and no row is looked at.
  // `roughly`: where there are very many rows, curvatures are those of a part of them.
  SecondOrder(const Panel& panel, const GlmFit& at, bool roughly, const Control& control);
  // With second derivatives that are known, of a fit nearby: the model is exact to first order.
  // Without included columns.
  SecondOrder(const Panel& panel, const GlmFit& at, const PanelCurvature& nearby,
              const Control& control);
  SecondOrder(const SecondOrder&) = delete;
  SecondOrder& operator=(const SecondOrder&) = delete;

  const Moments& moments() const { return *moments_; }  // column l is panel.columns()[l]

  std::vector<Index> columns_of(Columns places) const;  // ascending

  // The solution of this model on a support, where an exact fit should start, and its curvature.
  GlmStart start(const std::vector<Index>& support) const;

 private:
  void use_base(const GlmFit& at, double curvature);
  void use_rows(const GlmFit& at, const Vector& u, const Vector& curvature, const Control& control);
  void use_products(const GlmFit& at, const Vector& u, const Matrix& C, const Control& control);
  GlmStart start_by_products(const std::vector<Index>& support) const;
  GlmStart start_with_included(const std::vector<Index>& support) const;

  const Panel& panel_;
  Matrix few_rows_;
  Vector y_, weights_;
  std::vector<Index> include_;
  std::optional<DenseDesign> design_;
  Problem problem_;
  std::optional<Moments> moments_;
  // The coefficient of z_l is target_ / scales_[l] times that of the moments; z_l has the mean
  // means_[l] and y the mean level_, both by the curvature, which adds up to total_.
  double target_ = 1, level_ = 0, total_ = 0;
  Vector scales_, means_;
  // Where they are known: second derivatives of the intercept and the panel's columns, with the
  // ridge, and what they make of the solution.
  Matrix H_;
  Vector products_;
};

}  // namespace lass0
