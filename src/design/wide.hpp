// Sixteen columns of V at a time: as many as the Gram matrix is computed by when X has many
// columns, and as two vectors of eight a row of them stays in registers.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

inline constexpr Index kWide = 16, kHalf = kWide / 2;
using Eight = double __attribute__((vector_size(kHalf * sizeof(double)), aligned(8)));

}  // namespace lass0
