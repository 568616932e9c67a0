// For every member of a support the columns that would do best in its place, and what it costs to
// leave it out.
#pragma once

#include <lass0/search.hpp>

#include "util/budget.hpp"

namespace lass0 {

struct StandIns {
  std::vector<Alternative> alternatives;
  std::vector<Removal> without;  // one per member, ascending; empty where columns are dependent
};

// The `per_member` nearest of each member, ordered by member and then by what they cost, ties by
// column; all k p swaps are scored exactly. Under signs only those that keep all of them.
// `support`: independent columns. Costs are in internal units; one that rounding could have made is
// 0. Beside them what it costs to leave each member out.
StandIns nearest_stand_ins(const Moments& moments, Columns support, Index per_member,
                           const Budget& budget);

}  // namespace lass0
