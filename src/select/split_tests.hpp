// Split-sample p-values: what a cross-validation asks of them beyond the public header.
#pragma once

#include <lass0/inference.hpp>

namespace lass0 {

// Throws Error, as split_tests would, where the rows do not suffice: before a long run.
void check_split_tests(const Problem& problem);

}  // namespace lass0
