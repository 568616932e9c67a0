// The rows of a problem: sums over them, kept per fold, and products of the columns with vectors
// over the rows. What depends on the data but not on which training set looks at them.
#pragma once

#include <atomic>
#include <lass0/moments.hpp>

#include "moments/gram_store.hpp"
#include "util/pace.hpp"

namespace lass0 {

inline constexpr const char* kGramMatrix = "Gram matrix";  // what is being done, for the progress

// The sum over all rows less that of some folds, or that of the other folds, whichever are fewer.
// Sums of the other folds lose no digits, so they are preferred where both are as many.
struct SlotSum {
  bool from_all = true;
  std::vector<Index> slots;  // to subtract from slot 0; or else to add up

  // column(s) is an expression of the numbers in slot s.
  template <class Out, class Column>
  void of(Out&& out, const Column& column) const {
    if (from_all)
      out = column(0);
    else
      out.setZero();
    for (const Index s : slots) {
      if (from_all)
        out -= column(s);
      else
        out += column(s);
    }
  }
};

class AllRows {
 public:
  // One pass over X. Throws Stop.
  AllRows(const Problem& problem, RowGroups groups, const Budget& budget);

  const Problem& problem() const { return problem_; }
  const RowGroups& groups() const { return groups_; }
  int threads() const { return threads_; }
  Index folds() const { return groups_.count; }
  Index cols() const { return scale_.size(); }

  // Slot 0 holds the sum over all rows; slots 1 .. K the folds, where there is more than one.
  Index slots() const { return groups_.count == 1 ? 1 : groups_.count + 1; }

  // Per slot: rows of positive weight, sums of w, w u, w u^2; per column and slot: sums of w z, w z
  // u, w z^2.
  const Vector& rows_used() const { return rows_used_; }
  const Vector& weight() const { return weight_; }
  const Vector& target_sum() const { return target_sum_; }
  const Vector& target_square() const { return target_square_; }
  const Matrix& sums() const { return sums_; }
  const Matrix& xty() const { return xty_; }
  const Matrix& squares() const { return squares_; }

  const Vector& row_weights() const { return w_; }  // those of the user over weight_root()^2
  double weight_root() const { return weight_root_; }
  const Vector& scale() const { return scale_; }    // d_j; 1 for a constant column
  const Vector& centre() const { return centre_; }  // m_j
  double target_scale() const { return target_scale_; }
  double target_centre() const { return target_centre_; }
  Vector unit() const { return unit(0, cols()); }  // 1 / d_j, 0 for a constant column
  Vector unit(Index first, Index count) const;     // of some columns
  bool small_means(double most) const;             // all at most `most` standard deviations
  std::vector<Index> rows_of_folds(const std::vector<Index>& folds) const;
  Vector weights_without(const std::vector<Index>& folds) const;  // row_weights(), 0 in those folds
  // How the sums without some folds (ascending) come from those in the slots with the fewest
  // additions.
  SlotSum slots_without(const std::vector<Index>& folds) const;

  // z_j times `weights` over all rows; 0 for a constant column.
  void add_internal_column(Index j, const Vector& weights, MutVec out) const;
  Matrix internal_columns(Columns columns, const Vector& weights) const;
  Index columns_at_a_time() const;  // this many of these take little memory
  // Z'V: p x m in one pass over X. The sums of the columns of V are 0 where the problem has an
  // intercept. Eight of them cost about as much as one.
  Matrix times(const RowMatrix& V, const Budget* budget = nullptr) const;
  double multiplications(Index columns) const;  // of Z'V for this many columns of V
  Index block_size() const;  // columns per block of work, never a function of the number of threads

  // Few columns: the Gram matrix is best computed at once and in full, for each fold as well. The
  // sums over folds are then those that come with it, where X gives rows quickly.
  bool in_full() const { return in_full_; }
  bool sums_with_gram() const { return sums_with_gram_; }
  void set_fold_sums(Matrix sums, Matrix xty, Matrix squares);  // a column for each fold

  GramRoom& room() const { return room_; }
  void count_pass() const { ++passes_; }
  Index passes() const { return passes_; }

 private:
  void measure_target();
  void measure_columns(const Budget& budget);
  void measure_block(Index first, Index count, const RowMatrix& weighted_target);
  void rescue_extreme_column(Index j);

  Problem problem_;
  RowGroups groups_;
  int threads_;
  Vector w_;  // the weights, 1 where none were given
  double weight_root_ = 1;
  Index first_used_row_ = 0;
  Vector rows_used_, weight_, target_sum_, target_square_;
  Matrix sums_, xty_, squares_;
  Vector scale_, centre_;
  double target_scale_ = 1, target_centre_ = 0;
  bool in_full_ = false, sums_with_gram_ = false;
  Vector shift_;  // what is subtracted from X before products over all rows
  mutable GramRoom room_;
  mutable std::atomic<Index> passes_ = 0;
};

}  // namespace lass0
