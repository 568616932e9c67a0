#include "search/stand_ins.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "search/signed/signed_moves.hpp"
#include "search/state/all_swaps.hpp"

namespace lass0 {
namespace {

// The `count` columns of largest score, largest first, ties by column; scores below 0 don't count.
std::vector<Index> largest(const Vector& scores, Index count) {
  std::vector<Index> best;
  double enough = 0;  // a score that is not below this is among the best so far
  for (Index j = 0; j < scores.size(); ++j) {
    if (!(scores[j] >= enough)) continue;
    const auto place = std::upper_bound(best.begin(), best.end(), j,
                                        [&](Index a, Index b) { return scores[a] > scores[b]; });
    if (std::ssize(best) == count && place == best.end()) continue;  // a tie with the last one
    best.insert(place, j);
    if (std::ssize(best) > count) best.pop_back();
    if (std::ssize(best) == count) enough = scores[best.back()];
  }
  return best;
}

// Only columns with which all coefficients keep their signs.
void keep_feasible(const Moments& moments, const SupportState& state, Index i, Vector& regain) {
  for (Index j = 0; j < regain.size(); ++j) {
    if (regain[j] >= 0 && !swap_keeps_signs(moments, state, i, j)) regain[j] = -1;
  }
}

// The loss without the member at place i less that with it; with signs the others keep theirs.
double removal_cost(const Moments& moments, const SupportState& state, Index i) {
  if (!has_signs(moments.problem())) return state.remove_loss(i);
  std::vector<Index> others = state.support();
  others.erase(others.begin() + i);
  const FittedSupport fit = signed_fit(moments, others);
  return fit.independent ? std::max(state.remove_loss(i), fit.loss - state.loss())
                         : state.remove_loss(i);
}

}  // namespace

double log_likelihood_drop(double loss, double increase, double n) {
  return increase == 0 ? 0.0 : 0.5 * n * std::log1p(std::max(-1.0, increase / loss));
}

bool near_tie(double loss, double increase, double n) {
  return log_likelihood_drop(loss, increase, n) <= kNearTie;
}

StandIns nearest_stand_ins(const Moments& moments, Columns support, Index per_member,
                           const Budget& budget) {
  std::vector<Index> members(support.begin(), support.end());
  std::sort(members.begin(), members.end());
  return nearest_stand_ins(moments,
                           SupportState(moments, members, SupportState::Detail::swaps, budget),
                           per_member, budget);
}

StandIns nearest_stand_ins(const Moments& moments, const SupportState& state, Index per_member,
                           const Budget& budget) {
  if (!std::isfinite(state.loss())) return {};  // its columns are dependent: nothing can be said
  std::vector<Index> members = state.support();
  std::sort(members.begin(), members.end());
  const double rounding = std::max(slack(state.loss(), moments.target_square()),
                                   fit_support(moments, members).rounding);
  const double unit = moments.target_scale() * moments.target_scale();
  AllSwaps swaps(moments, state);
  StandIns found;
  std::vector<Alternative>& alternatives = found.alternatives;
  for (const Index member : members) {
    budget.check();
    const Index i = state.position(member);
    swaps.choose(i);
    Vector regain = swaps.regain();
    if (has_signs(moments.problem())) keep_feasible(moments, state, i, regain);
    found.without.push_back({member, removal_cost(moments, state, i) * unit});
    const auto first = std::ssize(alternatives);
    for (const Index j : largest(regain, per_member)) {
      const double increase = -swaps.gain(j);
      alternatives.push_back({member, j, std::abs(increase) <= rounding ? 0.0 : increase * unit});
    }
    std::sort(alternatives.begin() + first, alternatives.end(),
              [](const Alternative& a, const Alternative& b) {
                return std::tie(a.loss_increase, a.stand_in) <
                       std::tie(b.loss_increase, b.stand_in);
              });
  }
  return found;
}

}  // namespace lass0
