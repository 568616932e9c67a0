// inv(G_SS) and the coefficients of a shrinking support S of few columns, in arrays of fixed size:
// for supports that are taken down by the hundred in less than a millisecond.
#pragma once

#include <array>
#include <cmath>
#include <lass0/types.hpp>

namespace lass0 {

struct SmallInverse {
  static constexpr Index kMost = 40;  // columns

  // `H` = inv(G_SS), of at most kMost columns; b = H c_S.
  SmallInverse(const Matrix& H, const Vector& b, double loss);

  double cost(Index i) const {  // what the loss rises by when the member at place i leaves
    const auto at = static_cast<std::size_t>(i);
    return b[at] * b[at] / H[at * kMost + at];
  }
  Index least() const;   // the place whose cost is the lowest, of equal ones the first
  void remove(Index i);  // the last member takes the place that becomes free

  Index size;
  double loss;
  std::array<double, kMost * kMost> H;  // by columns
  std::array<double, kMost> b;
};

}  // namespace lass0
