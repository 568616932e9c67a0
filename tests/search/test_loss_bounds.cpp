// The bounds that tell where a column can't be missed, against every support without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "search/state/support_state.hpp"
#include "search/table/loss_bounds.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(LossBounds, NoSupportWithoutAColumnIsBelowItsBound) {
  int above_the_full_model = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Index p = 2 + rng.below(6);
    const OwnedProblem problem(random_data(
        seed,
        ProblemSpec{
            .n = 25, .p = p, .k = 3, .rho = 0.9 * rng.uniform(), .snr = 0.3 + rng.uniform()}));
    const Moments moments(problem);
    LossBounds bounds(moments);
    Matrix least = Matrix::Constant(p + 1, p, std::numeric_limits<double>::infinity());
    for (unsigned bits = 0; bits < 1u << p; ++bits) {
      std::vector<Index> support;
      for (Index j = 0; j < p; ++j) {
        if (bits >> j & 1u) support.push_back(j);
      }
      const double loss = fit_support(moments, support).loss;
      for (Index j = 0; j < p; ++j) {
        double& entry = least(std::ssize(support), j);
        if (!(bits >> j & 1u)) entry = std::min(entry, loss);
      }
    }
    for (Index j = 0; j < p; ++j) {
      for (Index k = 0; k < p; ++k) {
        const double bound = bounds.at(k, j);
        EXPECT_LE(bound, least(k, j) + 1e-12);
        for (const double loss : {0.5 * bound, bound, bounds.at(0, j), 1.5 * bound})
          EXPECT_EQ(bounds.reached(k, j, loss), bound < loss);
      }
      EXPECT_NEAR(bounds.at(p - 1, j), least(p - 1, j), 1e-12);  // nothing else is left out
      EXPECT_EQ(bounds.at(p, j), least(p, j));                   // there is none
      above_the_full_model += p > 2 && bounds.at(1, j) > bounds.at(p - 1, j) * (1 + 1e-9) ? 1 : 0;
    }
  }
  EXPECT_GT(above_the_full_model, 100);
}

}  // namespace
}  // namespace lass0::testing
