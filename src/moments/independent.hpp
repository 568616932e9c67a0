// Which of some columns are linearly independent, by pivoted Cholesky on their Gram matrix.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

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

}  // namespace lass0
