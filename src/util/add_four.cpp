#include "util/add_four.hpp"

#include "util/target_clones.hpp"

namespace lass0 {

LASS0_TARGET_CLONES
void add_four(Index n, const double* v, const double* a, const double* b, const double* c,
              const double* d, double* out) {
  const double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
#pragma omp simd
  for (Index i = 0; i < n; ++i) out[i] += (v0 * a[i] + v1 * b[i]) + (v2 * c[i] + v3 * d[i]);
}

}  // namespace lass0
