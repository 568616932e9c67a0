// The Gram columns of one set of rows (all of them, or a training set) as solvers see them: about
// that set's own means, with the ridge, and without what the included columns explain.
//
// Over all rows, with neither of the two, they are the columns of the GramCache itself. Otherwise
// each view keeps its own: those over all rows less those over the rows left out, which come from
// the cache where that has them by fold, or else from a copy of the few rows left out.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "moments/gram_cache.hpp"

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

  void fetch(Columns columns);  // thread-safe
  const double* column(Index j) const {
    return plain_ ? all_->column(j, 0)
                  : columns_[static_cast<std::size_t>(j)].load(std::memory_order_acquire);
  }
  bool has(Index j) const {
    return plain_
               ? all_->has(j)
               : columns_[static_cast<std::size_t>(j)].load(std::memory_order_acquire) != nullptr;
  }

  // sum of w z_i z_j over the rows left out, for i and j of a support.
  void left_out_block(Columns support, MutMat out);

 private:
  void compute(Columns missing);
  void gather_left_out();
  void subtract_left_out(Columns batch, Matrix& columns) const;

  std::shared_ptr<GramCache> all_;
  const Corrections corrections_;
  const bool plain_;
  std::vector<Index> rows_;  // left out
  Matrix left_out_;          // sqrt(w) z of the rows left out; empty where that is too large
  std::mutex compute_mutex_;
  std::vector<std::atomic<const double*>> columns_;
  std::vector<Matrix> batches_;
};

}  // namespace lass0
