// Forward stepwise selection: from no column, always the one that lowers the RSS most.
#include "compare/method.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {
namespace {

class Forward final : public Method {
 public:
  Grid grid(const Solver& all, const Budget&) const override { return {size_grid(all)}; }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    const Moments& rows = solver.moments();
    SupportState state(rows, {}, SupportState::Detail::gains, budget);
    std::vector<std::vector<Index>> supports = {{}};
    while (supports.size() < grid.size()) {
      budget.check();
      Index best = -1;
      for (Index j = 0; j < rows.cols(); ++j) {
        if (state.addable(j) && (best < 0 || state.add_gain(j) > state.add_gain(best))) best = j;
      }
      if (best < 0) break;
      state.add(best);
      supports.push_back(state.support());
    }
    return by_size(std::move(supports));
  }
};

}  // namespace

std::unique_ptr<Method> make_forward() { return std::make_unique<Forward>(); }

}  // namespace lass0
