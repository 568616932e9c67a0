// Where a search of very many columns should look: those whose adds to a fit score best.
#pragma once

#include <vector>

#include "glm/glm_rows.hpp"
#include "glm/newton.hpp"

namespace lass0 {

// About the best `count` adds to a fit whose predictions are known, best first. One pass over X
// ranks all columns by their correlation with the residual; what the fit explains of a column is
// looked at for the best of these alone.
std::vector<Index> likely_columns(const GlmRows& rows, const GlmFit& fit, Index count);

}  // namespace lass0
