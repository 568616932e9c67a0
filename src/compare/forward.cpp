// Forward stepwise selection: from no column, always the one that lowers the loss most.
#include "compare/method.hpp"

namespace lass0 {
namespace {

class Forward final : public Method {
 public:
  Grid grid(const Solver& all, const Budget&) const override { return {size_grid(all)}; }

  Models fit(const Solver& solver, std::span<const Tuning> grid,
             const Budget& budget) const override {
    return by_size(solver.forward(std::ssize(grid) - 1, budget));
  }
};

}  // namespace

std::unique_ptr<Method> make_forward() { return std::make_unique<Forward>(); }

}  // namespace lass0
