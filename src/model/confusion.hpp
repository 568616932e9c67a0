// How often two classes are predicted and seen.
#pragma once

#include <lass0/fit.hpp>

namespace lass0 {

// By the linear predictors of all rows. Rows whose predictor is NaN do not count.
Confusion confusion_of(const Problem& problem, const ConstVec& links);

}  // namespace lass0
