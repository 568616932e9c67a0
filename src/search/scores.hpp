// What every add and remove would do to F = 1/2 RSS + lambda * sum |beta_i|^q, in the internal
// units of Moments (F / e^2).
#pragma once

#include "search/support_state.hpp"

namespace lass0 {

class Scores {
 public:
  Scores(const Moments& moments, const Penalty& penalty);

  double objective(const SupportState& state) const;  // F at the state

  // How much F falls by moving column j in or out of the support; -infinity where it can't move.
  // O(1) for q = 0, O(k) for q > 0: the other coefficients change with every move, and so does
  // their penalty.
  double move_gain(const SupportState& state, Index j) const;

  // The largest fall of F over all swaps, ties to the lower columns; q = 0 only.
  struct BestSwap {
    Index remove = -1, add = -1;
    double gain = 0;
  };
  BestSwap best_swap(const SupportState& state) const;

  double user_units() const { return unit_; }  // F of the user = this times F here

 private:
  double coefficient_penalty(Index j, double b) const;  // of coefficient b of column j

  const Moments& moments_;
  double lambda_, power_, unit_;
};

}  // namespace lass0
