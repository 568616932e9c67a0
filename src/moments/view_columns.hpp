// The Gram columns of one set of rows (all of them, or a training set) as solvers see them: about
// that set's own means, with the ridge, and without what the included columns explain.
//
// Over all rows, with neither of the two, they are the columns of the GramCache itself. Otherwise
// each view keeps its own: those over all rows less those over the rows left out, which come from
// the cache where that has them by fold, or else from a copy of the few rows left out.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "moments/gram_block.hpp"

namespace lass0 {

class ViewColumns {
 public:
  // What a view's own means, ridge and included columns change.
  struct Corrections {
    Index left_out = -1;  // fold, or -1
    Vector sums;          // of w z_j over the view's rows
    double weight = 0;
    Vector ridge;      // of G_jj; empty: none
    Matrix explained;  // U of the included columns, p x |I|; empty: none
  };

  ViewColumns(std::shared_ptr<GramCache> all, Corrections corrections);
  ~ViewColumns();
  ViewColumns(const ViewColumns&) = delete;
  ViewColumns& operator=(const ViewColumns&) = delete;

  // Both are thread-safe. Keeps the columns, as far as there is room.
  void fetch(Columns columns, const Budget* budget = nullptr);
  Matrix compute(Columns batch);         // at most kGramBatch of them, without keeping any
  const double* column(Index j) const {  // null: it is not kept
    return plain_ ? all_->store().column(j) : store_.column(j);
  }
  bool has(Index j) const { return column(j) != nullptr; }
  auto reading() const { return plain_ ? all_->store().reading() : store_.reading(); }

  // The products of these columns among themselves, without those with all others. Kept, with
  // those of earlier calls as long as they are not too many. Thread-safe. Nothing to do where the
  // whole matrix is there.
  void fetch_block(Columns columns);
  // out = G_IJ, where these products were fetched so. False: they were not, and nothing is done.
  bool copy_block(Columns rows, Columns columns, MutMat out) const;

  // sum of w (z_S'b)^2 over the rows left out, as the sum of its terms b_i b_j (Z'WZ)_ij, and the
  // sum of their sizes.
  struct SumOfTerms {
    double sum = 0, sizes = 0;
  };
  SumOfTerms left_out_square(Columns support, const ConstVec& b);

 private:
  Matrix corrected(Columns batch) const;
  void gather_left_out();
  void subtract_left_out(Columns batch, Matrix& columns) const;
  Matrix left_out_block(Columns support);

  std::shared_ptr<GramCache> all_;
  const Corrections corrections_;
  const bool plain_;
  std::vector<Index> rows_;   // left out
  Matrix left_out_;           // sqrt(w) z of the rows left out; empty where that is too large
  std::mutex gather_mutex_;   // guards left_out_ while it is made
  std::mutex compute_mutex_;  // guards the store
  GramStore store_;           // empty where the view is plain
  mutable std::shared_mutex block_mutex_;  // guards what follows
  GramBlock block_;
};

}  // namespace lass0
