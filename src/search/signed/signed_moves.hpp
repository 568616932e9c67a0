// The best add, remove and swap of a support when coefficients have signs. What a move gains
// without signs is what it can gain with them at the most, so moves are refitted under signs in the
// order of that bound, until no bound that is left can beat the best found: exact, and few refits.
//
// More than half of the moves need none. With signs on one coefficient alone,
//
//   a column whose own coefficient would be wrong gains nothing: the best of it is to stay out;
//   a member l whose coefficient would be b'_l, wrong, costs at least b'_l^2 / H'_ll of the gain.
#pragma once

#include <vector>

#include "search/signed/signed_fit.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {

// Where a move leads. The refit may have set more columns to 0, so the support can be smaller than
// the move would have it.
struct SignedMove {
  Index remove = -1, add = -1;  // columns
  double gain = 0;              // of the loss; below 0 for removes
  FittedSupport fit;

  explicit operator bool() const { return remove >= 0 || add >= 0; }
};

// `state` keeps the signs and has Detail::swaps. Of the adds and the swaps the best one that gains
// more than `enough`; `kept_out` can't come in. Ties go to the lower columns.
SignedMove best_signed_add(const Moments& moments, const SupportState& state, double enough,
                           Index kept_out = -1);
SignedMove best_signed_swap(const Moments& moments, const SupportState& state, double enough,
                            const Budget& budget, Index kept_out = -1);
// The remove that costs least; none where the support is empty.
SignedMove best_signed_remove(const Moments& moments, const SupportState& state);

// All coefficients have the right sign after member i (its place) was swapped for column j. O(k).
bool swap_keeps_signs(const Moments& moments, const SupportState& state, Index i, Index j);

}  // namespace lass0
