// The least-squares fits of one support after another from the Gram matrix. Those of a table are
// mostly nested, S_k in S_k+1: what they have in common with the one before stays factored, and a
// column more costs O(k^2) where a new factor would cost O(k^3).
#pragma once

#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

class NestedFits {
 public:
  explicit NestedFits(const Moments& moments);  // which must outlive it

  // False: the columns are dependent, to rounding, and nothing below is to be used.
  bool fit(Columns support);

  Index size() const { return std::ssize(columns_); }
  const std::vector<Index>& columns() const { return columns_; }  // the support, in b's order
  auto b() const { return b_.head(size()); }                      // internal units
  double loss() const { return loss_; }
  double inflation() const;  // the largest variance inflation of its columns, at least 1 in theory

 private:
  bool append(Index j);
  void shorten(Index size);

  const Moments& moments_;
  std::vector<Index> columns_;
  std::vector<char> wanted_, here_;  // by column: of the support asked for, of columns_
  // U = inv(L)' for G_SS = L L', upper triangular: inv(G_SS) = U U'.
  Matrix U_;
  Vector z_;      // U'c
  Vector b_, h_;  // U z and the diagonal of inv(G_SS)
  Vector products_;
  double loss_;
};

}  // namespace lass0
