// Moves that a swept Gram matrix T (see tableau.hpp) has behind it, and what they do to a column:
// with v column a before a comes in or leaves, column j falls by v v_j / v_a, and T_aj becomes
// +- v_j / v_a. So a column can wait until it is looked at.
#pragma once

#include <vector>

#include "search/tableau/tableau_kernels.hpp"

namespace lass0 {

// Of T: the diagonal at the members, y's column (y itself at place y), and the diagonal elsewhere.
struct UpToDate {
  Columns members;
  std::vector<double>& h;
  Index y;
  double *r, *s;
};

class PendingUpdates {
 public:
  explicit PendingUpdates(Index lanes) : lanes_(lanes) {}

  Index count() const { return std::ssize(moves_); }
  void clear() { moves_.clear(); }  // keeps the memory

  // For the next move: where column a goes before it. Then make(), and the move is done.
  Vector& next();
  // sign +1: column a comes in, -1: it leaves. Of `at` what is always kept up to date changes.
  void make(Index a, double sign, const UpToDate& at);

  const Vector& pivot_column() const { return moved_[moves_.size() - 1]; }  // of the last move
  double inverse() const { return moves_.back().inverse; }                  // of its v_a
  // What that move makes of column a itself.
  void write_pivot_column(double* out) const { write_pivot_column(moves_.size() - 1, out); }

  // Column j, which is none that moves, after the moves from the first-th on.
  void apply(Index first, Index j, double* column) const { apply(first, j, column, column); }
  // The same from another place, whether or not column j itself moves.
  void write_column(Index j, const double* from, double* out) const;

  // Where there are two moves, none of them of column j: what they take from it, but for the rows
  // of the two columns that moved.
  bool two_moves_of_others(Index j) const {
    return count() == 2 && moves_[0].column != j && moves_[1].column != j;
  }
  TwoMoves two_moves(Index j) const {
    const double *v = moved_[0].data(), *w = moved_[1].data();
    return {v, w, v[j] * moves_[0].inverse, w[j] * moves_[1].inverse};
  }

 private:
  struct Move {
    Index column;
    double sign, inverse;
  };

  void apply(Index first, Index j, const double* from, double* out) const;
  void write_pivot_column(std::size_t move, double* out) const;

  Index lanes_;
  std::vector<Move> moves_;
  std::vector<Vector> moved_;  // the column of each move before it; and some to spare
};

}  // namespace lass0
