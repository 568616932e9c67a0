#include "search/tableau/tableau_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "util/target_clones.hpp"

namespace lass0 {

LASS0_TARGET_CLONES
void subtract_four(Index lanes, const double* from, const double* factors, const double* const* v,
                   double* out) {
  const double f = factors[0], g = factors[1], h = factors[2], k = factors[3];
  const double *a = v[0], *b = v[1], *c = v[2], *d = v[3];
  if (h == 0 && k == 0) {  // mostly there are but two
#pragma omp simd
    for (Index i = 0; i < lanes * kLanes; ++i) out[i] = from[i] - f * a[i] - g * b[i];
    return;
  }
#pragma omp simd
  for (Index i = 0; i < lanes * kLanes; ++i)
    out[i] = (from[i] - f * a[i] - g * b[i]) - (h * c[i] + k * d[i]);
}

LASS0_TARGET_CLONES
void sweep_vectors(Index lanes, const double* v, double factor, double inverse, double* r,
                   double* s) {
#pragma omp simd
  for (Index i = 0; i < lanes * kLanes; ++i) {
    r[i] -= factor * v[i];
    s[i] -= inverse * (v[i] * v[i]);
  }
}

LASS0_TARGET_CLONES
double most_above(Index lanes, const double* r, const double* s, const double* B,
                  const Replaced& member, double enough) {
  const double threshold = member.worth + enough;
  const Replaced of = member;  // not read again for every column
  double most = -kNever;
#pragma omp simd reduction(max : most)
  for (Index j = 0; j < lanes * kLanes; ++j) {
    const double unexplained = of.unexplained(s[j], B[j]), correlation = of.correlation(r[j], B[j]);
    most = std::max(most, correlation * correlation - threshold * unexplained);
  }
  return most;
}

LASS0_TARGET_CLONES
double most_above(Index lanes, const double* r, const double* s, const double* from,
                  const TwoMoves& moves, const Replaced& member, double enough) {
  const double threshold = member.worth + enough;
  const Replaced of = member;
  const double *v = moves.v, *w = moves.w;
  const double f = moves.f, g = moves.g;
  double most = -kNever;
#pragma omp simd reduction(max : most)
  for (Index j = 0; j < lanes * kLanes; ++j) {
    const double B = from[j] - f * v[j] - g * w[j];
    const double unexplained = of.unexplained(s[j], B), correlation = of.correlation(r[j], B);
    most = std::max(most, correlation * correlation - threshold * unexplained);
  }
  return most;
}

Vector padded(const Vector& values, Index lanes) {
  Vector filled = Vector::Zero(lanes * kLanes);
  filled.head(values.size()) = values;
  return filled;
}

// Without roots: (T + sqrt(T^2 + s))^2 is at most 4 T^2 + 2 s.
LASS0_TARGET_CLONES
double farthest_reach(Index lanes, const double* r, const double* s, const double* diagonal) {
  double farthest = 0;
#pragma omp simd reduction(max : farthest)
  for (Index j = 0; j < lanes * kLanes; ++j) {
    const double margin = kScanMargin * diagonal[j], left = s[j] - margin;
    const double explained = std::max(0.0, diagonal[j] - s[j]) + margin;
    const double correlation = std::abs(r[j]) * (1 + kScanMargin) / left;
    const double reach = correlation * correlation * (4 * explained + 2 * left);
    // Explained but for rounding: no limit.
    farthest = std::max(farthest, left > 0 ? reach : kNever);
  }
  return farthest;
}

}  // namespace lass0
