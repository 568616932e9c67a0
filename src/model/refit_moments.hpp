// The exact fit on a support of chosen columns (and the included ones) over all rows, at the price
// of a few passes over the support's columns where they are well conditioned; by QR where not. For
// the many models of a path; it equals the QR of one fit to about 1e-14.
#pragma once

#include <lass0/model.hpp>
#include <lass0/moments.hpp>

namespace lass0 {

// `moments` must be those of all rows.
Iterate refit(const Moments& moments, Columns support);

}  // namespace lass0
