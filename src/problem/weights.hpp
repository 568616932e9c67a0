// The weights of rows, and what sums in double precision can do with them.
#pragma once

#include <lass0/problem.hpp>

namespace lass0 {

Vector row_weights(const Problem& problem);  // 1 where none are given

// The same rows with these weights, which must outlive what is returned.
Problem with_weights(const Problem& problem, const Vector& weights);

// The weights over root^2, so that their products with squares stay far from the ends of the range
// of doubles where all weights are huge or tiny: w = values * root^2. The root is a power of two,
// so no digit changes, and 1 for weights of any usual size. Positive weights stay positive.
struct ScaledWeights {
  Vector values;
  double root = 1;
};
ScaledWeights scaled_weights(const Problem& problem);

// Throws Error unless the weights are numbers of 0 or more, some of them positive, and none of the
// rows so heavy that nothing is left of the others in a sum: a few rows that a model can fit
// exactly must not outweigh all others by more than the digits of a double can hold.
void check_weights(const Problem& problem);

}  // namespace lass0
