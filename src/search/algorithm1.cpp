#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/search.hpp>
#include <utility>

#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "search/signed/signed_search.hpp"
#include "search/stand_ins.hpp"
#include "search/state/scores.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {
namespace {

// Moves whose gain is at least this share of the best are examined as possible ties, at most this
// many of them.
constexpr double kNearTie = 0.999;
constexpr int kNearTies = 64;

std::vector<Index> aliased_to(const SupportState& state, const Moments& moments) {
  std::vector<Index> columns;
  const auto& included = moments.included();
  for (Index j = 0; j < moments.cols(); ++j) {
    const bool member =
        state.contains(j) || std::binary_search(included.begin(), included.end(), j);
    if (!member && !moments.constant(j) && !state.addable(j)) columns.push_back(j);
  }
  return columns;
}

// One run of Algorithm 1. The lines are the paper's.
class Search {
 public:
  Search(const Moments& moments, const Penalty& penalty, Index stand_ins, const Budget& budget)
      : moments_(moments),
        penalty_(penalty),
        stand_ins_(std::max<Index>(1, stand_ins)),  // the nearest one says whether to swap
        scores_(moments, penalty),
        budget_(budget) {}

  void run(Columns start, SearchResult& result) {
    const auto detail =
        penalty_.power > 0 ? SupportState::Detail::swaps : SupportState::Detail::gains;
    record_start(start, result);
    SupportState state(moments_, {start.begin(), start.end()}, detail, budget_);  // Lines 2 and 3
    record(state, result);
    bool fresh = true;  // the state was just built: no rounding of updates in it
    descend(            // Line 4
        [&] {
          budget_.check();
          return best_move(state);  // Lines 6 to 8
        },
        [&](const std::optional<Index>& column) {  // Lines 9 and 10
          if (make(*column, detail, state, result)) fresh = false;
          return true;
        },
        [&] {  // Line 11, on numbers fresh from the Gram matrix
          if (std::exchange(fresh, true)) return false;
          state.rebuild(detail);
          return true;
        });
    result.status = Status::add_remove_optimum;
    look_for_swaps(state, result);
  }

 private:
  double slack(double objective) const { return lass0::slack(objective, moments_.target_square()); }

  // The move of largest gain, adds and removes alike; ties, to within what counts as an improvement
  // or what rounding may have done, go to the lower column.
  std::optional<Index> best_move(const SupportState& state) {
    const Index p = moments_.cols();
    gains_.resize(p);
    for (Index j = 0; j < p; ++j) gains_[j] = scores_.move_gain(state, j);
    for (const Index j : refused_) gains_[j] = 0;
    const double enough = slack(scores_.objective(state));
    const auto rounding = [&](Index j) {
      return state.contains(j) ? 0.0 : 0.5 * state.add_gain_rounding(j);
    };
    Index best = -1;
    for (Index j = 0; j < p; ++j) {
      if (gains_[j] > enough && (best < 0 || gains_[j] > gains_[best])) best = j;
    }
    if (best < 0) return std::nullopt;
    const double tie = gains_[best] - enough - rounding(best);
    int looked_at = 0;
    for (Index j = 0; j < best && looked_at < kNearTies; ++j) {
      if (!(gains_[j] > enough && gains_[j] >= kNearTie * gains_[best])) continue;
      ++looked_at;
      if (gains_[j] + rounding(j) >= tie) return j;
    }
    return best;
  }

  // On nearly dependent columns a score can promise what the move does not keep: then it is taken
  // back, and the column is left alone until another move is made. So F falls with every move in
  // the trace, and the search ends.
  bool make(Index column, SupportState::Detail detail, SupportState& state, SearchResult& result) {
    const double before = scores_.objective(state);
    const auto kind = state.contains(column) ? Move::Kind::remove : Move::Kind::add;
    toggle(column, state);
    const double after = scores_.objective(state);
    if (!(before - after > slack(before))) {
      toggle(column, state);
      state.rebuild(detail);
      refused_.push_back(column);
      return false;
    }
    refused_.clear();
    const double unit = scores_.user_units();
    record(state, result);
    result.moves.push_back({kind, column, (before - after) * unit, after * unit});
    budget_.progress("search: " + std::to_string(result.moves.size()) + " moves", -1);
    return true;
  }

  static void toggle(Index column, SupportState& state) {
    if (state.contains(column)) {
      state.remove(column);
    } else {
      state.add(column);
    }
  }

  // The best there is before the first state is built, should the time be up by then.
  void record_start(Columns start, SearchResult& result) const {
    if (penalty_.power > 0) return;
    const double at_start = 0.5 * fit_support(moments_, start).loss * scores_.user_units() +
                            penalty_.lambda * static_cast<double>(start.size());
    if (at_start > result.objective) return;
    result.objective = at_start;
    result.support.assign(start.begin(), start.end());
  }

  // Whatever happens next, this is the best so far.
  void record(const SupportState& state, SearchResult& result) const {
    result.support = state.support();
    std::sort(result.support.begin(), result.support.end());
    result.objective = scores_.objective(state) * scores_.user_units();
    result.aliased = aliased_to(state, moments_);
  }

  void look_for_swaps(SupportState& state, SearchResult& result) const {
    if (penalty_.power > 0) return;  // not scored: the status stays at what was shown
    state.rebuild(SupportState::Detail::swaps);
    result.stand_ins = nearest_stand_ins(moments_, state, stand_ins_, budget_);
    result.improving_swap = scores_.best_swap(state, result.stand_ins->alternatives,
                                              slack(scores_.objective(state)), budget_);
    if (result.improving_swap) {
      result.improving_swap->gain *= scores_.user_units();
    } else {
      result.status = Status::local_optimum;
    }
  }

  const Moments& moments_;
  const Penalty penalty_;
  const Index stand_ins_;
  const Scores scores_;
  const Budget& budget_;
  Vector gains_;
  std::vector<Index> refused_;
};

void check(const Moments& moments, Columns start, const Penalty& penalty) {
  if (!std::isfinite(penalty.lambda) || penalty.lambda < 0) {
    throw UsageError("lambda must be a finite number, 0 or more");
  }
  if (!(penalty.power >= 0 && penalty.power < 1))
    throw UsageError("power must be at least 0 and below 1");
  check_support(moments.problem(), start);
}

}  // namespace

std::vector<Index> aliased_columns(const Moments& moments, Columns support,
                                   const Control& control) try {
  const Budget budget(control);
  const SupportState state(moments, {support.begin(), support.end()}, SupportState::Detail::gains,
                           budget);
  return aliased_to(state, moments);
} catch (const Stop&) {
  return {};
}

SearchResult search(const Moments& moments, Columns start, const Penalty& penalty,
                    const Control& control, Index stand_ins) {
  check(moments, start, penalty);
  if (has_signs(moments.problem())) return signed_search(moments, start, penalty, control);
  const Budget budget(control);
  SearchResult result;
  result.objective = 0.5 * moments.yty() * moments.target_scale() * moments.target_scale();
  try {
    fetch_within_budget(moments, start, budget);
    auto independent = independent_columns(moments, start, kAliasTolerance);
    result.start = std::move(independent.kept);
    result.dropped = std::move(independent.dropped);
    Search(moments, penalty, stand_ins, budget).run(result.start, result);
  } catch (const Stop& stop) {
    result.status = stop.status;
  }
  return result;
}

}  // namespace lass0
