// The random fold of a row, from the number of the row and the seed alone: rows that are read in
// parts, on other days or other machines get the folds that they have in one piece.
//
// Row i has place i mod F in a random permutation of the F folds that is seeded by (seed, i div F),
// so sizes differ by one at the most.
#pragma once

#include <vector>

#include "util/random.hpp"

namespace lass0 {

class RowFolds {
 public:
  RowFolds(std::uint64_t seed, Index folds);

  Index folds() const { return std::ssize(order_); }
  Index of(Index row);  // quick for rows in order

 private:
  std::uint64_t first_seed_;
  Index block_ = -1;
  std::vector<Index> order_;  // of this block of rows
};

}  // namespace lass0
