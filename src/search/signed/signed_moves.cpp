#include "search/signed/signed_moves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace lass0 {
namespace {

std::vector<Index> without(std::vector<Index> support, Index column) {
  std::erase(support, column);
  return support;
}

bool usable(const FittedSupport& fit) { return fit.independent && std::isfinite(fit.loss); }

// Refits in the order of the bounds, which are consumed, until none is above the best gain.
// `refine` may lower a bound further before its refit.
template <class Candidate, class Gain, class Refine, class Refit>
SignedMove best_of(std::vector<Candidate>& candidates, double enough, const Gain& gain,
                   const Refine& refine, const Refit& refit) {
  const auto later = [&](const Candidate& a, const Candidate& b) {
    return gain(a) != gain(b) ? gain(a) < gain(b) : b < a;
  };
  std::make_heap(candidates.begin(), candidates.end(), later);
  SignedMove best;
  best.gain = enough;
  while (!candidates.empty() && gain(candidates.front()) > best.gain) {
    std::pop_heap(candidates.begin(), candidates.end(), later);
    const Candidate candidate = candidates.back();
    candidates.pop_back();
    if (!(refine(candidate) > best.gain)) continue;
    SignedMove move = refit(candidate);
    if (usable(move.fit) && move.gain > best.gain) best = std::move(move);
  }
  return best;
}

struct AddBound {
  Index column = 0;
  double gain = 0;
  bool operator<(const AddBound& other) const { return column < other.column; }
};

struct SwapBound {
  Index member = 0, column = 0;
  Index place = 0;  // of the member
  double gain = 0;
  bool operator<(const SwapBound& other) const {
    return std::tie(member, column) < std::tie(other.member, other.column);
  }
};

// A support after a swap, as far as one coefficient needs it.
class Swapped {
 public:
  Swapped(const SupportState& state, Index i, Index j)
      : state_(state), i_(i), j_(j), member_(state.replaced(i)), B_ij_(state.B(i, j)) {
    unexplained_ = member_.unexplained(state.s()[j], B_ij_);
    b_j_ = member_.correlation(state.r()[j], B_ij_) / unexplained_;
  }

  double added() const { return b_j_; }
  double b(Index l) const {
    return state_.b()[l] - shift(l) * state_.b()[i_] - explained(l) * b_j_;
  }
  double H(Index l) const {
    return state_.H(l) - shift(l) * shift(l) * state_.H(i_) +
           explained(l) * explained(l) / unexplained_;
  }

 private:
  double shift(Index l) const { return state_.H_column(i_)[l] * member_.inverse_h; }
  double explained(Index l) const { return state_.B(l, j_) - shift(l) * B_ij_; }

  const SupportState& state_;
  Index i_, j_;
  Replaced member_;
  double B_ij_, unexplained_ = 0, b_j_ = 0;
};

// All swaps of the member at a place that gain more than `enough`, as far as the signs of the
// others don't matter.
void add_swap_bounds(const Moments& moments, const SupportState& state, Index place, double enough,
                     Index kept_out, std::vector<SwapBound>& bounds) {
  const Index column = state.support()[static_cast<std::size_t>(place)];
  const Replaced member = state.replaced(place);
  const double* B = state.B(place);
  const double least = enough + member.worth;
  for (Index j = 0; j < moments.cols(); ++j) {
    const double correlation = member.correlation(state.r()[j], B[j]);
    const double unexplained = member.unexplained(state.s()[j], B[j]);
    // Most are far from enough: no division for those.
    if (!(correlation * correlation > least * unexplained) || j == kept_out || state.contains(j) ||
        !moments.eligible(j) || unexplained <= kAliasTolerance * moments.squares()[j] ||
        !keeps_sign(moments.problem().sign(j), correlation))
      continue;
    const double gain = member.gain(correlation, unexplained, state.loss());
    if (gain > enough) bounds.push_back({column, j, place, gain});
  }
}

// Less what members of wrong sign cost.
double tighter_bound(const Moments& moments, const SupportState& state, const SwapBound& swap) {
  const Swapped after(state, swap.place, swap.column);
  double gain = swap.gain;
  for (Index l = 0; l < state.size(); ++l) {
    const int sign = moments.problem().sign(state.support()[static_cast<std::size_t>(l)]);
    if (l == swap.place || sign == 0) continue;
    const double b = after.b(l), H = after.H(l);
    if (!keeps_sign(sign, b) && H > 0) gain = std::min(gain, swap.gain - b * b / H);
  }
  return gain;
}

}  // namespace

SignedMove best_signed_add(const Moments& moments, const SupportState& state, double enough,
                           Index kept_out) {
  std::vector<AddBound> candidates;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (j == kept_out || !state.addable(j) || !keeps_sign(moments.problem().sign(j), state.r()[j]))
      continue;
    const double gain = state.add_gain(j);
    if (gain > enough) candidates.push_back({j, gain});
  }
  const auto sure = [&](const AddBound& add) {
    return add.gain - state.add_gain_rounding(add.column);
  };
  const auto refit = [&](const AddBound& add) {
    FittedSupport fit = signed_fit(moments, state.support(), add.column);
    return SignedMove{-1, add.column, state.loss() - fit.loss, std::move(fit)};
  };
  return best_of(
      candidates, enough, [](const AddBound& add) { return add.gain; }, sure, refit);
}

bool swap_keeps_signs(const Moments& moments, const SupportState& state, Index i, Index j) {
  const Swapped after(state, i, j);
  if (!keeps_sign(moments.problem().sign(j), after.added())) return false;
  for (Index l = 0; l < state.size(); ++l) {
    const int sign = moments.problem().sign(state.support()[static_cast<std::size_t>(l)]);
    if (l != i && sign != 0 && !keeps_sign(sign, after.b(l))) return false;
  }
  return true;
}

SignedMove best_signed_swap(const Moments& moments, const SupportState& state, double enough,
                            const Budget& budget, Index kept_out) {
  std::vector<SwapBound> candidates;
  for (Index i = 0; i < state.size(); ++i) {
    budget.check();
    add_swap_bounds(moments, state, i, enough, kept_out, candidates);
  }
  const auto refine = [&](const SwapBound& swap) {
    budget.check();
    return tighter_bound(moments, state, swap);
  };
  const auto refit = [&](const SwapBound& swap) {
    FittedSupport fit = signed_fit(moments, without(state.support(), swap.member), swap.column);
    return SignedMove{swap.member, swap.column, state.loss() - fit.loss, std::move(fit)};
  };
  return best_of(
      candidates, enough, [](const SwapBound& swap) { return swap.gain; }, refine, refit);
}

SignedMove best_signed_remove(const Moments& moments, const SupportState& state) {
  std::vector<Index> order(static_cast<std::size_t>(state.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return state.remove_loss(a) < state.remove_loss(b); });
  SignedMove best;
  for (const Index i : order) {
    if (best && -state.remove_loss(i) <= best.gain) break;
    const Index member = state.support()[static_cast<std::size_t>(i)];
    FittedSupport fit = signed_fit(moments, without(state.support(), member));
    const double gain = state.loss() - fit.loss;
    if (usable(fit) && (!best || gain > best.gain)) best = {member, -1, gain, std::move(fit)};
  }
  return best;
}

}  // namespace lass0
