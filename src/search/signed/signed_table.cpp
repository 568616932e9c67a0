#include "search/signed/signed_table.hpp"

#include <algorithm>
#include <cmath>
#include <lass0/search.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "moments/independent.hpp"
#include "search/signed/signed_lasso.hpp"
#include "search/signed/signed_moves.hpp"
#include "search/state/support_state.hpp"
#include "search/table/duplicate_columns.hpp"
#include "search/table/envelope.hpp"
#include "search/table/larger_moves.hpp"
#include "search/table/loss_bounds.hpp"
#include "search/table/table.hpp"
#include "search/table/table_sizes.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// As for the table without signs.
constexpr double kEscapeWork = 2e7, kEscapeOneMember = 8;
constexpr Index kLeaveTogether = 10;  // one in this many members leaves at a time

// Fills the rows as the table without signs does: from that table and from the supports of a Lasso
// with signs, each taken down by elimination, forward and backward with swaps at every size, from
// every row that improved its neighbours, and with each member kept out in turn, until nothing
// changes. Every support is refitted under signs before it is compared. Internal units.
class SignedTableBuilder {
 public:
  SignedTableBuilder(const Moments& moments, Index max_k, const Budget& budget)
      : moments_(moments),
        budget_(budget),
        duplicates_(moments),
        bounds_(moments),
        state_(moments, {}, SupportState::Detail::swaps, budget),
        rows_(static_cast<std::size_t>(max_k) + 1) {
    rows_[0] = {{}, moments.yty(), true, true, true};
  }

  struct Row {
    std::vector<Index> support;
    double loss = kInfinity;
    bool swap_optimal = false;
    bool settled = false;  // and its neighbours have seen it
    bool escaped = false;
  };
  const std::vector<Row>& rows() const { return rows_; }

  // `free`: the table without signs, of at least as many rows.
  void run(const SupportTable& free) {
    offer_rows(free);
    offer_lasso_supports();
    fill();
    if (descend_from_starts()) settle_all();
  }

  // More rows, up to that of `asked` columns and a few beyond; those that are there stay as they
  // are, so that they don't depend on how many were asked for (table_sizes.hpp).
  void extend(Index asked, const SupportTable& free) {
    for (Index from = max_k(); from < asked && !exhausted_;) {
      from = std::min(next_table_size(from), moments_.cols());
      first_ = max_k() + 1;
      rows_.resize(static_cast<std::size_t>(from) + 1);
      offer_rows(free);
      fill();
    }
  }

 private:
  // Supports of a table without signs, as far as signs allow. Those beyond the last row would make
  // rows depend on how many are asked for.
  void offer_rows(const SupportTable& free) {
    for (Index k = first_; k <= std::min(max_k(), free.max_k()); ++k) {
      const TableRow& row = free.at_k(k);
      const SignedFit fit = signed_fit(moments_, row.support);
      // What no swap improves without signs, none does with them.
      if (offer(fit) && fit.support == row.support) this->row(k).swap_optimal = row.swap_optimal;
    }
  }

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

  // Swaps from the supports of the Lasso path, whatever their loss is beside the row's, at sizes
  // where rows are few for that many columns (larger_moves.hpp). Eliminations have no formula under
  // signs, so there is no expanding and shrinking. True: some row got better.
  bool descend_from_starts() {
    double before = 0, after = 0;
    for (const Index k :
         first_hard_sizes(moments_, first_, std::min(max_k(), starts_.sizes() - 1))) {
      const BestBySize::Support& start = starts_.at(k);
      if (start.columns.empty()) continue;
      before += row(k).loss;
      walk_to(start.columns, start.loss);
      descend();
      after += row(k).loss;
    }
    return after < before;
  }

  Index max_k() const { return std::ssize(rows_) - 1; }
  Row& row(Index k) { return rows_[static_cast<std::size_t>(k)]; }
  double slack(double loss) const {
    return std::max(kStrictImprovement * loss, kRoundingOfSums * moments_.target_square());
  }

  // True: its row got better.
  bool offer(const SignedFit& fit) {
    const Index k = std::ssize(fit.support);
    if (!fit.independent || k < first_ || k > max_k()) return false;
    const bool better =
        !std::isfinite(row(k).loss) || fit.loss + fit.rounding < row(k).loss - slack(row(k).loss);
    if (better) row(k) = {canonical(fit), fit.loss, false, false, false};
    return better;
  }

  // Of duplicate columns the first, where its sign allows that.
  std::vector<Index> canonical(const SignedFit& fit) {
    std::vector<Index> support = duplicates_.canonical(fit.support);
    if (support == fit.support) return support;
    const SignedFit same = signed_fit(moments_, support);
    const bool as_good = same.independent && same.support == support &&
                         same.loss - same.rounding <= fit.loss + fit.rounding;
    return as_good ? support : fit.support;
  }

  // The loss of where the search stands is that of the fit which led there: that of the state has
  // the rounding of its updates, and on nearly dependent columns the search could go in circles.
  void walk_to(const std::vector<Index>& support, double loss) {
    state_.walk_to(support);
    loss_ = loss;
  }
  void walk_to(const Row& row) { walk_to(std::vector<Index>(row.support), row.loss); }
  void walk_to(const SignedFit& fit) { walk_to(fit.support, fit.loss); }

  // What a move must gain on the state's own loss.
  double enough() const { return slack(loss_) + std::max(0.0, state_.loss() - loss_); }

  // Forward from the best row so far; every row is made swap-optimal on the way. An add may push
  // others out and lead to a smaller support: it is better than the one that was there.
  void forward() {
    walk_to(row(first_ - 1));
    while (state_.size() < max_k()) {
      const SignedMove add = best_signed_add(moments_, state_, enough());
      if (!add) {  // the best fit of all columns under signs, or a perfect one
        exhausted_ = true;
        rows_.resize(static_cast<std::size_t>(std::max(state_.size() + 1, first_)));
        return;
      }
      walk_to(add.fit);
      offer(add.fit);
      const Row& best = row(state_.size());
      if (best.loss < loss_ - slack(loss_)) walk_to(best);
      descend();
      budget_.progress("best supports",
                     0.5 * static_cast<double>(state_.size()) / static_cast<double>(max_k()));
    }
  }

  // From the last row down, along a path of its own.
  void backward() {
    walk_to(row(max_k()));
    while (state_.size() > first_) {
      const SignedMove remove = best_signed_remove(moments_, state_);
      if (!remove) return;
      offer(remove.fit);
      walk_to(remove.fit);
      descend();
      budget_.progress("best supports",
                     1 - 0.5 * static_cast<double>(state_.size()) / static_cast<double>(max_k()));
    }
  }

  // Swaps until none lowers the loss; where one leaves a smaller support, those of that.
  void descend() {
    while (state_.size() >= first_ && !is_settled()) {
      budget_.check();
      if (holds(row(state_.size())) && row(state_.size()).swap_optimal) return record();
      const SignedMove swap = best_signed_swap(moments_, state_, enough(), budget_);
      if (!swap) return record();
      offer(swap.fit);
      walk_to(swap.fit);
    }
  }

  // The row has this very support, and nothing is left to do for it.
  bool is_settled() {
    const Row& row = this->row(state_.size());
    return row.settled && row.swap_optimal && holds(row);
  }

  bool holds(const Row& row) const {
    return std::ssize(row.support) == state_.size() &&
           std::all_of(row.support.begin(), row.support.end(),
                       [&](Index j) { return state_.contains(j); });
  }

  // A support that swaps can't improve, and its two neighbours.
  void record() {
    Row& row = this->row(state_.size());
    if (!holds(row)) return;  // that of the row is better, or a duplicate
    row.swap_optimal = row.settled = true;
    if (state_.size() < max_k()) offer(best_signed_add(moments_, state_, enough()).fit);
    offer(best_signed_remove(moments_, state_).fit);
  }

  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = first_; k <= max_k(); ++k) {
        if (row(k).settled || !std::isfinite(row(k).loss)) continue;
        changed = true;
        const std::vector<Index> support = row(k).support;
        walk_to(row(k));
        descend();
        // Unless it got better on the way, and comes again.
        if (row(k).support == support) row(k).settled = true;
      }
    }
  }

  // Where every swap makes a support worse, a better one may still be near. Each member in turn is
  // kept out while the others are swapped, as far as the work allows: the smaller sizes. True: some
  // row got better.
  bool escape() {
    bool improved = false;
    double work = 0;
    for (Index k = first_; k <= max_k(); ++k) {
      const double size = static_cast<double>(k);
      work += kEscapeOneMember * size * size * static_cast<double>(moments_.cols());
      if (work > kEscapeWork) break;
      if (row(k).escaped || !std::isfinite(row(k).loss)) continue;
      row(k).escaped = true;
      const std::vector<Index> support = row(k).support;
      for (const Index member : support) {
        if (bounds_.at(k, member) >= row(k).loss) continue;  // whatever is better has it too
        improved = without(member, support) || improved;
      }
    }
    return improved;
  }

  bool without(Index member, std::vector<Index> support) {
    const auto size = support.size();
    std::erase(support, member);
    bool improved = false;
    SignedFit fit = signed_fit(moments_, support);
    for (;;) {
      if (!fit.independent) return improved;
      improved = offer(fit) || improved;
      walk_to(fit);
      budget_.check();
      SignedMove move = state_.size() > 0
                            ? best_signed_swap(moments_, state_, enough(), budget_, member)
                            : SignedMove{};
      if (!move && fit.support.size() < size)
        move = best_signed_add(moments_, state_, enough(), member);
      if (!move) return improved;
      fit = std::move(move.fit);
    }
  }

  // Each distinct support on the Lasso path under signs, and what backward elimination makes of it.
  void offer_lasso_supports() {
    std::set<std::vector<Index>> seen;
    starts_.resize(rows_.size());
    const Index longest = first_path_length(moments_, max_k());
    for (const auto& support : signed_lasso_supports(moments_, longest, budget_)) {
      SignedFit fit =
          signed_fit(moments_, independent_columns(moments_, support, kAliasTolerance).kept);
      while (fit.independent && !fit.support.empty() && seen.insert(fit.support).second) {
        budget_.check();
        const Index size = std::ssize(fit.support);
        if (size < starts_.sizes() && starts_.promises(size, fit.loss))
          starts_.keep(fit.support, fit.loss);
        offer(fit);
        // Several at a time while it is larger than any row.
        const Index leaving = std::max<Index>(1, std::min(size - max_k(), size / kLeaveTogether));
        fit = signed_fit(moments_, without_least(fit.support, leaving));
      }
    }
  }

  std::vector<Index> without_least(const std::vector<Index>& support, Index count) const {
    const Index k = std::ssize(support);
    Matrix G(k, k);
    moments_.gram_block(support, support, G);
    const Cholesky factor(std::move(G));
    const Vector b = factor.solve(moments_.xty()(support)), H = factor.inverse_diagonal();
    const Vector cost = b.array().square() / H.array();
    std::vector<Index> order(support.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index i, Index j) { return cost[i] < cost[j]; });
    std::vector<Index> rest;
    for (auto at = order.begin() + count; at != order.end(); ++at)
      rest.push_back(support[static_cast<std::size_t>(*at)]);
    std::sort(rest.begin(), rest.end());
    return rest;
  }

  const Moments& moments_;
  const Budget& budget_;
  DuplicateColumns duplicates_;
  LossBounds bounds_;
  SupportState state_;  // where the search stands
  double loss_ = 0;     // and its loss
  std::vector<Row> rows_;
  BestBySize starts_;       // of the Lasso path under signs
  Index first_ = 1;         // rows below it are not touched
  bool exhausted_ = false;  // no column lowers the loss of the last row
};

}  // namespace

SupportTable best_signed_supports(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  SupportTable table;
  SignedTableBuilder builder(moments, default_max_k(moments), budget);
  try {
    const Index asked = std::min(options.max_k, moments.cols());
    const Index free_rows = table_size_for(asked, default_max_k(moments), moments.cols());
    const SupportTable free =
        best_free_supports(moments, {.max_k = free_rows, .control = budget.remaining()});
    builder.run(free);
    builder.extend(asked, free);
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  const double unit = moments.target_scale() * moments.target_scale();
  const double least = kRoundingOfSums * moments.target_square() * unit;
  for (const auto& row : builder.rows()) {
    if (!std::isfinite(row.loss)) break;  // not reached in time
    const double loss = row.loss * unit;
    if (!table.rows.empty()) {
      const double before = table.rows.back().loss;
      if (!(loss < before - std::max(least, kStrictImprovement * before))) break;
    }
    table.rows.push_back({.support = row.support, .loss = loss, .swap_optimal = row.swap_optimal});
  }
  find_lambda_ranges(table.rows);
  if (options.max_k >= 0 && options.max_k < table.max_k())
    table.rows.resize(static_cast<std::size_t>(options.max_k) + 1);
  table.seconds = budget.seconds();
  return table;
}

}  // namespace lass0
