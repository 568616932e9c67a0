#include "search/swap_scan.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/search.hpp>
#include <limits>

#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr std::size_t kCandidatesAtOnce = 256;
// Of a column's square: more than rounding has done to s_j on supports that are not nearly
// dependent. The others are built anew with every move.
constexpr double kRounding = 1e-8;

// Columns that may replace a member of worth `weakest`, by the condition in the header squared.
LASS0_TARGET_CLONES
void mark_in_reach(const double* r, const double* s, const double* diagonal, double weakest,
                   Index p, char* in_reach) {
  const double worth = weakest * weakest;
#pragma omp simd
  for (Index j = 0; j < p; ++j) {
    const double margin = kRounding * diagonal[j];
    const double square = r[j] * r[j] * (1 + kRounding);
    const double missing = worth * (s[j] - margin) - square;
    const double explained = diagonal[j] - s[j] + margin;
    in_reach[j] = missing <= 0 || missing * missing < 4 * square * worth * explained;
  }
}

}  // namespace

SwapScan::SwapScan(const Moments& moments)
    : moments_(moments),
      least_(kAliasTolerance * moments.squares()),
      in_reach_(static_cast<std::size_t>(moments.cols())) {}

ScannedSwap SwapScan::best(const SupportState& state, Index kept_out) {
  ScannedSwap best;
  if (state.size() == 0) return best;
  const auto worth = [&](Index i) { return std::sqrt(state.remove_loss(i)); };
  double weakest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < state.size(); ++i) weakest = std::min(weakest, worth(i));
  find_candidates(state, weakest, kept_out);
  double farthest = 0;
  for (const Index j : candidates_) farthest = std::max(farthest, reach(state, j));
  places_.clear();
  for (Index i = 0; i < state.size(); ++i) {
    if (worth(i) <= farthest) places_.push_back(i);
  }
  const Columns candidates = candidates_;
  for (std::size_t first = 0; first < candidates.size(); first += kCandidatesAtOnce) {
    score(state, candidates.subspan(first, std::min(kCandidatesAtOnce, candidates.size() - first)),
          best);
  }
  return best;
}

void SwapScan::find_candidates(const SupportState& state, double weakest, Index kept_out) {
  const Index p = moments_.cols();
  mark_in_reach(state.r().data(), state.s().data(), moments_.diagonal().data(), weakest, p,
                in_reach_.data());
  candidates_.clear();
  for (Index j = 0; j < p; ++j) {
    if (!in_reach_[static_cast<std::size_t>(j)] || j == kept_out) continue;
    if (moments_.eligible(j) && !state.contains(j)) candidates_.push_back(j);
  }
}

// The worth of the strongest member that column j may replace.
double SwapScan::reach(const SupportState& state, Index j) const {
  const double margin = kRounding * moments_.diagonal()[j], s = state.s()[j] - margin;
  if (s <= 0) return std::numeric_limits<double>::infinity();
  const double explained = std::max(0.0, moments_.diagonal()[j] - state.s()[j]) + margin;
  return std::abs(state.r()[j]) * (1 + kRounding) *
         (std::sqrt(explained) + std::sqrt(explained + s)) / s;
}

void SwapScan::score(const SupportState& state, Columns candidates, ScannedSwap& best) {
  const Index m = std::ssize(candidates), k = state.size(), members = std::ssize(places_);
  G_.resize(m, k);
  moments_.gram_block(candidates, state.support(), G_);
  H_.resize(k, members);
  for (Index l = 0; l < members; ++l)
    H_.col(l) = state.H_column(places_[static_cast<std::size_t>(l)]);
  B_.noalias() = G_ * H_;
  for (Index l = 0; l < members; ++l) {
    const Index i = places_[static_cast<std::size_t>(l)];
    const Index removed = state.support()[static_cast<std::size_t>(i)];
    const double inverse_h = 1 / state.H(i), beta = state.b()[i] * inverse_h;
    const double worth = state.remove_loss(i);
    for (Index c = 0; c < m; ++c) {
      const Index j = candidates[static_cast<std::size_t>(c)];
      const double B = B_(c, l), unexplained = state.s()[j] + B * B * inverse_h;
      const double correlation = state.r()[j] + B * beta, square = correlation * correlation;
      // Most are far from the best: no division for those.
      if (square < (worth + best.gain) * unexplained || unexplained <= least_[j]) continue;
      // No column can explain more than there is.
      const double gain = std::min(square / unexplained - worth, state.loss());
      const bool tie = gain == best.gain && best.remove >= 0;
      const bool lower = removed < best.remove || (removed == best.remove && j < best.add);
      if (gain > best.gain || (tie && lower)) best = {removed, j, gain};
    }
  }
}

}  // namespace lass0
