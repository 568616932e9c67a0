#include "glm/glm_forward.hpp"

#include <algorithm>

#include "glm/move_scores.hpp"

namespace lass0 {
namespace {

constexpr Index kFitted = 4;  // of the best scores

}  // namespace

std::vector<std::vector<Index>> glm_forward(Panel& panel, Index steps, const Budget& budget) {
  const Newton newton(panel);
  GlmFit at = newton.fit({});
  std::vector<std::vector<Index>> supports = {{}};
  while (at.fitted() && std::ssize(supports) <= steps) {
    budget.check();
    const MoveScores scores(panel, at, MoveScores::Among::all);
    if (!scores.valid()) break;
    GlmFit best;
    best.state = GlmFit::State::dependent;
    for (const Step& add : scores.adds(kFitted)) {
      std::vector<Index> support = at.support;
      support.insert(std::upper_bound(support.begin(), support.end(), add.add), add.add);
      const GlmStart start = scores.start(add);
      GlmFit fit = newton.fit(std::move(support), &start);
      if (fit.fitted() && (!best.fitted() || fit.loss < best.loss)) best = std::move(fit);
    }
    if (!best.fitted()) break;
    at = std::move(best);
    supports.push_back(at.support);
  }
  return supports;
}

}  // namespace lass0
