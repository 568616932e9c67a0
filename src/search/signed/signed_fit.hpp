// The least-squares fit on some columns whose coefficients keep the signs that the problem gives,
//
//   min u'u - 2 c'b + b'Gb   over b with  sign_j b_j >= 0,
//
// by an active-set method (Lawson and Hanson 1974) on the Gram matrix. Where a coefficient of the
// minimum is 0 its column is not in the support, and on the support the fit is plain least squares:
// so the best supports under signs are the best of those whose least-squares coefficients have the
// right signs.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "search/state/support_state.hpp"

namespace lass0 {

// On the columns that are not 0, ascending. `columns`: independent ones, in any order; `extra`: one
// more, whose Gram column is not asked for.
FittedSupport signed_fit(const Moments& moments, Columns columns, Index extra = -1);

// Minimises 1/2 x'Gx - q'x over sign_i x_i >= 0, the places that are not in `places` staying 0.
// `x` holds a point that keeps the signs; those that become 0 on the way leave `places`. False: G
// on the places is singular.
bool descend_on_places(const Matrix& G, const Vector& q, const std::vector<int>& signs,
                       std::vector<Index>& places, Vector& x);

inline bool keeps_sign(int sign, double b) { return sign == 0 || (sign > 0 ? b > 0 : b < 0); }

}  // namespace lass0
