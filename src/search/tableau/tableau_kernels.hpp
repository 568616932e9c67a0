// Columns of a swept Gram matrix (see tableau.hpp), as kernels see them: each filled up with zeros
// to a multiple of eight numbers, so that no loop has a rest.
#pragma once

#include <lass0/moments.hpp>
#include <span>

#include "search/state/step.hpp"

namespace lass0 {

inline constexpr Index kLanes = 8;
// s of what can't come in: no finite correlation gains anything from it.
inline constexpr double kNever = 1e300;

// out = from - the sum of factors[l] * v[l] for four l; `from` may be `out`.
void subtract_four(Index lanes, const double* from, const double* factors, const double* const* v,
                   double* out);

// What a move makes of y's column and of the diagonal: r -= factor * v, s -= inverse * v^2.
void sweep_vectors(Index lanes, const double* v, double factor, double inverse, double* r,
                   double* s);

Vector padded(const Vector& values, Index lanes);  // with zeros

// The largest (r_j + B_j beta)^2 - (worth + enough) (s_j + B_j^2 / h): above 0 where a swap gains
// more than is enough. No division.
double most_above(Index lanes, const double* r, const double* s, const double* B,
                  const Replaced& member, double enough);

// The same where B = from - f v - g w: a column that two moves have not reached yet, without
// writing it anywhere.
struct TwoMoves {
  const double *v, *w;
  double f, g;
};
double most_above(Index lanes, const double* r, const double* s, const double* from,
                  const TwoMoves& moves, const Replaced& member, double enough);

// The worth of the strongest member that a swap may replace, by the condition in swap_scan.hpp.
double farthest_reach(Index lanes, const double* r, const double* s, const double* diagonal);

// What a support's swaps are scored from.
struct TableauSupport {
  Columns members;
  std::span<const double> h;  // T_ii of the members, by place
  const Vector& r;            // y's column of T
  const Vector& s;            // T_jj of what may come in, or else kNever
  const Vector& diagonal;     // of G
  const Vector& least;        // what of a column must be left unexplained for it to come in
  double loss;
};

// The swap that lowers the loss most; ties go to the lower columns. column_of(i): of T, that of the
// member at place i; most_above(i, member, enough): the function of that name for it.
template <class ColumnOf, class MostAbove>
Step best_swap(const TableauSupport& at, const ColumnOf& column_of, const MostAbove& most_above) {
  Step best;
  const Index lanes = at.s.size() / kLanes;
  const double farthest = farthest_reach(lanes, at.r.data(), at.s.data(), at.diagonal.data());
  for (Index i = 0; i < std::ssize(at.members); ++i) {
    const Index removed = at.members[static_cast<std::size_t>(i)];
    const double inverse_h = -1 / at.h[static_cast<std::size_t>(i)];
    const double beta = at.r[removed] * inverse_h;
    const Replaced member{inverse_h, beta, at.r[removed] * beta};
    if (member.worth > farthest) continue;
    if (!(most_above(i, member, best.gain) >= 0)) continue;
    const double* B = column_of(i);
    for (Index j = 0; j < at.least.size(); ++j) {
      const double unexplained = member.unexplained(at.s[j], B[j]);
      if (!(unexplained > at.least[j]) || unexplained >= kNever) continue;
      const double correlation = member.correlation(at.r[j], B[j]);
      best.take_better(removed, j, member.gain(correlation, unexplained, at.loss));
    }
  }
  return best;
}

}  // namespace lass0
