// Fills the rows of a table, and improves them until nothing changes: forward and backward with
// swaps at every size; from every row that improved its two neighbours; and, to escape local
// optima, with each member kept out in turn. How a support is moved is the walker's business
// (walker.hpp); where a search begins, beside the rows themselves, is the caller's.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "search/state/step.hpp"
#include "search/table/best_by_size.hpp"
#include "search/table/loss_bounds.hpp"
#include "search/table/table_rows.hpp"
#include "search/table/table_sizes.hpp"
#include "search/table/walker.hpp"

namespace lass0 {

// Multiplications that escaping may take in one pass, 8 k p for one member of k. Little of it makes
// nearly all rows of few columns optimal, and these tables are to take a few milliseconds.
inline constexpr double kEscapeWork = 2e7, kLittleEscapeWork = 6e5;

template <Walker W>
class TableFiller {
  using Step = typename W::Step;

 public:
  TableFiller(const Moments& moments, Index max_k, double escape_work, const Budget& budget)
      : moments_(moments),
        budget_(budget),
        escape_work_(escape_work),
        walker_(moments, budget),
        rows_(static_cast<std::size_t>(max_k) + 1) {
    rows_[0] = {{}, moments.yty(), true, true, true};
  }

  W& walker() { return walker_; }
  const std::vector<Row>& rows() const { return rows_; }
  const Row& row(Index k) const { return rows_[static_cast<std::size_t>(k)]; }
  Index first() const { return first_; }  // rows below it are not touched
  Index max_k() const { return std::ssize(rows_) - 1; }

  // The first rows as somebody else found them, which stay as they are.
  void begin_with(std::vector<Row> rows) { rows_ = std::move(rows); }

  // More rows, up to that of `asked` columns and a few beyond; those that are there stay as they
  // are, so that they don't depend on how many were asked for (table_sizes.hpp). `from`: the step
  // that was finished; fill_more() fills the rows of a step.
  template <class FillMore>
  void extend(Index from, Index asked, const FillMore& fill_more) {
    while (from < asked && !exhausted_) {
      from = std::min(next_table_size(from), moments_.cols());
      extend_to(from, fill_more);
    }
  }

  template <class FillMore>
  void extend_to(Index max_k, const FillMore& fill_more) {
    first_ = this->max_k() + 1;
    rows_.resize(static_cast<std::size_t>(max_k) + 1);
    fill_more();
  }

  // False: no column was left for the first row.
  bool fill() {
    if (!fill_by_moves()) return false;
    settle();
    return true;
  }
  // The same without escapes from local optima.
  bool fill_by_moves() {
    forward();
    if (max_k() < first_) return false;
    backward();
    settle_rows();
    return true;
  }

  // Until no row gets better.
  void settle() {
    do {
      settle_rows();
    } while (escape());
  }

  // Swaps from a support, whatever its loss is beside the row's.
  void descend_from(const std::vector<Index>& support, double loss) {
    walker_.walk_to(support, loss);
    descend();
  }

  // All of these: true, the row got better.
  bool offer(const FittedSupport& fit) {
    const Index k = std::ssize(fit.support);
    if (!fit.independent || k < first_ || k > max_k() || !better(fit.loss + fit.rounding, row(k)))
      return false;
    at(k) = {walker_.canonical(fit), fit.loss, false, false, false};
    return true;
  }
  // A support of k columns that promises a loss. fit(): what it keeps, asked for where it is
  // needed.
  template <class Fit>
  bool offer(Index k, double promised, const Fit& fit) {
    if (k < first_ || k > max_k() || !better(promised, row(k))) return false;
    return offer(fit());
  }
  bool offer(const std::vector<Index>& support, double promised, bool sure) {
    return offer(std::ssize(support), promised,
                 [&] { return walker_.fitted(support, promised, sure); });
  }

  // The neighbour of a trial's support: offered once no trial makes any row better.
  void defer(const std::vector<Index>& support, const Step& step, double loss) {
    const Index k = std::ssize(support) + (step.add >= 0 ? 1 : -1);
    if (k < first_ || k > max_k() || !better(loss, row(k)) || !deferred_.promises(k, loss)) return;
    std::vector<Index> neighbour = support;
    if (step.add >= 0) neighbour.push_back(step.add);
    if (step.remove >= 0) std::erase(neighbour, step.remove);
    deferred_.keep(std::move(neighbour), loss);
  }

  // Somebody else has shown that no swap improves the row.
  void mark_swap_optimal(Index k) { at(k).swap_optimal = true; }

 private:
  Row& at(Index k) { return rows_[static_cast<std::size_t>(k)]; }
  double slack(double loss) const { return lass0::slack(loss, moments_.target_square()); }
  bool better(double loss, const Row& row) const {
    return loss < row.loss - (std::isfinite(row.loss) ? slack(row.loss) : 0.0);
  }

  // Where a step leads.
  bool offer(const Step& step) {
    return step && offer(walker_.size_after(step), walker_.loss_after(step),
                         [&]() -> decltype(auto) { return walker_.fit_after(step); });
  }

  bool make(const Step& step) {
    if constexpr (W::kStepsAreFits) offer(step);
    return walker_.make(step);
  }

  void walk_to(const Row& row) { walker_.walk_to(row.support, row.loss); }

  void report(double fraction) const { budget_.progress("best supports", fraction); }
  double share() const {
    return 0.5 * static_cast<double>(walker_.size()) / static_cast<double>(max_k());
  }

  // Forward from the best row so far; every row is made swap-optimal on the way. (A step of fits
  // may lead to a smaller support: it is better than the one that was there.)
  void forward() {
    walk_to(row(first_ - 1));
    while (walker_.size() < max_k()) {
      if (!walker_.grow([&](const Step& add) { return make(add); })) {
        // Nothing is left to explain, or no column that could.
        rows_.resize(static_cast<std::size_t>(std::max(walker_.size() + 1, first_)));
        exhausted_ = true;
        return;
      }
      const Row& best = row(walker_.size());
      if (best.loss < walker_.loss() - slack(walker_.loss())) walk_to(best);
      descend();
      report(share());
    }
  }

  // From the last row down, along a path of its own: rows that forward steps left behind get
  // better.
  void backward() {
    walk_to(row(max_k()));
    while (walker_.size() > first_) {
      const Step remove = walker_.best_remove();
      if (!remove || !make(remove)) return;
      descend();
      report(1 - share());
    }
  }

  // Swaps until none lowers the loss. Where a swap did not keep what its score had promised (nearly
  // dependent columns), that none was left is not shown.
  void descend() {
    bool shown = true, settled = is_settled();
    if (settled) return;
    double rebuilt = std::numeric_limits<double>::infinity();
    lass0::descend(
        [&] {
          budget_.check();
          if constexpr (W::kStepsAreFits) {  // the last step may have led to another row's support
            settled = is_settled();
            if (settled || (row(walker_.size()).swap_optimal && stands_at_row())) return Step{};
          }
          return walker_.best_swap();
        },
        [&](const Step& swap) { return shown = make(swap); },
        [&] {
          if (settled || !walker_.has_drifted()) return false;
          // None as far as one can tell: looked at again with all digits, once for each loss.
          walker_.rebuild();
          shown = walker_.loss() < rebuilt;
          rebuilt = walker_.loss();
          if (shown) offer_position();
          return shown;
        });
    if (!settled) record(shown);
  }

  bool offer_position() {
    if constexpr (W::kStepsAreFits)
      return false;  // it was, with the step that led there
    else
      return offer(walker_.size(), walker_.loss(), [&] { return walker_.fit(); });
  }

  // Nothing is left to do for where the walker stands.
  bool is_settled() const {
    if (walker_.size() < first_) return true;
    const Row& row = this->row(walker_.size());
    return row.settled && row.swap_optimal && stands_at_row();
  }

  bool stands_at_row() const {
    const std::vector<Index>& support = row(walker_.size()).support;
    return std::ssize(support) == walker_.size() &&
           std::all_of(support.begin(), support.end(),
                       [&](Index j) { return walker_.contains(j); });
  }

  // A support that swaps can't improve, and its two neighbours.
  void record(bool swap_optimal) {
    Row& row = at(walker_.size());
    if (!offer_position()) {
      // That of the row is better: mostly by so much that it need not be compared.
      if (walker_.loss() > row.loss + kClearlyAbove * moments_.target_square()) return;
      if (row.support != walker_.canonical()) return;
    }
    row.swap_optimal = row.swap_optimal || swap_optimal;
    row.settled = true;
    if (walker_.size() < max_k()) offer(walker_.best_add());
    offer(walker_.best_remove());
  }

  // Every row that is not yet swap-optimal, or whose neighbours have not seen it, until nothing
  // changes.
  void settle_rows() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = first_; k <= max_k(); ++k) {
        if (row(k).settled || !std::isfinite(row(k).loss)) continue;
        changed = true;
        const std::vector<Index> support = row(k).support;
        descend_from(support, row(k).loss);
        // Unless it got better on the way, and comes again.
        if (row(k).support == support) at(k).settled = true;
      }
    }
  }

  // Where every swap makes a support worse, a better one may still be near. Each member in turn is
  // kept out while the others are swapped, as far as the work allows: the smaller sizes. True: some
  // row got better.
  bool escape() {
    bool improved = false;
    double work = 0;
    if (!bounds_) bounds_.emplace(moments_);
    deferred_.resize(rows_.size());
    for (Index k = first_; k <= max_k(); ++k) {
      const double size = static_cast<double>(k);
      const double one = 8 * size * static_cast<double>(moments_.cols());
      if (work + size * one > escape_work_) break;
      if (W::kAllTrialsCount) work += size * one;
      if (row(k).escaped || !std::isfinite(row(k).loss)) continue;
      at(k).escaped = true;
      bool started = false;
      const std::vector<Index> members = row(k).support;
      for (const Index member : members) {
        if (!bounds_->reached(k, member, row(k).loss)) continue;  // whatever is better has it too
        if (!W::kAllTrialsCount) work += one;
        if (!std::exchange(started, true)) walker_.start_trials(members);
        improved = walker_.try_without(member, *this) || improved;
      }
    }
    return improved || deferred_.offer_all([&](const std::vector<Index>& support, double loss) {
      if constexpr (W::kStepsAreFits)
        return false;
      else
        return offer(support, loss, false);
    });
  }

  const Moments& moments_;
  const Budget& budget_;
  const double escape_work_;
  W walker_;
  std::vector<Row> rows_;
  std::optional<LossBounds> bounds_;
  BestBySize deferred_;
  Index first_ = 1;
  bool exhausted_ = false;  // no column lowers the loss of the last row
};

}  // namespace lass0
