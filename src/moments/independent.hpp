// Which of some columns are linearly independent, by Cholesky on their Gram matrix.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "util/cholesky.hpp"

namespace lass0 {

struct IndependentColumns {
  std::vector<Index>
      kept;  // independent, ascending; every other candidate is a combination of them
  std::vector<Index> dropped;  // ascending; those that can't be chosen at all among them
};

// A column is dropped when the kept ones leave less than `tolerance` of its square unexplained. Of
// columns that are multiples of each other the one of lowest index is kept.
IndependentColumns independent_columns(const Moments& moments, Columns candidates,
                                       double tolerance);

// Each of the columns whose Gram matrix was factored leaves more than kAliasTolerance of its square
// unexplained by all the others. Which of the columns came first does not matter, unlike for a test
// of the pivots alone.
bool all_independent(const Cholesky& factor, const Vector& squares);

}  // namespace lass0
