// Eight doubles that the compiler keeps in vector registers: one of AVX-512, two of AVX2, four of
// plain x86-64. For the few loops in which it would not find them by itself.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

inline constexpr Index kEight = 8;
using Eight = double __attribute__((vector_size(kEight * sizeof(double)), aligned(8)));

inline const Eight& load(const double* values) { return *reinterpret_cast<const Eight*>(values); }

}  // namespace lass0
