// For every member of a support the columns that would do best in its place, and what it costs to
// leave it out.
#pragma once

#include <lass0/search.hpp>

#include "search/state/support_state.hpp"
#include "util/budget.hpp"

namespace lass0 {

// The `per_member` nearest of each member; all k p swaps are scored exactly. Under signs only those
// that keep all of them. Costs are in the user's units; one that rounding could have made is 0.
// `state`: with Detail::swaps, just built.
StandIns nearest_stand_ins(const Moments& moments, const SupportState& state, Index per_member,
                           const Budget& budget);
// `support`: independent columns.
StandIns nearest_stand_ins(const Moments& moments, Columns support, Index per_member,
                           const Budget& budget);

}  // namespace lass0
