// The whole Gram matrix of few columns in one pass over X, where X has quick access to rows.
#pragma once

#include "moments/all_rows.hpp"

namespace lass0 {

// Over all rows, p x p. Empty: X has no quick access to rows, or there are very few.
Matrix gram_by_rows(const AllRows& rows, const Budget& budget);

// Where rows.sums_with_gram(): over all rows and over each fold, one below the other, with two more
// rows and columns in each (for the target and for 1). Sets the sums over folds.
Matrix gram_by_folds(AllRows& rows, const Budget& budget);

}  // namespace lass0
