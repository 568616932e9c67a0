// Sparse tables as the readers of sparse formats make them: the non-zeros in the order of the file,
// then by columns.
#pragma once

#include <cstdint>
#include <lass0/types.hpp>
#include <span>
#include <string>
#include <vector>

namespace lass0::io {

// Compressed sparse columns, rows ascending within a column.
struct SparseColumns {
  Index rows = 0, cols = 0;
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> row;
  std::vector<double> value;
};

// Non-zeros in any order, as sparse text formats list them.
struct Triplets {
  Index rows = 0, cols = 0;
  std::vector<std::int32_t> row, col;  // 0-based
  std::vector<double> value;
  void add(Index i, Index j, double v);
  void keep_columns(std::span<const Index> columns);  // these alone, in this order
};

// Whether a file with this many values can't mean that many rows or columns: nearly all of them
// would be empty, and what a fit keeps for each would be all that it works on.
bool mostly_empty(Index rows_or_columns, Index values);

// Throws Error when an entry is given twice. Zeros are left out.
SparseColumns compress(const Triplets& entries, const std::string& source);

}  // namespace lass0::io
