// The duality gap of the Lasso of any loss, over all columns. With dual(u) of the loss (loss.hpp),
//
//   F >= dual(u) - u'offset - sum_j max(0, |z_j'u| - lambda)^2 / (2 ridge)
//
// for every u that is orthogonal to the intercept (the sum also has the included columns, whose
// lambda is 0); without a ridge u must be orthogonal to the included columns too, and |z_j'u| at
// most lambda. u is the residual with that projected out, and shrunk as far as it must.
#pragma once

#include "glm/glm_rows.hpp"

namespace lass0 {

struct GlmLassoGap {
  Vector gradient;      // z_j'u of the projected residual, all columns
  double relative = 0;  // to `scale`
};

// At coefficients b of the intercept (where there is one) and of the panel's columns. `value`: what
// is minimised, without the L1 norm. At lambda 0: how far the gradient is from 0.
GlmLassoGap glm_lasso_gap(const Panel& panel, double lambda, const Vector& b, const Vector& eta,
                          double value, double scale);

}  // namespace lass0
