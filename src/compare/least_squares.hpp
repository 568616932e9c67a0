// The least-squares coefficients on a support from sums alone, and how far they can be trusted.
#pragma once

#include <lass0/moments.hpp>

namespace lass0 {

struct SumsFit {
  Vector b;              // internal units
  double loss = 0;       // likewise
  double inflation = 0;  // the largest variance inflation of a member; infinity where dependent
};
SumsFit fit_from_sums(const Moments& rows, Columns support);

}  // namespace lass0
