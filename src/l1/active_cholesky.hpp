// The Cholesky factor of G_AA for a set A of columns that changes by a few members at a time:
// O(k^2) per member that joins or leaves, where a new factor would cost O(k^3). Along a Lasso path
// nearly all of A stays.
#pragma once

#include <lass0/types.hpp>
#include <vector>

namespace lass0 {

class ActiveCholesky {
 public:
  Index size() const { return std::ssize(columns_); }
  const std::vector<Index>& columns() const { return columns_; }  // A, in the factor's own order

  // Appends these columns, with their products G_JA (a row each, in the order of columns()) and
  // G_JJ (its lower triangle). The number of those that were: the next one is a combination of A
  // and those before it, as what is left of it is rounding of its scale.
  Index append(Columns columns, Matrix products, Matrix among, const ConstVec& scales);
  void remove(Index position);
  void clear() {
    columns_.clear();
    removals_ = 0;
  }

  Vector solve(Vector x) const;  // inv(G_AA) x, in the order of columns()

  // Removals add up rounding: true when it is time to clear() and append all anew.
  bool has_drifted() const { return removals_ > kMostRemovals; }

 private:
  static constexpr int kMostRemovals = 500;

  std::vector<Index> columns_;
  Matrix L_;  // lower triangle of the leading k x k
  int removals_ = 0;
};

}  // namespace lass0
