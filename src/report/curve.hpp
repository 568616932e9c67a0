// The data of cross-validation beside the models: the curve that chose, and p-values.
#pragma once

#include "report/run.hpp"

namespace lass0::report {

Json curve_json(const CrossValidation& cv, Family family);
Json inference_json(const Problem& problem, const CrossValidation& cv);  // cv has split tests

}  // namespace lass0::report
