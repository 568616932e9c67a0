// Which rows are left out together.
#pragma once

#include <lass0/cross_validate.hpp>
#include <vector>

namespace lass0 {

struct Partition {
  std::vector<int> labels;  // the fold of each row, 0 .. folds - 1; 0 for rows of weight 0
  Index folds = 0;
};

// One partition, or `repeats` of them; none where splits are given. Every fold has a row of
// positive weight, and there are at least two. Throws UsageError for options that contradict each
// other, Error where the rows do not suffice.
std::vector<Partition> make_partitions(const Problem& problem, const CrossValidateOptions& options);

// The weights of the rows that one fold holds out and of the rows it keeps: 0 for the others.
struct SplitWeights {
  Vector kept, held_out;
};
SplitWeights split_weights(const Problem& problem, std::span<const int> labels, Index fold);

}  // namespace lass0
