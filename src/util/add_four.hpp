// Four columns at a time, so that what they are added to is read and written once for all of them.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

// out += v[0] a + v[1] b + v[2] c + v[3] d
void add_four(Index n, const double* v, const double* a, const double* b, const double* c,
              const double* d, double* out);

}  // namespace lass0
