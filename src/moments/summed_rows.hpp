// Rows that have given sums of squares and products: with the mean m, the weight W and the sums S =
// R'R of a fold about its mean, r + 1 rows
//
//   m + sqrt((r + 1) / W) Q R,   each of weight W / (r + 1),
//
// where Q has r orthonormal columns that sum to 0. Whatever least squares computes from the rows of
// the fold, such as fits, losses and errors of other models, it gets from these as well.
#pragma once

#include "moments/fold_sums.hpp"

namespace lass0 {

// One row for each row of the result. Sums that are 0 within rounding have no rows: a column that
// others explain entirely is explained by them in the result, too. At most as many rows as the fold
// has. None of an empty fold.
Matrix rows_of_sums(const FoldSum& sum, const Vector& centre);

}  // namespace lass0
