// Which rows are held out together.
#pragma once

#include <lass0/cross_validate.hpp>
#include <memory>
#include <vector>

namespace lass0 {

// Small random folds that all repeats share. Each of their folds is a union of cells, so the sums
// of the cells, from one pass over X, give the moments of all training sets of all repeats.
struct Cells {
  std::vector<int> labels;  // the cell of each row; 0 for rows of weight 0
  Index count = 0;
};

struct Partition {
  std::vector<int> labels;  // the fold of each row, 0 .. folds - 1; 0 for rows of weight 0
  Index folds = 0;
  std::shared_ptr<const Cells> cells = {};             // none: folds are not unions of cells
  std::vector<std::vector<Index>> cells_of_fold = {};  // ascending
};

// One partition, or `repeats` of them; none where splits are given. Every fold has a row of
// positive weight, and there are at least two. Throws UsageError for options that contradict each
// other, Error where the rows do not suffice.
std::vector<Partition> make_partitions(const Problem& problem, const CrossValidateOptions& options);

// Repeats share cells if there are at most this many folds and columns, and at least this many rows
// (or groups): unions of cells are then as good as random rows.
inline constexpr Index kCellsPerFold = 10, kMostFoldsOfCells = 20, kMostColumnsOfCells = 256,
                       kFewestRowsOfCells = 2000;

// The weights of the rows that one fold holds out and of the rows it keeps: 0 for the others.
struct SplitWeights {
  Vector kept, held_out;
};
SplitWeights split_weights(const Problem& problem, std::span<const int> labels, Index fold);

}  // namespace lass0
