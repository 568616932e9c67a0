// The Lasso itself: shrunken coefficients, as the L1 penalty gives them.
#include "compare/method.hpp"

namespace lass0 {
namespace {

class Lasso final : public Method {
 public:
  Grid grid(const Solver& all, const Budget&) const override { return {lasso_grid(all)}; }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    Models models;
    for (Candidate& one : lasso_candidates(solver, grid, budget)) models.add(std::move(one));
    return models;
  }
};

}  // namespace

std::unique_ptr<Method> make_lasso() { return std::make_unique<Lasso>(); }

}  // namespace lass0
