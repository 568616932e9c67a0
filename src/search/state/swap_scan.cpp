#include "search/state/swap_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "util/blas.hpp"
#include "util/target_clones.hpp"

namespace lass0 {
namespace {

constexpr std::size_t kCandidatesAtOnce = 64;

// Columns that may replace a member of worth `weakest`, by the condition in the header squared.
LASS0_TARGET_CLONES
void mark_in_reach(const double* r, const double* s, const double* diagonal, double weakest,
                   Index p, char* in_reach) {
  const double worth = weakest * weakest;
#pragma omp simd
  for (Index j = 0; j < p; ++j) {
    const double margin = kScanMargin * diagonal[j];
    const double square = r[j] * r[j] * (1 + kScanMargin);
    const double missing = worth * (s[j] - margin) - square;
    const double explained = diagonal[j] - s[j] + margin;
    in_reach[j] = missing <= 0 || missing * missing < 4 * square * worth * explained;
  }
}

}  // namespace

SwapScan::SwapScan(const Moments& moments)
    : moments_(moments),
      least_(kAliasTolerance * moments.squares()),
      in_reach_(static_cast<std::size_t>(moments.cols())),
      reach_(moments.cols()) {}

Step SwapScan::best(const SupportState& state, Index kept_out) {
  Step best;
  const Index k = state.size();
  if (k == 0) return best;
  worth_.resize(k);
  for (Index i = 0; i < k; ++i) worth_[i] = std::sqrt(state.remove_loss(i));
  find_candidates(state, worth_.minCoeff(), kept_out);
  if (candidates_.empty()) return best;
  rank(state);
  const Columns candidates = candidates_, places = places_;
  for (std::size_t first = 0; first < candidates.size(); first += kCandidatesAtOnce) {
    const double farthest = reach_[candidates[first]];
    const auto out_of_reach = std::partition_point(places.begin(), places.end(),
                                                   [&](Index i) { return worth_[i] <= farthest; });
    score(state, candidates.subspan(first, std::min(kCandidatesAtOnce, candidates.size() - first)),
          Columns(places.begin(), out_of_reach), best);
  }
  return best;
}

// Candidates that reach about as far are scored together, with the members they reach.
void SwapScan::rank(const SupportState& state) {
  for (const Index j : candidates_) reach_[j] = reach(state, j);
  std::sort(candidates_.begin(), candidates_.end(), [&](Index i, Index j) {
    return reach_[i] != reach_[j] ? reach_[i] > reach_[j] : i < j;
  });
  const Index k = state.size();
  places_.resize(static_cast<std::size_t>(k));
  std::iota(places_.begin(), places_.end(), Index{0});
  std::sort(places_.begin(), places_.end(), [&](Index i, Index j) {
    return worth_[i] != worth_[j] ? worth_[i] < worth_[j] : i < j;
  });
  const auto reached = std::partition_point(places_.begin(), places_.end(), [&](Index i) {
    return worth_[i] <= reach_[candidates_.front()];
  });
  H_.resize(k, reached - places_.begin());
  for (Index l = 0; l < H_.cols(); ++l)
    H_.col(l) = state.H_column(places_[static_cast<std::size_t>(l)]);
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
  const double margin = kScanMargin * moments_.diagonal()[j], s = state.s()[j] - margin;
  if (s <= 0) return std::numeric_limits<double>::infinity();
  const double explained = std::max(0.0, moments_.diagonal()[j] - state.s()[j]) + margin;
  return std::abs(state.r()[j]) * (1 + kScanMargin) *
         (std::sqrt(explained) + std::sqrt(explained + s)) / s;
}

void SwapScan::score(const SupportState& state, Columns candidates, Columns places, Step& best) {
  const Index m = std::ssize(candidates), k = state.size(), members = std::ssize(places);
  G_.resize(m, k);
  moments_.gram_block(candidates, state.support(), G_);
  B_.resize(m, members);
  blas::product(m, members, k, G_.data(), m, H_.data(), k, B_.data(), m);
  for (Index l = 0; l < members; ++l) {
    const Index i = places[static_cast<std::size_t>(l)];
    const Index removed = state.support()[static_cast<std::size_t>(i)];
    const Replaced member = state.replaced(i);
    for (Index c = 0; c < m; ++c) {
      const Index j = candidates[static_cast<std::size_t>(c)];
      const double unexplained = member.unexplained(state.s()[j], B_(c, l));
      const double correlation = member.correlation(state.r()[j], B_(c, l));
      // Most are far from the best: no division for those.
      if (correlation * correlation < (member.worth + best.gain) * unexplained ||
          unexplained <= least_[j])
        continue;
      best.take_better(removed, j, member.gain(correlation, unexplained, state.loss()));
    }
  }
}

}  // namespace lass0
