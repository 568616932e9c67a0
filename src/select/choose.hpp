// From the errors of all folds to one point of the curve.
#pragma once

#include <lass0/cross_validate.hpp>

namespace lass0 {

// mean_error and se of the point whose errors a row in each fold are these.
void summarise(const ConstVec& errors, std::span<const double> weights, CurvePoint& point);

// Sets minimum, one_se and chosen.
void choose(CrossValidation& cv);

}  // namespace lass0
