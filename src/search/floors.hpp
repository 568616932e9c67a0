// How low a support without a given column can get, from the model of all columns.
#pragma once

#include <lass0/moments.hpp>

#include "util/budget.hpp"

namespace lass0 {

// (k, j): no support of k columns without column j has a lower loss. It leaves out j and d more of
// the columns; leaving out the d costs at least as much as leaving out the dearest of them alone,
// so at least the d-th least of what single ones cost. Empty where columns are too many or
// dependent.
Matrix loss_floors(const Moments& moments, const Budget& budget);

}  // namespace lass0
