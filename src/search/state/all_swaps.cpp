#include "search/state/all_swaps.hpp"

#include <limits>

#include "util/target_clones.hpp"

namespace lass0 {
namespace {

LASS0_TARGET_CLONES
void score(const Replaced& member, const double* B, const double* r, const double* s,
           const double* least, Index p, double* regain) {
  const Replaced of = member;
#pragma omp simd
  for (Index j = 0; j < p; ++j) {
    const double correlation = of.correlation(r[j], B[j]);
    const double unexplained = of.unexplained(s[j], B[j]);
    regain[j] = unexplained > least[j] ? correlation * correlation / unexplained : -1.0;
  }
}

}  // namespace

AllSwaps::AllSwaps(const Moments& moments, const SupportState& state)
    : state_(state), least_(kAliasTolerance * moments.squares()), regain_(moments.cols()) {
  for (Index j = 0; j < least_.size(); ++j) {
    if (state.contains(j) || !moments.eligible(j))
      least_[j] = std::numeric_limits<double>::infinity();
  }
}

void AllSwaps::choose(Index i) {
  member_ = state_.replaced(i);
  score(member_, state_.B(i), state_.r().data(), state_.s().data(), least_.data(), regain_.size(),
        regain_.data());
}

}  // namespace lass0
