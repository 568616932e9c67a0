// Lass0 to the letter of the paper: at each lambda Algorithm 1 from the support of the Lasso at the
// same lambda.
#include <cmath>
#include <lass0/lasso.hpp>
#include <lass0/search.hpp>

#include "compare/method.hpp"
#include "model/included.hpp"

namespace lass0 {
namespace {

constexpr double kWarmStartRatio = 0.75;  // of one lambda to the next on the way to the grid
constexpr double kSmallestWarmStart = 1e-8;

class Lass0Paper final : public Method {
 public:
  MethodName name() const override { return {"lass0-paper", "Lass0 as in the paper"}; }

  std::vector<Tuning> grid(const Moments& training, const Budget& budget) const override {
    return lambda_grid_of(training, whole_table(training, budget), training.problem().ridge);
  }

  std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                             const Budget& budget) const override {
    // The grid is where the L0 penalty chooses columns, which may be far below lambda_max of the
    // Lasso: it is reached by steps.
    LassoOptions options;
    options.control = budget.remaining();
    const double largest = lasso_lambda_max(rows);
    const double first = std::max(grid.front().lambda, kSmallestWarmStart * largest);
    for (double warm = largest * kWarmStartRatio; warm > first; warm *= kWarmStartRatio)
      options.lambdas.push_back(warm);
    const std::size_t warm_starts = options.lambdas.size();
    for (const Tuning& tuning : grid) options.lambdas.push_back(tuning.lambda);
    const LassoPath path = lasso_path(rows, options);
    budget.check();

    std::vector<Candidate> candidates;
    for (std::size_t l = 0; l < grid.size(); ++l) {
      const std::vector<Index> start =
          without_included(rows.problem(), path.points[warm_starts + l].at.support);
      SearchResult found = search(rows, start, {grid[l].lambda, 0}, budget.remaining());
      if (stopped(found.status)) throw Stop{found.status};
      candidates.push_back({std::move(found.support)});
    }
    return candidates;
  }
};

}  // namespace

std::unique_ptr<Method> make_lass0_paper() { return std::make_unique<Lass0Paper>(); }

}  // namespace lass0
