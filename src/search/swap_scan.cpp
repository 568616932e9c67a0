#include "search/swap_scan.hpp"

#include <algorithm>
#include <lass0/search.hpp>
#include <limits>

#include "util/eight.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr Index kBlock = 1024;

// max_j of (r_j + B_j beta)^2 / (s_j + B_j^2 / h): what the best column for a place regains. Ratios
// are compared by cross-multiplication: a division would cost more than all the rest.
LASS0_TARGET_CLONES
double largest_regain(const double* B, const double* r, const double* s, const double* least,
                      double beta, double inverse_h, Index p) {
  Eight square{}, unexplained = Eight{} + 1.0;
  Index j = 0;
  for (; j + kEight <= p; j += kEight) {
    const Eight B_j = load(B + j);
    const Eight correlation = load(r + j) + B_j * beta;
    const Eight u = load(s + j) + B_j * B_j * inverse_h;
    const Eight c = u > load(least + j) ? correlation * correlation : Eight{};
    const auto larger = c * unexplained > square * u;
    square = larger ? c : square;
    unexplained = larger ? u : unexplained;
  }
  double largest = 0;
  for (Index lane = 0; lane < kEight; ++lane)
    largest = std::max(largest, square[lane] / unexplained[lane]);
  for (; j < p; ++j) {
    const double correlation = r[j] + B[j] * beta;
    const double u = s[j] + B[j] * B[j] * inverse_h;
    if (u > least[j]) largest = std::max(largest, correlation * correlation / u);
  }
  return largest;
}

}  // namespace

SwapScan::SwapScan(const Moments& moments)
    : moments_(moments), least_(kAliasTolerance * moments.squares()), masked_(moments.cols()) {}

ScannedSwap SwapScan::best(const SupportState& state, Index kept_out) {
  const double infinity = std::numeric_limits<double>::infinity();
  masked_ = state.s();
  for (Index j = 0; j < masked_.size(); ++j) {
    if (!moments_.eligible(j)) masked_[j] = infinity;
  }
  for (const Index j : state.support()) masked_[j] = infinity;
  if (kept_out >= 0) masked_[kept_out] = infinity;

  // By blocks of columns, so that r and s are read from the first-level cache for all members.
  const Index p = masked_.size(), k = state.size();
  regain_.setZero(k);
  for (Index first = 0; first < p; first += kBlock) {
    const Index count = std::min(kBlock, p - first);
    for (Index i = 0; i < k; ++i) {
      const double inverse_h = 1 / state.H(i);
      regain_[i] =
          std::max(regain_[i], largest_regain(state.B(i) + first, state.r().data() + first,
                                              masked_.data() + first, least_.data() + first,
                                              state.b()[i] * inverse_h, inverse_h, count));
    }
  }
  ScannedSwap best;
  Index place = -1;
  for (Index i = 0; i < k; ++i) {
    const double gain = regain_[i] - state.remove_loss(i);
    const Index column = state.support()[static_cast<std::size_t>(i)];
    if (gain > best.gain || (gain == best.gain && place >= 0 && column < best.remove)) {
      best = {column, -1, gain};
      place = i;
    }
  }
  if (place < 0) return best;
  double largest = -infinity;
  for (Index j = 0; j < masked_.size(); ++j) {
    if (masked_[j] == infinity) continue;
    const double gain = state.swap_gain(place, j);
    if (gain > largest) {
      largest = gain;
      best.add = j;
    }
  }
  best.gain = largest;
  return best;
}

}  // namespace lass0
