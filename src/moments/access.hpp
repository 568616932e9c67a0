// What solvers may ask of Moments that is not in the public header.
#pragma once

#include <lass0/moments.hpp>
#include <span>

namespace lass0 {

class Budget;
class SparseProducts;

// Moments as a part of a longer run, which knows what it has so far: throws Stop.
Moments moments_within(const Problem& problem, std::span<const int> folds, const Budget& budget);

// Moments::prefetch that may be stopped: throws Stop.
void prefetch_within(const Moments& moments, Columns columns, const Budget& budget);

// For solvers that keep a residual over the rows of a sparse X. Null where X is not sparse enough;
// ridge and included columns are not in it.
const SparseProducts* sparse_products(const Moments& moments);

}  // namespace lass0
