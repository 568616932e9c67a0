#include "search/swap_descent.hpp"

#include <algorithm>
#include <lass0/search.hpp>

#include "search/support_state.hpp"
#include "search/swap_scan.hpp"

namespace lass0 {

SwapDescent descend_by_swaps(const Moments& moments, std::vector<Index> support,
                             const Budget& budget) {
  SwapDescent best{std::move(support)};
  try {
    SupportState state(moments, best.support, SupportState::Detail::gains, budget);
    SwapScan scan(moments);
    for (bool fresh = true;;) {  // the state was just built: no rounding of updates in it
      budget.check();
      const double enough =
          std::max(kStrictImprovement * state.loss(), kRoundingOfSums * moments.target_square());
      const ScannedSwap swap = scan.best(state);
      if (swap.remove < 0 || !(swap.gain > enough)) {
        if (fresh) break;
        state.rebuild();
        fresh = true;
        continue;
      }
      const double before = state.loss();
      state.swap(swap.remove, swap.add);
      fresh = false;
      // On nearly dependent columns a score can promise what the move does not keep.
      if (!(state.loss() < before) || !state.independent()) {
        best.status = Status::add_remove_optimum;
        break;
      }
      best.support = state.support();
    }
  } catch (const Stop& stop) {
    best.status = stop.status;
  }
  std::sort(best.support.begin(), best.support.end());
  return best;
}

}  // namespace lass0
