// Forward stepwise selection for any loss: from no column, always the one that lowers it most.
#pragma once

#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

// The supports of 0 .. steps columns, fewer where columns run out or there is no finite fit with
// one more. All columns are scored to second order, and the best few fitted. Throws Stop.
std::vector<std::vector<Index>> glm_forward(Panel& panel, Index steps, const Budget& budget);

}  // namespace lass0
