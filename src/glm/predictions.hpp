// Fits as the rows see them: what solvers of many fits leave out until somebody asks.
#pragma once

#include <span>

#include "glm/newton.hpp"

namespace lass0 {

// Fills in eta of a fit that lacks it.
void predict(const Panel& panel, GlmFit& fit);

// Z'u for all columns of the panel, u the residuals of a fit: one fit per column, all by one look
// at the rows. Fills in eta where it is lacking.
Matrix residual_products(const Panel& panel, std::span<GlmFit* const> fits);

}  // namespace lass0
