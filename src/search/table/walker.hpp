// A walker is where the search for a table stands: a support, the steps that it can make from
// there, and what it knows of the supports that they lead to. The filler (table_filler.hpp) asks
// for no more than that, so that it does not depend on how a support is kept: as a small dense
// matrix, by Gram columns, or with coefficients held to signs.
#pragma once

#include <concepts>
#include <vector>

#include "search/state/support_state.hpp"

namespace lass0 {

// kStepsAreFits: a step comes with the fit of where it leads (`fit`), which may be a smaller
// support than the step says. Where it does not, the loss is a score, checked by fit_after() and
// fit().
//
// kAllTrialsCount: a trial costs more than its scans, so that those that are left out count too.
template <class W>
concept Walker = requires(W walker, const W at, const std::vector<Index>& support, double loss,
                          Index column, const typename W::Step& step) {
  requires std::same_as<const bool, decltype(W::kStepsAreFits)>;
  requires std::same_as<const bool, decltype(W::kAllTrialsCount)>;

  // Where it stands. Before the first walk_to() nothing else may be asked.
  { at.size() } -> std::same_as<Index>;
  { at.contains(column) } -> std::same_as<bool>;
  { at.loss() } -> std::same_as<double>;
  walker.walk_to(support, loss);  // its loss, as somebody else found it
  // The same support with the first of each set of duplicate columns, ascending; and of another.
  { walker.canonical() } -> std::same_as<std::vector<Index>>;
  { walker.canonical(FittedSupport{}) } -> std::same_as<std::vector<Index>>;

  // The best ones. Adds and swaps: those that are a strict improvement; a remove is none.
  { at.best_add() } -> std::same_as<typename W::Step>;
  { walker.best_swap() } -> std::same_as<typename W::Step>;
  { at.best_remove() } -> std::same_as<typename W::Step>;
  {static_cast<bool>(step)};
  // False: it did not keep what its score had promised, and was taken back.
  { walker.make(step) } -> std::same_as<bool>;
  // Where it leads, at once; and for sure.
  { at.size_after(step) } -> std::same_as<Index>;
  { at.loss_after(step) } -> std::same_as<double>;
  { at.fit_after(step) } -> std::convertible_to<FittedSupport>;

  // Numbers that have lost digits are computed anew by rebuild().
  { at.has_drifted() } -> std::same_as<bool>;
  walker.rebuild();

  // Trials: what swaps find when a member of this support is kept out. Then
  //   try_without(member, table)
  // offers what it finds to table.offer(...), and supports of other sizes that may be better than
  // their rows to table.defer(...); true: a row got better.
  walker.start_trials(support);

  // And grow(make): makes the best add that keeps its promise, by make(step); false: there is none.
};

}  // namespace lass0
