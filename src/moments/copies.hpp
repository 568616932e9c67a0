// Columns that are multiples of each other to the last digits. Nearly equal ones are not: their
// difference can be what matters.
#pragma once

#include <cmath>
#include <lass0/moments.hpp>

#include "util/tolerances.hpp"

namespace lass0 {

// For columns i and j with these entries of G and c. Copies explain as much of the target, which
// few other columns do.
inline bool explain_the_same(double G_ii, double G_jj, double c_i, double c_j, double total) {
  return std::abs(c_i * c_i / G_ii - c_j * c_j / G_jj) <= kDuplicate * total;
}
inline bool is_copy(double G_ii, double G_jj, double G_ij, double c_i, double c_j, double total) {
  return G_jj - G_ij * G_ij / G_ii <= kDuplicate * G_jj &&
         explain_the_same(G_ii, G_jj, c_i, c_j, total);
}

}  // namespace lass0
