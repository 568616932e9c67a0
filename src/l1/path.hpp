// The Lasso path with its choices open: how X is read, and how many columns are few.
#pragma once

#include <lass0/lasso.hpp>

namespace lass0 {

// Where X has no more columns than these, all of them are in the working set for the whole path. Up
// to this many columns in the working set the Lasso is solved on their Gram matrix, to rounding;
// more of a sparse X with the residual over its rows, to the duality gap (row_descent.hpp).
inline constexpr Index kFewColumns = 256;

// What passes over X are for, where Gram columns take one: as few of them as can be, or Gram
// columns that are kept, for a search that goes on from the supports.
enum class Passes { few, keep_columns };

LassoPath lasso_path(const Moments& moments, const LassoOptions& options, Passes passes);
LassoPath lasso_path(const Moments& moments, const LassoOptions& options, Index few_columns);

// The path at these lambdas (largest first, at least one), which may all be far below lambda_max:
// the first is reached from there by short steps, each other from the one before. The points are
// those of `lambdas` alone, fewer where it was stopped.
LassoPath lasso_path_at(const Moments& moments, std::span<const double> lambdas,
                        const LassoOptions& options);

}  // namespace lass0
