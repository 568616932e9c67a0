// Exact fits on many supports that have most columns in common, as neighbouring rows of a table
// do. Every step looks at the rows once for all of them, by products of matrices, and they share
// the second derivatives of one of them. A fit that does not get on that way (its predictions are
// nearly certain, or the classes separate) is left to Newton::fit, which ends every fit.
#pragma once

#include <limits>
#include <vector>

#include "glm/newton.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct WantedFit {
  std::vector<Index> support;  // ascending
  GlmStart start;
  // A fit that will not get below this loss, to all appearances, is given up: it is beaten.
  double limit = std::numeric_limits<double>::infinity();
};

// All: every fit is finished, unless its limit ends it. Best of each size: of the fits with as many
// columns only the one with the lowest loss is; the others may be given up, too.
enum class FitsToKeep { all, best_of_each_size };

// In the order of `wanted`; supports next to each other should have most columns in common.
// Columns that are not in the panel are added to it. `settled`: as for Newton. Most fits lack eta
// (predictions.hpp).
std::vector<GlmFit> fit_together(Panel& panel, std::vector<WantedFit> wanted, double settled,
                                 const Budget& budget, FitsToKeep keep = FitsToKeep::all);

}  // namespace lass0
