// Swaps of a member for any other column, as long as one lowers the loss.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <vector>

#include "util/budget.hpp"

namespace lass0 {

struct SwapDescent {
  std::vector<Index> support;  // ascending
  // local_optimum: no swap is left; add_remove_optimum: nearly dependent columns leave it open;
  // time_limit or interrupted: the best so far.
  Status status = Status::local_optimum;
};

// From independent columns. Without signs.
SwapDescent descend_by_swaps(const Moments& moments, std::vector<Index> support,
                             const Budget& budget);

}  // namespace lass0
