#include "select/paper_supports.hpp"

#include "glm/separation.hpp"
#include "model/included.hpp"

namespace lass0 {
namespace {

constexpr Index kNoStandIns = 0;  // nor swaps, where those cost fits: only the support counts

}  // namespace

std::vector<std::vector<Index>> paper_supports(const Solver& rows, std::span<const double> lambdas,
                                               double l1_tolerance, const Budget& budget) {
  // The lambdas are where the L0 penalty chooses columns, which may be far below lambda_max of the
  // Lasso.
  const LassoPath path =
      rows.lasso_path_at(lambdas, {.tolerance = l1_tolerance, .control = budget.remaining()});
  budget.check();  // or else the path may have been stopped on its way
  std::vector<std::vector<Index>> supports;
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    try {
      SearchResult found = rows.search(without_included(rows.problem(), path.points[l].at.support),
                                       {lambdas[l], 0}, budget.remaining(), kNoStandIns);
      if (stopped(found.status)) throw Stop{found.status};
      supports.push_back(std::move(found.support));
    } catch (const SeparationError&) {
      // The last model that has finite coefficients stands for those that have none.
      supports.push_back(l > 0 ? supports.back() : std::vector<Index>());
    }
  }
  return supports;
}

}  // namespace lass0
