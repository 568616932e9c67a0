// Some of many columns, copied from X: their products among themselves, and what all columns have
// in common with the residuals of models on them, of several models in one pass over X. For a
// solver that looks at one set of columns for long. It costs n times the square of the list and a
// pass for eight models, where the Gram columns of the list would cost a pass for eight of these.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "moments/all_rows.hpp"

namespace lass0 {

class Budget;

class ListedColumns {
 public:
  // Whether Gram columns are passes over X for these moments alone, and a list may get as long as
  // the Lasso needs it. Columns that are shared by training sets are better kept.
  static bool suit(const Moments& moments);

  explicit ListedColumns(const Moments& moments);  // which suit, and outlive this
  ~ListedColumns();
  ListedColumns(const ListedColumns&) = delete;
  ListedColumns& operator=(const ListedColumns&) = delete;

  Index size() const { return std::ssize(columns_); }
  const std::vector<Index>& columns() const { return columns_; }  // in the order in which they came
  bool has(Index j) const { return listed_[static_cast<std::size_t>(j)] != 0; }
  bool has_room(Index more) const;
  void add(Columns columns);  // none of which is here

  // The products of the column at this place with all that are listed, until others are added.
  const double* products(Index place) const { return &G_(0, place); }
  // c - G_.W b for each column b of B, a number for each column that is listed: p x (at most
  // kGramBatch). Throws Stop.
  Matrix residual_correlations(const Matrix& B, const Budget& budget) const;

 private:
  double bytes() const { return sizeof(double) * static_cast<double>(Z_.size() + G_.size()); }
  Index most_columns() const;  // that there is room for
  void reserve(Index columns);

  const Moments& moments_;
  const AllRows& rows_;
  std::vector<Index> columns_;
  std::vector<char> listed_;  // each column of X
  Vector root_;               // sqrt(w)
  Vector target_;             // u, times sqrt(w)
  Matrix Z_, G_;              // sqrt(w) z of the listed columns, and Z'Z; both with room for more
};

}  // namespace lass0
