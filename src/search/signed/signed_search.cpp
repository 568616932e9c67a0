#include "search/signed/signed_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <lass0/error.hpp>

#include "moments/fetch.hpp"
#include "moments/independent.hpp"
#include "search/signed/signed_moves.hpp"

namespace lass0 {
namespace {

class SignedSearch {
 public:
  SignedSearch(const Moments& moments, double lambda, const Budget& budget, SearchResult& result)
      : moments_(moments),
        unit_(moments.target_scale() * moments.target_scale()),
        lambda_(lambda / unit_),
        budget_(budget),
        result_(result) {}

  void run(const FittedSupport& start) {
    if (objective(start.loss, std::ssize(start.support)) * unit_ < result_.objective) {
      result_.support = start.support;  // the best there is, should the time be up by now
      result_.objective = objective(start.loss, std::ssize(start.support)) * unit_;
    }
    SupportState state(moments_, start.support, SupportState::Detail::swaps, budget_);
    loss_ = start.loss;
    record(state);
    descend(
        [&] {
          budget_.check();
          return best_move(state);
        },
        [&](const SignedMove& move) {
          make(move, state);
          return true;
        });
    result_.aliased = aliased_columns(moments_, result_.support);
    result_.status = Status::add_remove_optimum;
    const SignedMove swap = best_signed_swap(moments_, state, 2 * slack(objective(state)), budget_);
    if (swap)
      result_.improving_swap = Swap{swap.remove, swap.add, 0.5 * swap.gain * unit_};
    else
      result_.status = Status::local_optimum;
  }

 private:
  double objective(double loss, Index size) const {
    return 0.5 * loss + lambda_ * static_cast<double>(size);
  }
  double objective(const SupportState& state) const { return objective(loss_, state.size()); }
  double slack(double objective) const { return lass0::slack(objective, moments_.target_square()); }

  double gain(const SignedMove& move, const SupportState& state) const {
    return objective(state) - objective(move.fit.loss, std::ssize(move.fit.support));
  }

  // What a move must gain on the state's own loss so that half of it is more than `least`.
  double enough(const SupportState& state, double least) const {
    return 2 * least + std::max(0.0, state.loss() - loss_);
  }

  SignedMove best_move(const SupportState& state) const {
    const double least = slack(objective(state));
    SignedMove add = best_signed_add(moments_, state, enough(state, lambda_ + least));
    SignedMove remove = best_signed_remove(moments_, state);
    if (!remove || !(gain(remove, state) > least)) return add;
    return add && gain(add, state) >= gain(remove, state) ? add : remove;
  }

  // Columns that the refit pushed out follow their move in the trace, at no gain of their own.
  void make(const SignedMove& move, SupportState& state) {
    const double before = objective(state);
    std::vector<Index> old = state.support(), pushed_out;
    std::sort(old.begin(), old.end());
    std::set_difference(old.begin(), old.end(), move.fit.support.begin(), move.fit.support.end(),
                        std::back_inserter(pushed_out));
    std::erase(pushed_out, move.remove);
    state.walk_to(move.fit.support);
    loss_ = move.fit.loss;
    record(state);
    const double after = objective(state);
    const auto kind = move.add >= 0 ? Move::Kind::add : Move::Kind::remove;
    result_.moves.push_back(
        {kind, std::max(move.add, move.remove), (before - after) * unit_, after * unit_});
    for (const Index j : pushed_out)
      result_.moves.push_back({Move::Kind::remove, j, 0, after * unit_});
    budget_.progress("search: " + std::to_string(result_.moves.size()) + " moves", -1);
  }

  // Whatever happens next, this is the best so far.
  void record(const SupportState& state) {
    result_.support = state.support();
    std::sort(result_.support.begin(), result_.support.end());
    result_.objective = objective(state) * unit_;
  }

  const Moments& moments_;
  const double unit_, lambda_;
  const Budget& budget_;
  SearchResult& result_;
  // Of the fit that led to where the search stands: that of the state has the rounding of its
  // updates, and on nearly dependent columns the search could go in circles.
  double loss_ = 0;
};

}  // namespace

SearchResult signed_search(const Moments& moments, Columns start, const Penalty& penalty,
                           const Control& control) {
  if (penalty.power > 0)
    throw UsageError("sign constraints work only with the penalty lambda * size: power must be 0");
  const Budget budget(control);
  SearchResult result;
  result.objective = 0.5 * moments.yty() * moments.target_scale() * moments.target_scale();
  try {
    fetch_within_budget(moments, start, budget);
    const auto independent = independent_columns(moments, start, kAliasTolerance);
    const FittedSupport fit = signed_fit(moments, independent.kept);
    result.start = fit.support;
    std::vector<Index> given(start.begin(), start.end());
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    std::set_difference(given.begin(), given.end(), fit.support.begin(), fit.support.end(),
                        std::back_inserter(result.dropped));
    SignedSearch(moments, penalty.lambda, budget, result).run(fit);
  } catch (const Stop& stop) {
    result.status = stop.status;
  }
  return result;
}

}  // namespace lass0
