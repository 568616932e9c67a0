// The products of some columns among themselves, where nothing is wanted of all the others: what a
// search among a few of many columns looks at. A Gram column is p numbers and a pass over X; this
// is the square of a short list, from the columns of that list alone.
#pragma once

#include <shared_mutex>
#include <vector>

#include "moments/all_rows.hpp"
#include "moments/gram_source.hpp"

namespace lass0 {

class GramBlock {
 public:
  Index size() const { return std::ssize(columns_); }
  bool has(Columns some) const;
  // More columns, each once; only what is new is computed. `held_out`: rows, always the same.
  void extend(Columns columns, const AllRows& all, const std::vector<Index>& held_out);

  // Sums of w z_i z_j, about the means over all rows: of the rows that a view keeps, and of those
  // that it leaves out (empty where there are none).
  const Matrix& kept() const { return kept_; }
  const Matrix& held_out() const { return held_out_; }
  // out(i, l) = from(rows[i], cols[l]), `from` being one of the two.
  void copy(const Matrix& from, Columns rows, Columns cols, MutMat out) const;

 private:
  std::vector<Index> columns_;   // in the order of the two matrices, which have room for more
  std::vector<Index> position_;  // in that order, of each column of X; -1: it is not here
  Matrix kept_, held_out_;
};

// Such products of one view, with what the view changes in them. Kept with those of earlier calls
// as long as they are not too many. Thread-safe.
class ViewBlock {
 public:
  ViewBlock(const AllRows& all, const GramView& view);  // both outlive this

  void fetch(Columns columns);
  // out = G_IJ, where these products were fetched. False: they were not, and nothing is done.
  bool copy(Columns rows, Columns columns, MutMat out) const;
  // sum of w z_i z_j over the held-out rows, likewise.
  bool copy_held_out(Columns support, Matrix& out) const;
  const std::vector<Index>& held_out_rows() const { return held_out_rows_; }

 private:
  const AllRows& all_;
  const GramView& view_;
  const std::vector<Index> held_out_rows_;
  mutable std::shared_mutex mutex_;  // guards the block
  GramBlock block_;
};

// sum of w z_i z_j over these rows for i and j of a support, from X itself.
Matrix products_over_rows(const AllRows& all, const std::vector<Index>& rows, Columns support);

// b'G b term by term, and the sum of the sizes of the terms: of a few products x[i] with their
// factors, or of a whole matrix.
GramSource::SumOfTerms sum_of_terms(Index n, const double* x, const double* factors);
GramSource::SumOfTerms square_of(const Matrix& G, const ConstVec& b);

}  // namespace lass0
