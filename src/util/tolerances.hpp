// What counts as rounding, and where numbers have lost too many digits: every tolerance of the
// library, with its reason. All are relative to what they are compared with. (Limits of work and of
// sizes, and the parameters of solvers, stand where they are used.)
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

// A proof claims no more than that nothing is better by more than this times the answer's own loss
// or objective, or times y'y, whichever is more: bounds are sums of many terms.
inline constexpr double kProofTolerance = 1e-9, kProofRounding = 1e-12;
// An error on held-out rows is smaller when it is so by more than this of itself, and by more than
// what rounding leaves of a perfect fit: this of the largest error.
inline constexpr double kSmallerError = 1e-10, kRoundingOfPerfectFits = 1e-26;
// FoBa's forward steps end where they gain less of y'y: what is left is rounding.
inline constexpr double kLeastFobaGain = 1e-10;

// --- Dependent, constant and duplicate columns ---

// Column j is aliased to a support when that leaves at most this of its square unexplained. The
// Gram matrix squares the condition, so half of the digits are what can be had.
inline constexpr double kAliasTolerance = 1e-10;
// The same of its norm in a QR of the data, which has all digits.
inline constexpr double kDependentNorm = 1e-12;
// And of its scale in the Lasso's factor, which need not tell apart what the search does: the
// working set may hold columns that a support may not.
inline constexpr double kDependentInFactor = 1e-11;
// Of a direction's square: the Lasso's columns are dependent along it.
inline constexpr double kNoCurvature = 1e-12;
// A member of a dependency has at least this (standardised) coefficient in it.
inline constexpr double kInDependency = 1e-6;
// In a proof, less than this of a column is rounding. What the others leave of it may be far below
// what makes a column independent and still be in the loss of all columns together: a support of
// independent columns may hold it in combination with something larger.
inline constexpr double kNothingLeft = 1e-15;
// Of a column's sum of squares in a fold of a file of moments: what is left of it beside the others
// is rounding.
inline constexpr double kNothingOfSums = 1e-14;
// A column that varies by no more than the last bits of its values is constant.
inline constexpr double kConstantDeviation = 2 * std::numeric_limits<double>::epsilon();
// Of a column's square, and of y'y: what rounding may tell a column from its duplicate by.
inline constexpr double kDuplicate = 1e-13;
// Ridges of two columns this near are the same.
inline constexpr double kSameRidge = 1e-12;

// --- Digits that fits have left, by the largest variance inflation factor of a member. How many
// are needed depends on what follows. ---

// In a search: a step from or to such a support costs four of about sixteen digits, and many steps
// follow each other. What comes from it is computed anew before it is believed.
inline constexpr double kIllConditioned = 1e4;
// A tableau adds up the factors of all its steps: from here on its digits are not to be trusted.
inline constexpr double kDriftedTableau = 10 * kIllConditioned;
// Half of the digits are gone: everything is computed anew at once.
inline constexpr double kFewDigitsLeft = 1e7;
// Held-out errors by sums: coefficients have ten digits below this.
inline constexpr double kIllConditionedForErrors = 1e5;
// The final fit: below this a correction by the data gains eight digits or more; above it, QR.
inline constexpr double kIllConditionedForRefits = 1e7;
// In a proof: H may lose this factor of its digits before a subproblem counts as not regular.
inline constexpr double kIllConditionedForProofs = 1e8;

// --- Differences of sums, by what is left of what was subtracted from ---

// Of a sum of products: what rounding leaves uncertain; and where thousands of updates follow each
// other, as in the subset tree.
inline constexpr double kLastDigits = 4 * std::numeric_limits<double>::epsilon();
inline constexpr double kLastDigitsOfTree = 16 * std::numeric_limits<double>::epsilon();
// A sum of squares is rounding below this; and below the second it is computed again from the data.
inline constexpr double kRoundingOfSquares = 1e-13, kDigitsLost = 1e-5;
// Held-out errors by sums are good enough where they are at least this; the RSS of criteria; the
// loss of a final fit.
inline constexpr double kEnoughForErrors = 1e-5, kEnoughForCriteria = 1e-6, kEnoughForRefits = 1e-4;
// A final fit from moments alone has eleven digits where inflation times the rounding of a sum of n
// products, in units in the last place, is at most this.
inline constexpr double kElevenDigits = 1e5;

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

// --- The Lasso, by its optimality conditions ---

// A gradient above its threshold by less does not count: at lambda_max no column enters; what
// rounding leaves in a gradient, of |y| |x_j|; and in an objective.
inline constexpr double kThresholdRounding = 1e-14, kGradientRounding = 1e-14;
inline constexpr double kObjectiveRounding = 1e-15;
// Of a threshold: a column beyond it by more enters the working set. Where the duality gap asks for
// more digits it is lowered, as far as there are any: once more where all columns are in it.
inline constexpr double kKktAccuracy = 1e-9, kLastKktAccuracy = 1e-14;
inline constexpr double kLastKktAccuracyOfFew = 1e-15;
// A sweep that moves no fit by more than this has settled.
inline constexpr double kSettledSweep = 1e-9;
// Of |y| |x_j|: violations of a smaller threshold are measured by this, since rounding hides more.
inline constexpr double kSmallestThreshold = 1e-5;
// Under signs: a correlation above its lambda by less satisfies the conditions.
inline constexpr double kSignedLassoAccuracy = 1e-9;
// Starts of a table need not be the Lasso's solution to many digits: a duality gap of this.
inline constexpr double kRoughLasso = 1e-3;

}  // namespace lass0
