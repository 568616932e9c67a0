// The rows of a table of best supports, filled and improved until nothing changes.
#pragma once

#include <algorithm>
#include <lass0/search.hpp>
#include <lass0/support_table.hpp>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "search/table/best_by_size.hpp"
#include "search/table/duplicate_columns.hpp"
#include "search/table/larger_moves.hpp"
#include "search/table/leave_one_out.hpp"
#include "search/table/loss_bounds.hpp"
#include "search/table/table_sizes.hpp"
#include "search/table/walkers.hpp"

namespace lass0 {

// Up to this many columns a quick search is a full one.
inline constexpr Index kSameEffort = 128;

// Fills the rows: forward and backward with swaps at every size, the supports of the Lasso path
// taken down by elimination, from every row that improved its two neighbours, and what swaps find
// when a member is kept out, until nothing changes. Internal units.
template <class Choice>
class TableBuilder {
  using State = typename Choice::State;

 public:
  TableBuilder(const Moments& moments, Index max_k, Effort effort, const Budget& budget,
               bool with_larger_moves = true)
      : moments_(moments),
        budget_(budget),
        effort_(effort),
        with_larger_moves_(with_larger_moves),
        scan_(moments),
        trials_(moments),
        duplicates_(moments),
        rows_(static_cast<std::size_t>(max_k) + 1) {
    rows_[0] = {{}, moments.yty(), true, true, true};
  }

  struct Row {
    std::vector<Index> support;
    double loss = std::numeric_limits<double>::infinity();
    bool swap_optimal = false;
    bool settled = false;  // and its neighbours have seen it
    bool escaped = false;  // see escape()
  };
  const std::vector<Row>& rows() const { return rows_; }

  void run() {
    LargerMoves larger_moves(moments_, effort_, budget_, rows_to_improve(), tried_);
    fill();
    if (max_k() < first_) return;
    if (leave_one_out()) settle_all();
    if (!with_larger_moves_ || !larger_moves.run()) return;
    settle_all();
    for (int i = 0; i < kMoreLargerMoves && larger_moves.again(); ++i) settle_all();
  }

  const LargerMovesTried& larger_moves() const { return tried_; }

  // A support to begin with, which is offered to its row.
  void start_from(const std::vector<Index>& support) {
    const Index k = std::ssize(support);
    if (k < first_ || k > max_k()) return;
    const SupportFit fit = fit_support(moments_, support);
    if (fit.independent) offer(support, fit.loss, true);
  }

  // The first rows as somebody else found them, which stay as they are.
  void begin_with(std::vector<Row> rows) { rows_ = std::move(rows); }

  // More rows, up to that of `asked` columns and a few beyond; those that are there stay as they
  // are, so that they don't depend on how many were asked for (table_sizes.hpp). `from`: the step
  // that was finished.
  void extend(Index from, Index asked) {
    while (from < asked && !exhausted_) {
      from = std::min(next_table_size(from), moments_.cols());
      extend_to(from);
    }
  }

  void extend_to(Index max_k) {
    first_ = this->max_k() + 1;
    rows_.resize(static_cast<std::size_t>(max_k) + 1);
    run();
  }

 private:
  void fill() {
    forward();
    if (max_k() < first_) return;
    backward();
    settle_all();
  }

  void settle_all() {
    do {
      settle();
    } while (escape());
  }

  LargerMoves::Rows rows_to_improve() {
    LargerMoves::Rows rows;
    rows.first = [&] { return first_; };
    rows.last = [&] { return max_k(); };
    rows.support = [&](Index k) -> const std::vector<Index>& { return row(k).support; };
    rows.loss = [&](Index k) { return row(k).loss; };
    rows.offer = [&](const std::vector<Index>& support, double loss, bool sure) {
      return offer(support, loss, sure);
    };
    rows.best_columns = [&](const std::vector<Index>& support, Index count) {
      return best_adds(walk_to(support), count);
    };
    return rows;
  }

  Index max_k() const { return std::ssize(rows_) - 1; }
  Row& row(Index k) { return rows_[static_cast<std::size_t>(k)]; }
  double slack(double loss) const {
    return std::max(kStrictImprovement * loss, kRoundingOfSums * moments_.target_square());
  }

  bool better(double loss, const Row& row) const {
    return loss < row.loss - (std::isfinite(row.loss) ? slack(row.loss) : 0.0);
  }

  // True: the row got better.
  bool offer(const State& state, bool swap_optimal) {
    if (state.size() < first_ || !better(state.loss(), row(state.size()))) return false;
    if (!state.has_drifted()) {
      keep(state.support(), state.loss(), swap_optimal);
      return true;
    }
    const SupportFit fit = fit_support(moments_, state.support());
    if (!fit.independent || !better(fit.loss + fit.rounding, row(state.size()))) return false;
    keep(state.support(), fit.loss, false);
    return true;
  }

  // The same for a support that a score recommends, or that and one more column: what it promised
  // is checked unless it is sure.
  bool offer(const std::vector<Index>& support, double promised, bool sure, Index extra = -1) {
    const Index k = std::ssize(support) + (extra >= 0 ? 1 : 0);
    if (k < first_ || !better(promised, row(k))) return false;
    double loss = std::max(0.0, promised);
    if (!sure) {
      const SupportFit fit = fit_support(moments_, support, extra);
      if (!fit.independent || !better(fit.loss + fit.rounding, row(k))) return false;
      loss = fit.loss;
    }
    std::vector<Index> whole = support;
    if (extra >= 0) whole.push_back(extra);
    keep(std::move(whole), loss, false);
    return true;
  }

  void keep(std::vector<Index> support, double loss, bool swap_optimal) {
    support = duplicates_.canonical(std::move(support));
    Row& row = this->row(std::ssize(support));
    row = {std::move(support), loss, swap_optimal, false, false};
  }

  // The state that walks from row to row: most of them are near each other.
  State& walk_to(const Row& row) { return walk_to(row.support); }
  State& walk_to(const std::vector<Index>& support) {
    if (walker_) {
      walker_->walk_to(support);
    } else {
      walker_.emplace(Choice::at(moments_, support, budget_));
    }
    return *walker_;
  }

  // Forward from the best row so far; every row is made swap-optimal on the way.
  void forward() {
    State& state = walk_to(row(first_ - 1));
    for (Index k = first_; k <= max_k(); ++k) {
      if (!grow(state)) {  // nothing left to explain, or no independent column
        rows_.resize(static_cast<std::size_t>(k));
        exhausted_ = true;
        return;
      }
      if (row(k).loss < state.loss() - slack(state.loss())) state.walk_to(row(k).support);
      descend(state);
      budget_.progress("best supports", 0.5 * static_cast<double>(k) / static_cast<double>(max_k()));
    }
  }

  // From the last row down, along a path of its own: rows that forward steps left behind get
  // better.
  void backward() {
    State& state = walk_to(row(max_k()));
    for (Index k = max_k() - 1; k >= first_; --k) {
      state.remove(least_member(state));
      descend(state);
      budget_.progress("best supports",
                     1 - 0.5 * static_cast<double>(k) / static_cast<double>(max_k()));
    }
  }

  // Adds the best column that keeps what its score promises. False: there is none.
  bool grow(State& state) const {
    for (std::vector<Index> refused;;) {
      const Index j = best_add(state, refused);
      if (j < 0) return false;
      const double sure = state.add_gain(j) - state.add_gain_rounding(j);
      if (sure > slack(state.loss()) && move(state, -1, j)) return true;
      refused.push_back(j);
    }
  }

  // An add, or a swap. On nearly dependent columns a score can promise what the move does not keep:
  // then it is taken back.
  bool move(State& state, Index removed, Index added) const {
    const std::vector<Index> support = state.support();
    const double before = state.loss();
    if (removed >= 0) {
      state.swap(removed, added);
    } else {
      state.add(added);
    }
    if (state.loss() < before && state.independent()) return true;
    state.move_to(support);
    return false;
  }

  // Swaps until none lowers the loss. Where a swap did not keep what its score had promised (nearly
  // dependent columns), that none was left is not shown.
  void descend(State& state) {
    if (is_settled(state)) return;
    bool shown = true;
    for (double built = std::numeric_limits<double>::infinity();;) {
      budget_.check();
      const ScannedSwap swap = scan_.best(state);
      const bool none = swap.remove < 0 || !(swap.gain > slack(state.loss()));
      if (none && !state.has_drifted()) break;
      if (none) {  // as far as one can tell: looked at again with all digits, once for each loss
        state.rebuild();
        shown = state.loss() < built;
        if (!shown) break;
        built = state.loss();
        offer(state, false);
        continue;
      }
      shown = move(state, swap.remove, swap.add);
      if (!shown) break;
    }
    record(state, shown);
  }

  // The row has this very support, and nothing is left to do for it.
  bool is_settled(const State& state) {
    const Row& row = this->row(state.size());
    if (!row.settled || !row.swap_optimal) return false;
    return std::all_of(row.support.begin(), row.support.end(),
                       [&](Index j) { return state.contains(j); });
  }

  // A support that swaps can't improve, and its two neighbours.
  void record(const State& state, bool swap_optimal) {
    const bool kept = offer(state, swap_optimal);
    if (state.size() < first_) return;
    Row& row = this->row(state.size());
    // That of the row is better: mostly by so much that it need not be compared.
    if (!kept && state.loss() > row.loss + kFarAbove * moments_.target_square()) return;
    if (!kept && row.support != duplicates_.canonical(state.support())) return;
    row.swap_optimal = row.swap_optimal || swap_optimal;
    row.settled = true;
    const bool sure = state.condition() < kIllConditioned;
    if (state.size() < max_k()) {
      const Index j = best_add(state, {});
      if (j >= 0) {
        const bool apart = state.s()[j] * kIllConditioned > moments_.squares()[j];
        offer(state.support(), state.loss() - state.add_gain(j), sure && apart, j);
      }
    }
    const Index least = least_member(state);
    const double without = state.loss() + state.remove_loss(state.position(least));
    if (!better(without, this->row(state.size() - 1))) return;
    std::vector<Index> rest = state.support();
    std::erase(rest, least);
    offer(rest, without, sure);
  }

  bool leave_one_out() {
    bool improved = false;
    eliminate_without_each(
        moments_, max_k(), [&](Index k) { return row(k).loss; },
        [&](const std::vector<Index>& support, double loss) {
          improved = offer(support, loss, true) || improved;
        });
    return improved;
  }

  // Every row that is not yet swap-optimal, or whose neighbours have not seen it, until nothing
  // changes.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = first_; k <= max_k(); ++k) {
        if (row(k).settled) continue;
        changed = true;
        descend(walk_to(row(k)));
        row(k).settled = true;
      }
    }
  }

  // Where every swap makes a support worse, a better one may still be near. Each member in turn is
  // kept out while the others are swapped, as far as the work allows: the smaller sizes. True: some
  // row got better.
  bool escape() {
    bool improved = false;
    const Index p = moments_.cols();
    const bool quick = effort_ == Effort::quick || p <= kSameEffort;
    const double most = quick ? kLittleEscapeWork : kEscapeWork;
    double work = 0;
    if (!bounds_) bounds_.emplace(moments_);
    deferred_.resize(rows_.size());
    for (Index k = first_; k <= max_k(); ++k) {
      const double size = static_cast<double>(k);
      const double one = 8 * size * static_cast<double>(p);
      if (work + size * one > most) break;
      if (row(k).escaped) continue;
      row(k).escaped = true;
      const State* state = nullptr;
      for (const Index member : std::vector<Index>(row(k).support)) {
        if (!bounds_->reached(k, member, row(k).loss)) continue;  // whatever is better has it too
        work += one;
        if (!state) state = &walk_to(row(k));
        improved = without(member, *state) || improved;
      }
    }
    return improved || deferred_.offer_all([&](const std::vector<Index>& support, double loss) {
      return offer(support, loss, false);
    });
  }

  bool without(Index member, const State& state) {
    if constexpr (std::is_same_v<typename Choice::Trials, Trial>) {
      budget_.check();
      const bool any = trials_.without(member, state, [&](double loss) { return slack(loss); });
      if (trials_.sure()) {
        if (!any) return false;
        const double loss = trials_.loss();
        const Index j = trials_.best_add(slack(loss)), least = trials_.least_place();
        defer(trials_.support(), j, j >= 0 ? loss - trials_.add_gain(j) : 0.0, least,
              loss + trials_.remove_loss(least));
        return offer(trials_.support(), loss, true);
      }
    }
    return without_in(state, member);
  }

  // A trial's support with one column more (-1: none), and without the member at a place.
  void defer(const std::vector<Index>& support, Index more, double with_more, Index place,
             double with_less) {
    const auto promises = [&](Index k, double loss) {
      return k >= first_ && k <= max_k() && better(loss, row(k)) && deferred_.promises(k, loss);
    };
    const Index k = std::ssize(support);
    if (more >= 0 && promises(k + 1, with_more)) {
      std::vector<Index> larger = support;
      larger.push_back(more);
      deferred_.keep(std::move(larger), with_more);
    }
    if (promises(k - 1, with_less)) {
      std::vector<Index> smaller = support;
      smaller.erase(smaller.begin() + place);
      deferred_.keep(std::move(smaller), with_less);
    }
  }

  bool without_in(State state, Index member) {
    state.remove(member);
    const Index j = best_add(state, Columns(&member, 1));
    if (j < 0 || !move(state, -1, j)) return false;
    for (;;) {
      budget_.check();
      const ScannedSwap swap = scan_.best(state, member);
      if (swap.remove < 0 || !(swap.gain > slack(state.loss()))) break;
      if (!move(state, swap.remove, swap.add)) break;
    }
    const Index more = best_add(state, {}), least = state.position(least_member(state));
    defer(state.support(), more, more >= 0 ? state.loss() - state.add_gain(more) : 0.0, least,
          state.loss() + state.remove_loss(least));
    return offer(state, false);
  }

  Index best_add(const State& state, Columns refused) const {
    Index best = -1;
    double most = slack(state.loss());
    for (Index j = 0; j < moments_.cols(); ++j) {
      // Most are far from the best: no division for those.
      if (state.r()[j] * state.r()[j] <= most * state.s()[j] || !state.addable(j)) continue;
      const double gain = state.add_gain(j);
      if (!(gain > most) || std::find(refused.begin(), refused.end(), j) != refused.end()) continue;
      most = gain;
      best = j;
    }
    return best;
  }

  // The `count` columns of largest gain, the best first; ties go to the lower column.
  std::vector<Index> best_adds(const State& state, Index count) const {
    std::vector<std::pair<double, Index>> scored;  // by falling gain
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (state.addable(j)) scored.emplace_back(-state.add_gain(j), j);
    }
    const auto some = std::min<std::ptrdiff_t>(count, std::ssize(scored));
    std::partial_sort(scored.begin(), scored.begin() + some, scored.end());
    std::vector<Index> columns;
    for (auto it = scored.begin(); it != scored.begin() + some; ++it) columns.push_back(it->second);
    return columns;
  }

  static Index least_member(const State& state) {
    Index least = 0;
    for (Index i = 1; i < state.size(); ++i) {
      if (state.remove_loss(i) < state.remove_loss(least)) least = i;
    }
    return state.support()[static_cast<std::size_t>(least)];
  }

  static constexpr int kMoreLargerMoves = 3;  // rounds of larger moves from the rows themselves

  static constexpr double kFarAbove = 1e-6;  // of y'y: more than rounding

  // Multiplications that escaping may take in one pass, 8 k p for one member of k. Little of it
  // makes nearly all rows of few columns optimal, and these tables are to take a few milliseconds.
  static constexpr double kEscapeWork = 2e7, kLittleEscapeWork = 6e5;

  const Moments& moments_;
  const Budget& budget_;
  const Effort effort_;
  const bool with_larger_moves_;
  typename Choice::Scan scan_;
  typename Choice::Trials trials_;
  DuplicateColumns duplicates_;
  LargerMovesTried tried_;
  std::vector<Row> rows_;
  std::optional<State> walker_;
  std::optional<LossBounds> bounds_;
  BestBySize deferred_;
  Index first_ = 1;         // rows below it are not touched
  bool exhausted_ = false;  // no column lowers the loss of the last row
};

}  // namespace lass0
