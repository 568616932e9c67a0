// A column as exact fits see it: centred and of norm 1, with the digits kept.
#pragma once

#include <lass0/problem.hpp>

namespace lass0 {

struct Standardised {
  double mean = 0;  // 0 without an intercept
  double norm = 0;  // of the centred column times sqrt(w); 0: constant
};

// Centres x by its weighted mean, computed about a provisional centre so that digits are kept, then
// scales it to norm 1 over the rows times sqrt(w).
Standardised standardise(const Problem& problem, const Vector& w, MutVec x);

// s_j / norm_j: the deviation that the ridge sees, over the norm. Both are those of these weights.
double relative_deviation(const Problem& problem, const Vector& w, const Standardised& column);

}  // namespace lass0
