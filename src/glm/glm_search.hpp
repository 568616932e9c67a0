// The paper's Algorithm 1 for any loss: from a start support, the best add or remove as long as the
// objective strictly falls. Every move is judged by its exact fit. Where there are few enough of
// them all moves are fitted; otherwise all are scored to second order, and the best few fitted.
#pragma once

#include <lass0/search.hpp>
#include <map>
#include <vector>

#include "glm/newton.hpp"

namespace lass0 {

// What exact fits have found, for searches that come by the same supports again: at other lambdas
// most of them do. All of them with one panel.
struct KnownFit {
  GlmFit::State state = GlmFit::State::fitted;
  double loss = 0;
};
using KnownFits = std::map<std::vector<Index>, KnownFit>;

// As search() for least squares. The status is local_optimum where all adds, removes and swaps were
// fitted, second_order_optimum where they were scored; with no stand-ins asked for, swaps are not
// looked at, and it is add_remove_optimum. Throws Error where the start or the best
// move separates the classes: then no coefficients are the best ones.
SearchResult glm_search(Panel& panel, Columns start, const Penalty& penalty, KnownFits& known,
                        const Control& control = {}, Index stand_ins = 1);

// For each member the columns that would do best in its place, chosen to second order; what they
// and leaving it out cost is that of exact fits. Columns whose fit is not finite are left out.
StandIns glm_stand_ins(Panel& panel, Columns support, Index per_member, const Budget& budget);

// The columns outside an independent support that it, with the included ones, explains entirely.
std::vector<Index> glm_aliased(Panel& panel, Columns support);

}  // namespace lass0
