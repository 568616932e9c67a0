// What every add and remove would do to F = 1/2 loss + lambda * sum |beta_i|^q, in the internal
// units of Moments (F / e^2).
#pragma once

#include <lass0/search.hpp>
#include <optional>

#include "search/state/support_state.hpp"

namespace lass0 {

class Scores {
 public:
  Scores(const Moments& moments, const Penalty& penalty);

  double objective(const SupportState& state) const;  // F at the state

  // How much F falls by moving column j in or out of the support; -infinity where it can't move.
  // O(1) for q = 0, O(k) for q > 0: the other coefficients change with every move, and so does
  // their penalty.
  double move_gain(const SupportState& state, Index j) const;

  // The swap that lowers F most, or none that lowers it by more than `enough`; q = 0 only.
  // `alternatives`: the nearest stand-ins of every member. The best one for each is computed anew
  // for its own support, because on nearly dependent columns a score is a small difference of large
  // numbers.
  std::optional<Swap> best_swap(const SupportState& state,
                                std::span<const Alternative> alternatives, double enough,
                                const Budget& budget) const;

  double user_units() const { return unit_; }  // F of the user = this times F here

 private:
  double coefficient_penalty(Index j, double b) const;  // of coefficient b of column j

  const Moments& moments_;
  double lambda_, power_, unit_;
};

}  // namespace lass0
