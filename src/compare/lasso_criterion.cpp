// The L0 objective as a criterion over the Lasso's models (Johnson, Lin, Ungar, Foster and Stine
// 2015, as the paper quotes them): of the least-squares fits on the supports along the Lasso path
// the one with the least 1/2 RSS + lambda * size. Nothing is searched beyond that path.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "compare/method.hpp"
#include "moments/independent.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {
namespace {

constexpr int kRounds = 4;  // of halving: steps of a 16th of the grid's

struct PathSupport {
  std::vector<Index> support;
  double loss = 0;  // user's units
};

bool one_step_apart(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<Index> differ;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(differ));
  return differ.size() <= 1;
}

// The Lasso where its support changes: lambdas are put between any two whose supports differ by
// more than one column, which is what LARS would pass on its way.
std::vector<Candidate> whole_path(const Solver& rows, const Budget& budget) {
  std::vector<Tuning> lambdas = lasso_grid(rows);
  std::vector<Candidate> path = lasso_candidates(rows, lambdas, budget);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Tuning> finer;
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      if (l > 0 && !one_step_apart(path[l - 1].support, path[l].support)) {
        finer.push_back(lambdas[l]);
        finer.back().lambda = std::sqrt(lambdas[l - 1].lambda * lambdas[l].lambda);
      }
      finer.push_back(lambdas[l]);
    }
    if (finer.size() == lambdas.size()) break;
    budget.check();
    lambdas = std::move(finer);
    path = lasso_candidates(rows, lambdas, budget);
  }
  return path;
}

std::vector<PathSupport> path_supports(const Solver& solver, const Budget& budget) {
  const Moments& rows = solver.moments();
  std::vector<PathSupport> supports;
  const double unit = rows.target_scale() * rows.target_scale();
  std::vector<Index> previous;
  for (const Candidate& candidate : whole_path(solver, budget)) {
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
  Grid grid(const Solver& all, const Budget& budget) const override {
    const std::vector<PathSupport> supports = path_supports(all, budget);
    LambdaRange range;
    double least = supports.front().loss;
    for (const PathSupport& other : supports) {
      least = std::min(least, other.loss);
      if (other.support.empty()) continue;
      const double fall = supports.front().loss - other.loss;
      range.highest =
          std::max(range.highest, 0.5 * fall / static_cast<double>(other.support.size()));
    }
    range.lowest = lowest_for_parts(all, range.highest, least);
    range.nothing = 0.5 * supports.front().loss;
    Grid grid;
    for (const double lambda : lambda_grid(range, {}, kGridLambdas))
      grid.values.push_back({.lambda = lambda});
    return grid;
  }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    const std::vector<PathSupport> supports = path_supports(solver, budget);
    Models models;
    for (const Tuning& tuning : grid) {
      const auto value = [&](const PathSupport& at) {
        return 0.5 * at.loss + tuning.lambda * static_cast<double>(at.support.size());
      };
      const auto best = std::min_element(
          supports.begin(), supports.end(),
          [&](const PathSupport& a, const PathSupport& b) { return value(a) < value(b); });
      models.add({best->support});
    }
    return models;
  }
};

}  // namespace

std::unique_ptr<Method> make_lasso_criterion() { return std::make_unique<LassoCriterion>(); }

}  // namespace lass0
