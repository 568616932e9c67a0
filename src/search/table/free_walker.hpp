// Walkers (walker.hpp) without signs: by a tableau where columns are few, by Gram columns where
// they are many.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "search/state/support_state.hpp"
#include "search/state/swap_scan.hpp"
#include "search/table/duplicate_columns.hpp"
#include "search/tableau/tableau.hpp"
#include "search/tableau/trial.hpp"

namespace lass0 {

// What keeps the support, and what finds its best swap: what they are in the Gram matrix of the
// support, or p x p numbers where columns are few.
struct ManyColumns {
  using State = SupportState;
  using Scan = SwapScan;
  static constexpr bool kTrials = false;  // every trial in a state of its own
  static State at(const Moments& moments, std::vector<Index> support, const Budget& budget) {
    return SupportState(moments, std::move(support), SupportState::Detail::gains, budget,
                        SupportState::Rebuild::on_demand);
  }
};

struct FewColumns {
  using State = Tableau;
  using Scan = TableauScan;
  static constexpr bool kTrials = true;
  static State at(const Moments& moments, std::vector<Index> support, const Budget& budget) {
    return Tableau(moments, std::move(support), budget);
  }
};

template <class Kind>
class FreeWalker {
  using State = typename Kind::State;

 public:
  using Step = lass0::Step;
  static constexpr bool kStepsAreFits = false, kAllTrialsCount = false;

  FreeWalker(const Moments& moments, const Budget& budget)
      : moments_(moments), budget_(budget), scan_(moments), duplicates_(moments) {
    if constexpr (Kind::kTrials) trial_.emplace(moments);
  }

  Index size() const { return state_->size(); }
  bool contains(Index j) const { return state_->contains(j); }
  double loss() const { return state_->loss(); }
  bool has_drifted() const { return state_->has_drifted(); }
  void rebuild() { state_->rebuild(); }

  // Its own arithmetic gives the loss.
  void walk_to(const std::vector<Index>& support, double = 0) {
    if (state_) {
      state_->walk_to(support);
    } else {
      state_.emplace(Kind::at(moments_, support, budget_));
    }
  }

  std::vector<Index> canonical() { return duplicates_.canonical(state_->support()); }
  std::vector<Index> canonical(const FittedSupport& fit) {
    return duplicates_.canonical(fit.support);
  }

  Step best_add() const { return best_add(*state_, {}); }
  Step best_swap() { return best_swap(*state_, -1); }
  Step best_remove() const { return best_remove(*state_); }
  bool make(const Step& step) { return make(step, *state_); }

  Index size_after(const Step& step) const {
    return size() + (step.add >= 0 ? 1 : 0) - (step.remove >= 0 ? 1 : 0);
  }
  double loss_after(const Step& step) const { return loss() - step.gain; }
  FittedSupport fit_after(const Step& step) const {
    std::vector<Index> support = state_->support();
    if (step.remove >= 0) std::erase(support, step.remove);
    const bool apart =
        step.add < 0 || state_->s()[step.add] * kIllConditioned > moments_.squares()[step.add];
    const bool sure = apart && state_->condition() < kIllConditioned;
    return fitted(std::move(support), loss_after(step), sure, step.add);
  }
  FittedSupport fit() const { return fit(*state_); }

  // Of a support, or that and one more column, whose loss is known but for rounding, if at all: it
  // is computed unless that is sure.
  FittedSupport fitted(std::vector<Index> support, double promised, bool sure,
                       Index extra = -1) const {
    FittedSupport known{{}, std::max(0.0, promised), 0, true};
    if (!sure) {
      const SupportFit fit = fit_support(moments_, support, extra);
      known = {{}, fit.loss, fit.rounding, fit.independent};
    }
    if (extra >= 0) support.push_back(extra);
    known.support = std::move(support);
    return known;
  }

  // Adds the best column that keeps what its score promises.
  template <class Make>
  bool grow(const Make& make) {
    for (std::vector<Index> refused;;) {
      const Step add = best_add(*state_, refused);
      if (!add) return false;
      const double sure = add.gain - state_->add_gain_rounding(add.add);
      if (sure > slack(loss(), moments_.target_square()) && make(add)) return true;
      refused.push_back(add.add);
    }
  }

  // The `count` columns of largest gain, the best first; ties go to the lower column.
  std::vector<Index> best_adds(Index count) const {
    std::vector<std::pair<double, Index>> scored;  // by falling gain
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (state_->addable(j)) scored.emplace_back(-state_->add_gain(j), j);
    }
    const auto some = std::min<std::ptrdiff_t>(count, std::ssize(scored));
    std::partial_sort(scored.begin(), scored.begin() + some, scored.end());
    std::vector<Index> columns;
    for (auto it = scored.begin(); it != scored.begin() + some; ++it) columns.push_back(it->second);
    return columns;
  }

  void start_trials(const std::vector<Index>& support) { walk_to(support); }

  template <class Table>
  bool try_without(Index member, Table& table) const {
    if constexpr (Kind::kTrials) {
      const bool any = trial_->without(member, *state_, budget_);
      if (trial_->sure()) {
        if (!any) return false;
        defer_neighbours(*trial_, trial_->best_add(), trial_->best_remove(), table);
        return table.offer(trial_->support(), trial_->loss(), true);
      }
    }
    State state = *state_;
    state.remove(member);
    const Step instead = best_add(state, Columns(&member, 1));
    if (!instead || !make(instead, state)) return false;
    descend(
        [&] {
          budget_.check();
          return best_swap(state, member);
        },
        [&](const Step& swap) { return make(swap, state); });
    defer_neighbours(state, best_add(state, {}), best_remove(state), table);
    return table.offer(state.size(), state.loss(), [&] { return fit(state); });
  }

 private:
  // Of a trial: they may be better than the rows of their sizes.
  template <class Trial, class Table>
  static void defer_neighbours(const Trial& trial, const Step& add, const Step& remove,
                               Table& table) {
    if (add) table.defer(trial.support(), add, trial.loss() - add.gain);
    table.defer(trial.support(), remove, trial.loss() - remove.gain);
  }

  Step best_swap(const State& state, Index kept_out) const {
    return strict(scan_.best(state, kept_out), state.loss(), moments_.target_square());
  }

  Step best_add(const State& state, Columns refused) const {
    Step best{-1, -1, slack(state.loss(), moments_.target_square())};
    for (Index j = 0; j < moments_.cols(); ++j) {
      // Most are far from the best: no division for those.
      if (state.r()[j] * state.r()[j] <= best.gain * state.s()[j] || !state.addable(j)) continue;
      const double gain = state.add_gain(j);
      if (!(gain > best.gain) || std::find(refused.begin(), refused.end(), j) != refused.end())
        continue;
      best = {-1, j, gain};
    }
    return best;
  }

  static Step best_remove(const State& state) {
    Index least = 0;
    for (Index i = 1; i < state.size(); ++i) {
      if (state.remove_loss(i) < state.remove_loss(least)) least = i;
    }
    return {state.support()[static_cast<std::size_t>(least)], -1, -state.remove_loss(least)};
  }

  // On nearly dependent columns a score can promise what an add or a swap does not keep: then it is
  // taken back.
  static bool make(const Step& step, State& state) {
    if (step.add < 0) {
      state.remove(step.remove);
      return true;
    }
    const std::vector<Index> support = state.support();
    const double before = state.loss();
    if (step.remove >= 0) {
      state.swap(step.remove, step.add);
    } else {
      state.add(step.add);
    }
    if (state.loss() < before && state.independent()) return true;
    state.move_to(support);
    return false;
  }

  FittedSupport fit(const State& state) const {
    return fitted(state.support(), state.loss(), !state.has_drifted());
  }

  const Moments& moments_;
  const Budget& budget_;
  mutable typename Kind::Scan scan_;
  mutable std::optional<Trial> trial_;
  DuplicateColumns duplicates_;
  std::optional<State> state_;
};

}  // namespace lass0
