// The near-optimal models and the prices of columns of near_optimal.hpp, for any loss.
#pragma once

#include <lass0/near_optimal.hpp>

#include "exact/candidates.hpp"
#include "exact/prices.hpp"

namespace lass0 {

// `best` must be proven. `distance`: how far above its objective models may be, in the caller's
// units.
NearOptimal find_near_optimal(const Candidates& candidates, const Form& form, Columns best,
                              double distance, const NearOptimalOptions& options,
                              const Control& control);

}  // namespace lass0
