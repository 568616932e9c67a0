// The near-optimal models and the prices of columns of near_optimal.hpp, for other losses than
// squares. Within::automatic is lambda or, for a given size, a fall of the log-likelihood by
// kWithinLogLikelihood.
#pragma once

#include <lass0/near_optimal.hpp>

#include "glm/glm_rows.hpp"

namespace lass0 {

// `panel` gets all columns that can be chosen. `best` must be proven.
NearOptimal glm_near_optimal_at_lambda(Panel& panel, Columns best, double lambda,
                                       const NearOptimalOptions& options = {},
                                       const Control& control = {});
NearOptimal glm_near_optimal_of_size(Panel& panel, Columns best,
                                     const NearOptimalOptions& options = {},
                                     const Control& control = {});

// The distance that `within` asks for. lambda: none for a given size.
double glm_distance_within(const Within& within, double objective, std::optional<double> lambda);

}  // namespace lass0
