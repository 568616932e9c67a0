// Once cross-validation has chosen, most sizes can't be the answer of a full search any more.
#pragma once

#include <lass0/cross_validate.hpp>
#include <lass0/support_table.hpp>
#include <lass0/tuning.hpp>

namespace lass0 {

// The largest size worth a full search at the chosen lambda or k, by a quick table of all sizes: at
// lambda, the last one whose objective a few columns' worth of loss would make the lowest, and the
// next one that some smaller lambda selects.
Index last_size_that_matters(const SupportTable& quick, const Tuning& chosen, Tune tune);

}  // namespace lass0
