// Folds are looked at together as far as the sums that are kept for each of them allow:
// leave-one-out has as many folds as rows, and three sums for every column of each.
#pragma once

#include <vector>

#include "select/folds.hpp"

namespace lass0 {

// Some folds of one partition; all its other rows are one more group, which is never held out.
struct Batch {
  std::vector<int> labels;
  Index folds = 0;                   // 0 .. folds - 1 are those of this batch
  Index first = 0;                   // the number of its first fold among those of all partitions
  std::vector<double> weights = {};  // of the rows; empty: those of the problem
  Index partition = 0;               // the number of the partition
  std::shared_ptr<const Cells> cells = {};             // as in Partition
  std::vector<std::vector<Index>> cells_of_fold = {};  // likewise

  // The labels by which moments for this batch keep their sums, ...
  const std::vector<int>& summed_by() const { return cells ? cells->labels : labels; }
  // ... and those of them that a fold holds out.
  std::vector<Index> held_out(Index fold) const {
    return cells ? cells_of_fold[static_cast<std::size_t>(fold)] : std::vector<Index>{fold};
  }
};

std::vector<Batch> make_batches(const std::vector<Partition>& partitions, Index columns);

// One a split, which leaves out its rows to predict; those that take no part have weight 0. Throws
// Error where a split can't be used.
std::vector<Batch> make_batches(const Problem& problem, std::span<const Split> splits);

}  // namespace lass0
