// The Lasso of any loss,
//
//   sum_i w_i l(y_i, eta_i) + lambda1 * sum_j s_j |beta_j|   (+ the ridge term)
//
// with everything as in lass0/lasso.hpp. The Lasso of least squares solves one second-order model
// of the loss after another (proximal Newton steps), on the columns that may enter; all columns are
// checked in one pass over X, and the duality gap of the loss itself certifies the solution.
#pragma once

#include <lass0/lasso.hpp>

#include "glm/glm_rows.hpp"

namespace lass0 {

// All three throw Error where the included columns separate the classes.
double glm_lasso_lambda_max(const GlmRows& rows);

// Of each point, relative_gap is the duality gap / the loss of the model with no column (the
// negative log-likelihood, with the ridge term of included columns). At lambda 0 there may be no
// finite solution: then it throws Error.
LassoPath glm_lasso_path(const GlmRows& rows, const LassoOptions& options = {});

// One lambda, reached from lambda_max by a short warm-started path.
LassoPoint glm_lasso(const GlmRows& rows, double lambda, const LassoOptions& options = {});

}  // namespace lass0
