// Shah and Samworth (2013): how many columns of low selection probability are expected among those
// that complementary pairs choose with at least a given frequency.
//
// A column is chosen on a random half with some probability. It is low if it is at most theta =
// q / p: that of a column picked blindly, where q of p columns are chosen on average.
#pragma once

#include <lass0/types.hpp>

namespace lass0 {

// Their Theorem 1, for any way to choose columns and any number of pairs: theta q / (2 threshold -
// 1), at most p. The threshold is above 1/2.
double worst_case_bound(double q, double p, double threshold);

// Their Equation 8: a tighter bound that assumes two distributions to be r-concave: for a column of
// low probability that of the share of pairs that choose it in both halves (r = -1/2), and that of
// its frequency over all halves (r = -1/4). Never above the bound without assumptions.
double r_concave_bound(double q, double p, double threshold, Index pairs);

// The largest P(X >= t) over all r-concave distributions on 0, 1, ..., B with a mean of at most
// `mean`. -1 < r < 0.
double r_concave_tail(double mean, Index t, Index B, double r);

}  // namespace lass0
