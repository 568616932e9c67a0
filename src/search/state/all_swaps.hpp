// All k p swaps of a support, scored: for reports on a final support, which name the best one and
// the nearest of each member. (A search looks at few of them: swap_scan.hpp.)
#pragma once

#include "search/state/support_state.hpp"

namespace lass0 {

class AllSwaps {
 public:
  // `state` has Detail::swaps and stays as it is while this is used.
  AllSwaps(const Moments& moments, const SupportState& state);

  // To be called before the others: the member, by its position.
  void choose(Index i);

  // The loss falls by this when column j takes the member's place, or rises where it is below 0.
  double gain(Index j) const { return std::min(regain_[j] - member_.worth, state_.loss()); }
  // What column j wins back of what the member is worth; -1: it can't stand there.
  const Vector& regain() const { return regain_; }

 private:
  const SupportState& state_;
  Vector least_;  // what of a column must be left unexplained for it to come in
  Vector regain_;
  Replaced member_{};
};

}  // namespace lass0
