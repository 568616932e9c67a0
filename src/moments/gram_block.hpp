// The products of some columns among themselves, where nothing is wanted of all the others: what a
// search among a few of many columns looks at. A Gram column is p numbers and a pass over X; this
// is the square of a short list, from the columns of that list alone.
#pragma once

#include <vector>

#include "moments/gram_cache.hpp"

namespace lass0 {

class GramBlock {
 public:
  Index size() const { return std::ssize(columns_); }
  bool has(Columns some) const;
  // More columns, each once; only what is new is computed. `left_out`: rows, always the same.
  void extend(Columns columns, const GramCache& all, const std::vector<Index>& left_out);

  // Sums of w z_i z_j, about the means over all rows: of the rows that a view keeps, and of those
  // that it leaves out (empty where there are none).
  const Matrix& kept() const { return kept_; }
  const Matrix& left_out() const { return left_out_; }
  // out(i, l) = from(rows[i], cols[l]), `from` being one of the two.
  void copy(const Matrix& from, Columns rows, Columns cols, MutMat out) const;

 private:
  std::vector<Index> columns_;   // in the order of the two matrices, which have room for more
  std::vector<Index> position_;  // in that order, of each column of X; -1: it is not here
  Matrix kept_, left_out_;
};

// z_j of some columns over all rows, times `weights`.
Matrix internal_columns(const GramCache& all, Columns columns, const Vector& weights);

// So many of them take little memory.
Index columns_at_a_time(const GramCache& all);

}  // namespace lass0
