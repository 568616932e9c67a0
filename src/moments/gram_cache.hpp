// The sums over rows behind Moments, kept per fold: what depends on the data but not on which
// training set looks at them. Gram columns are computed in blocks when first asked for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <lass0/moments.hpp>
#include <memory>
#include <mutex>
#include <set>

#include "moments/gram_store.hpp"
#include "moments/sparse_products.hpp"
#include "util/pace.hpp"

namespace lass0 {

inline constexpr const char* kGramMatrix = "Gram matrix";  // what is being done, for the progress

class GramCache {
 public:
  // Throws Stop.
  GramCache(const Problem& problem, RowGroups groups, const Budget& budget);

  Index folds() const { return groups_.count; }
  Index cols() const { return scale_->size(); }

  // Slot 0 holds the sum over all rows; slots 1 .. K the folds, where there is more than one.
  Index slots() const { return groups_.count == 1 ? 1 : groups_.count + 1; }

  // Few columns: the Gram matrix is computed at once and in full, for each fold as well; nothing
  // depends on the number of rows after that. Many: a few columns at a time, over all rows only.
  bool in_full() const { return in_full_; }

  // Keeps the columns, as far as there is room; in_full() there always is. The bits of a column
  // don't depend on what else is asked for, so threads may ask in any order.
  // With a budget, throws Stop.
  void fetch(Columns columns, const Budget* budget = nullptr);
  const GramStore& store() const { return store_; }
  // G_.j of that slot, p values, centred by the means over all rows; slots other than 0 only
  // in_full(). Null: it is not kept.
  const double* column(Index j, Index slot = 0) const {
    return store_.column(j) + slot * slot_rows();
  }
  // The columns, at most kGramBatch of them, without keeping any. Not in_full().
  Matrix compute(Columns batch, const Budget* budget = nullptr) const;
  // Z'V over all rows: p x m in one pass over X. The sums of the columns of V are 0 where the
  // problem has an intercept. Eight of them cost about as much as one.
  Matrix times(const RowMatrix& V, const Budget* budget = nullptr) const;

  // Null: products are kept. Otherwise none of the above is asked for, but times().
  const std::shared_ptr<const SparseRows>& sparse_rows() const { return sparse_rows_; }
  Vector unit() const { return unit(0, cols()); }  // 1 / d_j, 0 for a constant column

  GramRoom& room() { return room_; }
  void count_pass() const { ++passes_; }
  GramUse use() const;

  const Problem& problem() const { return problem_; }
  const RowGroups& groups() const { return groups_; }
  const Vector& row_weights() const { return w_; }  // those of the user over weight_root()^2
  double weight_root() const { return weight_root_; }
  int threads() const { return threads_; }
  // z_j times `weights` over all rows; 0 for a constant column.
  void add_internal_column(Index j, const Vector& weights, MutVec out) const;

  // Per slot: rows of positive weight, sums of w, w u, w u^2; per column and slot: sums of w z, w z
  // u, w z^2.
  const Vector& rows_used() const { return rows_used_; }
  const Vector& weight() const { return weight_; }
  const Vector& target_sum() const { return target_sum_; }
  const Vector& target_square() const { return target_square_; }
  const Matrix& sums() const { return sums_; }
  const Matrix& xty() const { return xty_; }
  const Matrix& squares() const { return squares_; }

  const std::shared_ptr<Vector>& scale() const { return scale_; }  // d_j; 1 for a constant column
  const Vector& centre() const { return centre_; }                 // m_j
  double target_scale() const { return target_scale_; }
  double target_centre() const { return target_centre_; }

 private:
  void measure_target();
  void measure_columns(const Budget& budget);
  void measure_block(Index first, Index count, const RowMatrix& weighted_target);
  void rescue_extreme_column(Index j);
  bool small_means(double most) const;
  void compute_in_full(const Budget& budget);
  bool compute_by_rows(const Budget& budget);
  void compute_by_folds(const Budget& budget);
  void keep_in_full(Matrix slots);
  // Numbers from one slot of a Gram column to the next: two are not of the Gram matrix where the
  // columns' own sums came with it.
  Index slot_rows() const { return cols() + (sums_with_gram_ ? 2 : 0); }
  Matrix compute(Columns batch, Index padded, Pace& pace) const;
  Matrix times(const RowMatrix& V, Pace& pace) const;
  double multiplications(Index columns) const;  // of so many Gram columns over all rows
  Index block_size() const;
  Vector unit(Index first, Index count) const;  // of some columns

  Problem problem_;
  RowGroups groups_;
  int threads_;
  Vector w_;  // the weights, 1 where none were given
  double weight_root_ = 1;
  Index first_used_row_ = 0;
  Vector rows_used_, weight_, target_sum_, target_square_;
  Matrix sums_, xty_, squares_;
  std::shared_ptr<Vector> scale_;
  Vector centre_;
  double target_scale_ = 1, target_centre_ = 0;

  bool in_full_ = false;
  bool sums_with_gram_ = false;  // those of the columns over folds: see compute_by_folds()
  Vector shift_;                 // what is subtracted from X before products over all rows
  std::shared_ptr<const SparseRows> sparse_rows_;

  std::mutex compute_mutex_;          // guards what follows
  std::set<Index> under_way_;         // columns that some thread is computing
  std::condition_variable one_done_;  // a batch of these
  GramRoom room_;
  GramStore store_;
  mutable std::atomic<Index> passes_ = 0;
};

}  // namespace lass0
