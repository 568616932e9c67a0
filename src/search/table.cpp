#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/lasso.hpp>
#include <lass0/search.hpp>
#include <lass0/support_table.hpp>
#include <limits>
#include <numeric>
#include <set>

#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "search/elimination.hpp"
#include "search/support_state.hpp"
#include "search/swap_scan.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kLargestDefault = 100;
constexpr int kLassoPoints = 100;
constexpr Index kCandidatesPerFetch = 16;  // Gram columns computed together when one is missing

// Fills the rows: forward and backward with swaps at every size, the supports of the Lasso path
// taken down by elimination, and from every row that improved its two neighbours, until nothing
// changes. Internal units.
class TableBuilder {
 public:
  TableBuilder(const Moments& moments, Index max_k, const Budget& budget)
      : moments_(moments),
        budget_(budget),
        scan_(moments),
        rows_(static_cast<std::size_t>(max_k) + 1) {
    rows_[0] = {{}, moments.yty(), true};
  }

  struct Row {
    std::vector<Index> support;
    double loss = kInfinity;
    bool swap_optimal = false;
  };
  const std::vector<Row>& rows() const { return rows_; }

  void run() {
    offer_lasso_supports();
    fill();
  }

  // More rows; those that are there stay as they are, so that they don't depend on how many were
  // asked for.
  void extend(Index max_k) {
    if (max_k <= this->max_k() || exhausted_) return;
    first_ = this->max_k() + 1;
    rows_.resize(static_cast<std::size_t>(max_k) + 1);
    fill();
  }

 private:
  void fill() {
    forward();
    if (max_k() < first_) return;
    backward();
    settle();
  }

  Index max_k() const { return std::ssize(rows_) - 1; }
  Row& row(Index k) { return rows_[static_cast<std::size_t>(k)]; }
  double slack(double loss) const {
    return std::max(kStrictImprovement * loss, kRoundingOfSums * moments_.target_square());
  }

  // True: the row got better.
  bool offer(std::vector<Index> support, double loss, bool swap_optimal) {
    if (std::ssize(support) < first_) return false;
    Row& row = this->row(std::ssize(support));
    if (!(loss < row.loss - (std::isfinite(row.loss) ? slack(row.loss) : 0.0))) return false;
    std::sort(support.begin(), support.end());
    row = {std::move(support), loss, swap_optimal};
    return true;
  }
  bool offer(const SupportState& state, bool swap_optimal) {
    return offer(state.support(), state.loss(), swap_optimal);
  }

  SupportState state_of(const Row& row) const {
    return SupportState(moments_, row.support, SupportState::Detail::swaps, budget_);
  }

  // Forward from the best row so far; every row is made swap-optimal on the way.
  void forward() {
    SupportState state = state_of(row(first_ - 1));
    for (Index k = first_; k <= max_k(); ++k) {
      const Index j = best_add(state);
      if (j < 0) {  // nothing left to explain, or no independent column
        rows_.resize(static_cast<std::size_t>(k));
        exhausted_ = true;
        return;
      }
      add(state, j);
      if (row(k).loss < state.loss() - slack(state.loss())) state.move_to(row(k).support);
      descend(state);
      budget_.report("best supports", 0.5 * static_cast<double>(k) / static_cast<double>(max_k()));
    }
  }

  // From the last row down, along a path of its own: rows that forward steps left behind get
  // better.
  void backward() {
    SupportState state = state_of(row(max_k()));
    for (Index k = max_k() - 1; k >= first_; --k) {
      state.remove(least_member(state));
      descend(state);
      budget_.report("best supports",
                     1 - 0.5 * static_cast<double>(k) / static_cast<double>(max_k()));
    }
  }

  // Swaps until none lowers the loss, then offers the result. False: a swap did not keep what its
  // score had promised (nearly dependent columns), so that none was left is not shown.
  bool descend(SupportState& state) {
    bool shown = true;
    for (;;) {
      budget_.check();
      const ScannedSwap swap = scan_.best(state);
      if (swap.remove < 0 || !(swap.gain > slack(state.loss()))) break;
      const double before = state.loss();
      state.remove(swap.remove);
      add(state, swap.add);
      shown = state.loss() < before;
      if (!shown) break;
    }
    offer(state, shown);
    return shown;
  }

  // Every row that is not yet swap-optimal, or whose neighbours have not seen it, until nothing
  // changes.
  void settle() {
    std::vector<char> settled(rows_.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = first_; k <= max_k(); ++k) {
        if (settled[static_cast<std::size_t>(k)]) continue;
        changed = true;
        settled[static_cast<std::size_t>(k)] = 1;
        SupportState state = state_of(row(k));
        if (!row(k).swap_optimal) {
          row(k).swap_optimal = descend(state);
        }
        if (k < max_k()) {
          const Index j = best_add(state);
          if (j >= 0 &&
              state.loss() - state.add_gain(j) < row(k + 1).loss - slack(row(k + 1).loss)) {
            auto larger = state.support();
            larger.push_back(j);
            if (offer(std::move(larger), state.loss() - state.add_gain(j), false)) {
              settled[static_cast<std::size_t>(k) + 1] = 0;
            }
          }
        }
        const Index least = least_member(state);
        auto smaller = state.support();
        std::erase(smaller, least);
        if (offer(std::move(smaller), state.loss() + state.remove_loss(state.position(least)),
                  false)) {
          settled[static_cast<std::size_t>(k) - 1] = 0;
        }
      }
    }
  }

  // Each distinct support on the Lasso path, and what backward elimination makes of it.
  void offer_lasso_supports() {
    LassoOptions options;
    options.count = kLassoPoints;
    options.max_support = max_k() + max_k() / 2 + 10;
    options.control = budget_.remaining();
    const LassoPath path = lasso_path(moments_, options);
    std::set<std::vector<Index>> seen;
    for (const LassoPoint& point : path.points) {
      if (point.at.support.empty() || !seen.insert(point.at.support).second) continue;
      budget_.check();
      const auto kept = independent_columns(moments_, point.at.support, kAliasTolerance).kept;
      eliminate(moments_, kept, [&](const std::vector<Index>& support, double loss) {
        if (std::ssize(support) <= max_k()) offer(support, loss, false);
      });
    }
  }

  Index best_add(const SupportState& state) const {
    Index best = -1;
    for (Index j = 0; j < moments_.cols(); ++j) {
      if (state.addable(j) && (best < 0 || state.add_gain(j) > state.add_gain(best))) best = j;
    }
    return best >= 0 && state.add_gain(best) > slack(state.loss()) ? best : -1;
  }

  static Index least_member(const SupportState& state) {
    Index least = 0;
    for (Index i = 1; i < state.size(); ++i) {
      if (state.remove_loss(i) < state.remove_loss(least)) least = i;
    }
    return state.support()[static_cast<std::size_t>(least)];
  }

  // A missing Gram column is computed together with those of the next best candidates: one pass
  // over X serves all of them.
  void add(SupportState& state, Index j) const {
    if (!moments_.cached(j)) {
      std::vector<Index> likely;
      for (Index i = 0; i < moments_.cols(); ++i) {
        if (state.addable(i) && !moments_.cached(i)) likely.push_back(i);
      }
      const auto count =
          std::min<std::size_t>(static_cast<std::size_t>(kCandidatesPerFetch), likely.size());
      std::partial_sort(likely.begin(), likely.begin() + static_cast<std::ptrdiff_t>(count),
                        likely.end(),
                        [&](Index a, Index b) { return state.add_gain(a) > state.add_gain(b); });
      likely.resize(count);
      likely.push_back(j);
      fetch_within_budget(moments_, likely, budget_);
    }
    state.add(j);
  }

  const Moments& moments_;
  const Budget& budget_;
  SwapScan scan_;
  std::vector<Row> rows_;
  Index first_ = 1;         // rows below it are not touched
  bool exhausted_ = false;  // no column lowers the loss of the last row
};

// The lower convex envelope of (k, loss_k / 2): where row k is best, lambda lies between the slopes
// to its neighbours on it.
void find_lambda_ranges(std::vector<TableRow>& rows) {
  const auto slope = [&](Index from, Index to) {
    const double fall =
        rows[static_cast<std::size_t>(from)].loss - rows[static_cast<std::size_t>(to)].loss;
    return 0.5 * fall / static_cast<double>(to - from);
  };
  std::vector<Index> envelope;
  for (Index k = 0; k < std::ssize(rows); ++k) {
    while (envelope.size() >= 2 &&
           slope(envelope[envelope.size() - 2], envelope.back()) <= slope(envelope.back(), k)) {
      envelope.pop_back();
    }
    envelope.push_back(k);
  }
  for (std::size_t e = 0; e < envelope.size(); ++e) {
    TableRow& row = rows[static_cast<std::size_t>(envelope[e])];
    row.lambda_max = e == 0 ? kInfinity : slope(envelope[e - 1], envelope[e]);
    row.lambda_min = e + 1 == envelope.size() ? 0.0 : slope(envelope[e], envelope[e + 1]);
  }
}

}  // namespace

const TableRow& SupportTable::at_k(Index k) const {
  if (k < 0 || k > max_k()) {
    throw UsageError("there is no support of size " + std::to_string(k) + ": the table ends at " +
                     std::to_string(max_k()));
  }
  return rows[static_cast<std::size_t>(k)];
}

const TableRow& SupportTable::at_lambda(double lambda) const {
  const auto value = [&](const TableRow& row) {
    return 0.5 * row.loss + lambda * static_cast<double>(row.support.size());
  };
  const TableRow* best = &rows.front();
  for (const TableRow& row : rows) {
    if (value(row) < value(*best)) best = &row;
  }
  return *best;
}

Index default_max_k(const Moments& moments) {
  Index candidates = 0;
  for (Index j = 0; j < moments.cols(); ++j) candidates += moments.eligible(j) ? 1 : 0;
  const Index half = std::max<Index>(1, rows_used(moments.problem()) / 2);
  return std::min({kLargestDefault, candidates, half});
}

SupportTable best_supports(const Moments& moments, const TableOptions& options) {
  const Budget budget(options.control);
  const Index standard = default_max_k(moments);
  TableBuilder builder(moments, standard, budget);
  SupportTable table;
  try {
    builder.run();
    builder.extend(std::min(options.max_k, moments.cols()));
  } catch (const Stop& stop) {
    table.status = stop.status;
  }
  const double unit = moments.target_scale() * moments.target_scale();
  for (const auto& row : builder.rows()) {
    if (!std::isfinite(row.loss)) break;  // not reached in time
    const double loss = row.loss * unit;
    if (!table.rows.empty() && !(loss < table.rows.back().loss)) break;  // perfect, or not settled
    table.rows.push_back({row.support, loss, {}, {}, row.swap_optimal});
  }
  find_lambda_ranges(
      table.rows);  // of all rows, so that they don't depend on how many are asked for
  if (options.max_k >= 0 && options.max_k < table.max_k()) {
    table.rows.resize(static_cast<std::size_t>(options.max_k) + 1);
  }
  table.seconds = budget.seconds();
  return table;
}

SupportTable best_supports(const Problem& problem, const TableOptions& options) {
  return best_supports(Moments(problem, {.control = options.control}), options);
}

}  // namespace lass0
