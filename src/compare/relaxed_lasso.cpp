// The relaxed Lasso (Meinshausen 2007), in the form of glmnet and of Hastie, Tibshirani and
// Tibshirani (2020): at each lambda a mixture of the Lasso's coefficients and of the least-squares
// ones on the same columns,
//
//   relax * b_Lasso + (1 - relax) * b_LS,   relax = 0, 0.25, 0.5, 0.75 and 1.
#include <Eigen/QR>

#include "compare/method.hpp"
#include "moments/independent.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

constexpr double kRelaxations[] = {0, 0.25, 0.5, 0.75, 1};

Vector solve(const Moments& rows, const std::vector<Index>& independent) {
  const Index k = std::ssize(independent);
  Matrix G(k, k);
  Vector c(k);
  rows.gram_block(independent, independent, G);
  for (Index l = 0; l < k; ++l) c[l] = rows.xty()[independent[static_cast<std::size_t>(l)]];
  const Cholesky factor(G);
  return factor.positive_definite() ? factor.solve(c)
                                    : Vector(G.completeOrthogonalDecomposition().solve(c));
}

// On columns that may be dependent: then those that are kept have the fit, and the others 0.
Vector least_squares(const Moments& rows, const std::vector<Index>& support,
                     const std::vector<Index>& independent) {
  Vector b = Vector::Zero(std::ssize(support));
  const Vector fit = solve(rows, independent);
  std::size_t kept = 0;
  for (std::size_t l = 0; l < support.size() && kept < independent.size(); ++l) {
    if (support[l] == independent[kept]) b[static_cast<Index>(l)] = fit[static_cast<Index>(kept++)];
  }
  return b;
}

class RelaxedLasso final : public Method {
 public:
  Grid grid(const Solver& all, const Budget&) const override {
    const std::vector<Tuning> lambdas = lasso_grid(all);
    Grid grid;
    for (const double relax : kRelaxations) {
      for (Tuning tuning : lambdas) {
        tuning.relax = relax;
        grid.values.push_back(tuning);
      }
    }
    return grid;
  }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    const Moments& rows = solver.moments();
    // Every relaxation has the same lambdas.
    const std::size_t count = grid.size() / std::size(kRelaxations);
    const std::vector<Candidate> path = lasso_candidates(solver, grid.first(count), budget);
    std::vector<Candidate> candidates(grid.size());
    for (std::size_t l = 0; l < count; ++l) {
      budget.check();
      const std::vector<Index>& support = path[l].support;
      const std::vector<Index> independent =
          independent_columns(rows, support, kAliasTolerance).kept;
      const Vector fitted = least_squares(rows, support, independent);
      for (std::size_t i = l; i < grid.size(); i += count) {
        const double relax = grid[i].relax;
        candidates[i] = relax == 0 ? Candidate{independent}
                                   : Candidate{support, relax * *path[l].b + (1 - relax) * fitted};
      }
    }
    Models models;
    for (Candidate& one : candidates) models.add(std::move(one));
    return models;
  }
};

}  // namespace

std::unique_ptr<Method> make_relaxed_lasso() { return std::make_unique<RelaxedLasso>(); }

}  // namespace lass0
