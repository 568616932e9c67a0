// FoBa, the adaptive forward-backward greedy algorithm (Zhang 2009). Forward: the column whose own
// coefficient, the others kept, lowers the RSS most (r_j^2 / G_jj), then a refit. Backward: as long
// as setting one coefficient to 0, the others kept, raises the RSS (by b_i^2 G_ii) by no more than
// half of what the last column of this size had gained, that one leaves, with a refit.
//
// Tuned by size: of all models of a size that the algorithm passes, the last, whose RSS is least.
#include <algorithm>

#include "compare/method.hpp"
#include "search/state/support_state.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kBackwardShare = 0.5;     // Zhang's nu
constexpr std::size_t kStepsPerSize = 20;  // where backward steps undo nearly all forward ones

class Foba final : public Method {
 public:
  Grid grid(const Solver& all, const Budget&) const override { return {size_grid(all)}; }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    const Moments& rows = solver.moments();
    SupportState state(rows, {}, SupportState::Detail::gains, budget);
    std::vector<std::vector<Index>> last_of_size = {{}};
    std::vector<double> gain_of_size = {0};
    const auto keep = [&] {
      const auto k = static_cast<std::size_t>(state.size());
      last_of_size.resize(std::max(last_of_size.size(), k + 1));
      last_of_size[k] = state.support();
    };
    for (std::size_t step = 0; step < kStepsPerSize * grid.size(); ++step) {
      budget.check();
      if (state.size() + 1 >= std::ssize(grid)) break;
      const Index enters = best_add(rows, state);
      if (enters < 0) break;
      const double before = state.loss();
      state.add(enters);
      const double gain = before - state.loss();
      keep();
      if (gain <= kLeastFobaGain * rows.target_square()) break;
      gain_of_size.resize(static_cast<std::size_t>(state.size()) + 1);
      gain_of_size.back() = gain;
      while (state.size() > 0) {
        const Index leaves = best_remove(rows, state);
        const double b = state.b()[leaves];
        const double rise =
            b * b * rows.diagonal()[state.support()[static_cast<std::size_t>(leaves)]];
        if (rise > kBackwardShare * gain_of_size[static_cast<std::size_t>(state.size())]) break;
        state.remove(state.support()[static_cast<std::size_t>(leaves)]);
        keep();
      }
    }
    return by_size(std::move(last_of_size));
  }

 private:
  static Index best_add(const Moments& rows, const SupportState& state) {
    Index best = -1;
    double most = 0;
    for (Index j = 0; j < rows.cols(); ++j) {
      if (!state.addable(j)) continue;
      const double falls = state.r()[j] * state.r()[j] / rows.diagonal()[j];
      if (best >= 0 && !(falls > most)) continue;
      best = j;
      most = falls;
    }
    return best;
  }

  // By position; of two the column of lower index.
  static Index best_remove(const Moments& rows, const SupportState& state) {
    Index best = -1;
    double least = 0;
    for (Index i = 0; i < state.size(); ++i) {
      const Index column = state.support()[static_cast<std::size_t>(i)];
      const double rises = state.b()[i] * state.b()[i] * rows.diagonal()[column];
      const bool first =
          best < 0 || rises < least ||
          (rises == least && column < state.support()[static_cast<std::size_t>(best)]);
      if (!first) continue;
      best = i;
      least = rises;
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<Method> make_foba() { return std::make_unique<Foba>(); }

}  // namespace lass0
