// Random halves of the rows, in complementary pairs: no row is in both halves of a pair. What
// stability selection searches, and what else compares an answer on one half with the other.
//
// Usually a half is a simple random half of the rows: of an odd number, one row is in neither half
// of a pair. Of more than kRowsApart rows with few columns, small_folds() random folds of the same
// size are made once, and every half is a random half of those folds: the moments of all halves
// then come from one pass over X (Moments::without_folds). Otherwise a half has a copy of its rows,
// or, where that would be too large, X itself with weight 0 for the other rows.
#pragma once

#include <cstdint>
#include <lass0/moments.hpp>
#include <optional>
#include <vector>

#include "model/solver.hpp"
#include "util/budget.hpp"

namespace lass0 {

class Halves {
 public:
  static constexpr Index kRowsApart = 2000;
  // As many folds as the Gram matrix of each can be kept for: 100, with more columns down to 28, an
  // even number. 0: columns are not few.
  static Index small_folds(Index columns);

  // The problem's data must outlive this. Asking for more pairs never changes the first ones.
  // Throws Stop, and Error where the rows are too few.
  Halves(const Problem& problem, Index pairs, std::uint64_t seed, const Budget& budget);

  const Problem& problem() const { return problem_; }
  const Solver& solver() const { return *all_; }  // of all rows
  const Moments& all_rows() const { return all_->moments(); }
  Index pairs() const { return pairs_; }
  // The rows of positive weight in one half, ascending. `side`: 0 or 1.
  std::vector<Index> rows(Index pair, int side) const;

  bool by_folds() const { return all_rows().folds() > 1; }
  // The folds that are not in this half, ascending. Only where by_folds().
  std::vector<Index> folds_outside(Index pair, int side) const;

 private:
  signed char side_of(Index pair, Index unit) const {
    return sides_[static_cast<std::size_t>(pair * units_ + unit)];
  }

  Problem problem_;
  Index pairs_, units_ = 0;         // what halves do not split: rows or folds
  std::vector<Index> unit_;         // of each row; -1: its weight is 0
  std::vector<signed char> sides_;  // pairs x units: 0, 1, or -1 for neither
  std::unique_ptr<Solver> all_;
};

// One half of one pair: its moments, which see the rows of the half alone. The ridge is multiplied
// by share(), so that it shrinks coefficients as it does on all rows.
class Half {
 public:
  // `halves` must outlive this. Throws Stop.
  Half(const Halves& halves, Index pair, int side, const Budget& budget);
  Half(const Half&) = delete;  // its moments may look at its own rows
  Half& operator=(const Half&) = delete;

  const Solver& solver() const { return *solver_; }
  const Moments& moments() const { return solver_->moments(); }
  double share() const { return share_; }      // of the sum of all weights
  bool own_rows() const { return own_rows_; }  // its moments do not share sums with other halves

 private:
  void copy_rows(const Halves& halves, const std::vector<Index>& rows);
  void keep_weights(const Vector& weights, const std::vector<Index>& rows);

  double share_ = 0;
  bool own_rows_ = false;
  Matrix X_;
  std::optional<DenseDesign> design_;
  Vector y_, weights_, offset_;
  std::unique_ptr<Solver> rows_, solver_;  // at the ridge of all rows, and at that of the half
};

}  // namespace lass0
