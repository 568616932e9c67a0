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

}  // namespace lass0
