#include "search/state/scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace lass0 {

Scores::Scores(const Moments& moments, const Penalty& penalty)
    : moments_(moments),
      lambda_(penalty.lambda / moments.target_scale() / moments.target_scale()),
      power_(penalty.power),
      unit_(moments.target_scale() * moments.target_scale()) {}

double Scores::coefficient_penalty(Index j, double b) const {
  return lambda_ * std::pow(std::abs(b * moments_.coefficient_unit(j)), power_);
}

double Scores::objective(const SupportState& state) const {
  const double half_loss = 0.5 * state.loss();
  if (power_ == 0) return half_loss + lambda_ * static_cast<double>(state.size());
  double penalty = 0;
  for (Index i = 0; i < state.size(); ++i) {
    penalty += coefficient_penalty(state.support()[static_cast<std::size_t>(i)], state.b()[i]);
  }
  return half_loss + penalty;
}

double Scores::move_gain(const SupportState& state, Index j) const {
  const bool removes = state.contains(j);
  if (!removes && !state.addable(j)) return -std::numeric_limits<double>::infinity();
  const Index at = state.position(j);
  const double loss_gain = removes ? -0.5 * state.remove_loss(at) : 0.5 * state.add_gain(j);
  if (power_ == 0) return loss_gain + (removes ? lambda_ : -lambda_);

  const double b_j = removes ? state.b()[at] : state.added_coefficient(j);
  const Vector shift = removes ? state.removal_shift(at) : Vector();
  double gain = loss_gain + (removes ? 1 : -1) * coefficient_penalty(j, b_j);
  for (Index i = 0; i < state.size(); ++i) {
    if (i == at) continue;
    const Index column = state.support()[static_cast<std::size_t>(i)];
    const double b_i = state.b()[i];
    const double change = removes ? shift[i] : state.B(i, j);
    gain += coefficient_penalty(column, b_i) - coefficient_penalty(column, b_i - change * b_j);
  }
  return gain;
}

std::optional<Swap> Scores::best_swap(const SupportState& state,
                                      std::span<const Alternative> alternatives, double enough,
                                      const Budget& budget) const {
  std::vector<Swap> candidates;  // the best one for each member, which comes first
  for (const Alternative& one : alternatives) {
    const double gain = -0.5 * one.loss_increase / unit_;
    if (gain > enough && (candidates.empty() || candidates.back().remove != one.member))
      candidates.push_back({one.member, one.stand_in, gain});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Swap& x, const Swap& y) {
    return std::tie(y.gain, x.remove, x.add) < std::tie(x.gain, y.remove, y.add);
  });
  const SupportFit here = fit_support(moments_, state.support());
  for (const Swap& swap : candidates) {
    budget.check();
    std::vector<Index> support = state.support();
    support[static_cast<std::size_t>(state.position(swap.remove))] = swap.add;
    const SupportFit fit = fit_support(moments_, support);
    const double gain = 0.5 * (here.loss - fit.loss);
    if (fit.independent && gain > enough + here.rounding + fit.rounding)
      return Swap{swap.remove, swap.add, gain};
  }
  return std::nullopt;
}

}  // namespace lass0
