// The L0 objective as a criterion over the Lasso's models (Johnson, Lin, Ungar, Foster and Stine
// 2015, as the paper quotes them): of the least-squares fits on the supports along the Lasso path
// the one with the least 1/2 RSS + lambda * size. Nothing is searched beyond that path.
#include <algorithm>

#include "compare/method.hpp"
#include "moments/independent.hpp"
#include "search/support_state.hpp"

namespace lass0 {
namespace {

struct PathSupport {
  std::vector<Index> support;
  double loss = 0;  // user's units
};

std::vector<PathSupport> path_supports(const Moments& rows, const Budget& budget) {
  const std::vector<Tuning> lambdas = lasso_grid(rows);
  std::vector<PathSupport> supports;
  const double unit = rows.target_scale() * rows.target_scale();
  std::vector<Index> previous;
  for (const Candidate& candidate : lasso_candidates(rows, lambdas, budget)) {
    budget.check();
    if (!supports.empty() && candidate.support == previous) continue;
    previous = candidate.support;
    std::vector<Index> support = independent_columns(rows, candidate.support, kAliasTolerance).kept;
    const double loss = fit_support(rows, support).loss * unit;
    supports.push_back({std::move(support), loss});
  }
  return supports;
}

class LassoCriterion final : public Method {
 public:
  MethodName name() const override { return {"lasso-l0", "L0 criterion over the Lasso path"}; }

  std::vector<Tuning> grid(const Moments& training, const Budget& budget) const override {
    const std::vector<PathSupport> supports = path_supports(training, budget);
    LambdaRange range;
    double least = supports.front().loss;
    for (const PathSupport& other : supports) {
      least = std::min(least, other.loss);
      if (other.support.empty()) continue;
      const double fall = supports.front().loss - other.loss;
      range.highest =
          std::max(range.highest, 0.5 * fall / static_cast<double>(other.support.size()));
    }
    range.lowest = lowest_lambda(range.highest, least, training);
    return lambda_grid_in(range, training.problem().ridge);
  }

  std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                             const Budget& budget) const override {
    const std::vector<PathSupport> supports = path_supports(rows, budget);
    std::vector<Candidate> candidates;
    for (const Tuning& tuning : grid) {
      const auto value = [&](const PathSupport& at) {
        return 0.5 * at.loss + tuning.lambda * static_cast<double>(at.support.size());
      };
      const auto best = std::min_element(
          supports.begin(), supports.end(),
          [&](const PathSupport& a, const PathSupport& b) { return value(a) < value(b); });
      candidates.push_back({best->support});
    }
    return candidates;
  }
};

}  // namespace

std::unique_ptr<Method> make_lasso_criterion() { return std::make_unique<LassoCriterion>(); }

}  // namespace lass0
