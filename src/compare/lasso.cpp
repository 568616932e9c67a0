// The Lasso itself: shrunken coefficients, as the L1 penalty gives them.
#include "compare/method.hpp"

namespace lass0 {
namespace {

class Lasso final : public Method {
 public:
  MethodName name() const override { return {"lasso", "the Lasso"}; }

  std::vector<Tuning> grid(const Moments& training, const Budget&) const override {
    return lasso_grid(training);
  }

  std::vector<Candidate> fit(const Moments& rows, std::span<const Tuning> grid,
                             const Budget& budget) const override {
    return lasso_candidates(rows, grid, budget);
  }
};

}  // namespace

std::unique_ptr<Method> make_lasso() { return std::make_unique<Lasso>(); }

}  // namespace lass0
