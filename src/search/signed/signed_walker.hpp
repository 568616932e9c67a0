// A walker (search/table/walker.hpp) under signs: every step is refitted, and a refit may set more
// columns to 0.
#pragma once

#include <algorithm>
#include <vector>

#include "search/signed/signed_moves.hpp"
#include "search/state/step.hpp"
#include "search/table/duplicate_columns.hpp"

namespace lass0 {

class SignedWalker {
 public:
  using Step = SignedMove;
  static constexpr bool kStepsAreFits = true, kAllTrialsCount = true;

  SignedWalker(const Moments& moments, const Budget& budget)
      : moments_(moments),
        budget_(budget),
        duplicates_(moments),
        state_(moments, {}, SupportState::Detail::swaps, budget),
        loss_(moments.yty()) {}

  Index size() const { return state_.size(); }
  bool contains(Index j) const { return state_.contains(j); }
  double loss() const { return loss_; }
  bool has_drifted() const { return false; }  // fits have all their digits
  void rebuild() {}
  // The support keeps the signs.
  void walk_to(const std::vector<Index>& support, double loss) {
    state_.walk_to(support);
    loss_ = loss;
  }

  std::vector<Index> canonical() { return canonical({.support = sorted_support(), .loss = loss_}); }
  std::vector<Index> canonical(const FittedSupport& fit);  // where signs allow that

  Step best_add(Index kept_out = -1) const {
    return best_signed_add(moments_, state_, enough(), kept_out);
  }
  Step best_swap(Index kept_out = -1) const {
    if (size() == 0) return {};
    return best_signed_swap(moments_, state_, enough(), budget_, kept_out);
  }
  Step best_remove() const { return best_signed_remove(moments_, state_); }
  bool make(const Step& step) {
    walk_to(step.fit.support, step.fit.loss);
    return true;
  }
  static Index size_after(const Step& step) { return std::ssize(step.fit.support); }
  static double loss_after(const Step& step) { return step.fit.loss; }
  static const FittedSupport& fit_after(const Step& step) { return step.fit; }

  template <class Make>
  bool grow(const Make& make) {
    const Step add = best_add();
    return add && make(add);
  }

  void start_trials(const std::vector<Index>& support) { members_ = support; }

  // At first among the others alone: a column joins where no swap improves them.
  template <class Table>
  bool try_without(Index member, Table& table) {
    std::vector<Index> others = members_;
    std::erase(others, member);
    const FittedSupport fit = signed_fit(moments_, others);
    if (!fit.independent) return false;
    bool improved = table.offer(fit);
    walk_to(fit.support, fit.loss);
    descend(
        [&] {
          budget_.check();
          Step step = best_swap(member);
          return step || size() == std::ssize(members_) ? step : best_add(member);
        },
        [&](const Step& step) {
          improved = table.offer(step.fit) || improved;
          return make(step);
        });
    return improved;
  }

 private:
  std::vector<Index> sorted_support() const {
    std::vector<Index> support = state_.support();
    std::sort(support.begin(), support.end());
    return support;
  }

  // What a step must gain on the state's own loss.
  double enough() const {
    return slack(loss_, moments_.target_square()) + std::max(0.0, state_.loss() - loss_);
  }

  const Moments& moments_;
  const Budget& budget_;
  DuplicateColumns duplicates_;
  SupportState state_;
  // Of the fit which led to where it stands: that of the state has the rounding of its updates, and
  // on nearly dependent columns the search could go in circles.
  double loss_;
  std::vector<Index> members_;  // of the support whose members are left out in turn
};

}  // namespace lass0
