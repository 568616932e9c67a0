// The second-order model of the loss at a fit is a least-squares problem: rows have the weights M
// and the target eta + u / M less the offset (the step of IRLS). Whatever searches supports for
// least squares therefore searches them for any loss, near the fit.
#pragma once

#include "glm/newton.hpp"

namespace lass0 {

class SecondOrder {
 public:
  // Among the columns of the panel, which must not change while this is in use.
  SecondOrder(const Panel& panel, const GlmFit& at, const Control& control);
  SecondOrder(const SecondOrder&) = delete;
  SecondOrder& operator=(const SecondOrder&) = delete;

  const Moments& moments() const { return *moments_; }  // column l is panel.columns()[l]

  std::vector<Index> columns_of(Columns places) const;  // ascending

  // The solution of this model on a support, where an exact fit should start.
  GlmStart start(const std::vector<Index>& support) const;

 private:
  const Panel& panel_;
  Vector y_, weights_;
  std::vector<Index> include_;
  std::optional<DenseDesign> design_;
  Problem problem_;
  std::optional<Moments> moments_;
};

}  // namespace lass0
