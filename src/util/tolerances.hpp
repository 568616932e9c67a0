// What counts as rounding: every tolerance of the library, with its reason. All are relative to
// what they are compared with. (Limits of work and of sizes stand where they are used.)
#pragma once

#include <algorithm>
#include <limits>

namespace lass0 {

// --- A strict improvement ---

// A step counts where it lowers the loss or the objective by more than this times it: far above
// what rounding does to a fit, far below what anybody cares about ...
inline constexpr double kStrictImprovement = 1e-10;
// ... and by more than this times y'y (before included columns are taken out): what sums of
// products in double precision can resolve.
inline constexpr double kRoundingOfSums = 1e-13;

// What a loss or an objective must fall by. `total`: y'y, as above, in the same units.
inline double slack(double value, double total) {
  return std::max(kStrictImprovement * value, kRoundingOfSums * total);
}

// --- Digits that a support has left, by the largest variance inflation factor of a member ---

// A step from or to such a support costs digits: four of about sixteen. What follows from it is
// computed anew before it is believed.
inline constexpr double kIllConditioned = 1e4;
// A tableau adds up the factors of all its steps: from here on its digits are not to be trusted.
inline constexpr double kDriftedTableau = 10 * kIllConditioned;
// Half of the digits are gone: everything is computed anew at once.
inline constexpr double kFewDigitsLeft = 1e7;
// Of a sum of products: what rounding leaves uncertain.
inline constexpr double kLastDigits = 4 * std::numeric_limits<double>::epsilon();

// --- Shortcuts of the search, which must not miss anything ---

// Of a column's square: more than rounding has done to what a support leaves of it, as long as the
// support is not nearly dependent and has not drifted. Scans look at columns that are out of reach
// by less than that.
inline constexpr double kScanMargin = 1e-8;
// Of y'y: a loss above another by more is another support's.
inline constexpr double kClearlyAbove = 1e-6;
// Losses this near are those of one support, or of two that differ in a duplicate column.
inline constexpr double kSameLoss = 1e-9;
// Less of y'y is left: a perfect fit, and a residual of rounding.
inline constexpr double kPerfectFit = 1e-9;
// Ridges of two columns this near are the same.
inline constexpr double kSameRidge = 1e-12;
// A correlation above its lambda by less satisfies the conditions of the Lasso under signs.
inline constexpr double kSignedLassoAccuracy = 1e-9;
// Starts of a table need not be the Lasso's solution to many digits.
inline constexpr double kRoughLasso = 1e-3;

}  // namespace lass0
