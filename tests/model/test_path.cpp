// A proven path against every support there is; few columns go another way than many.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/path.hpp>
#include <limits>

#include "search/state/support_state.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// The least loss of each size, every support refitted; -1 past the largest independent one.
std::vector<double> least_losses(const Moments& moments) {
  const Index p = moments.cols();
  const double none = std::numeric_limits<double>::infinity();
  std::vector<double> least(static_cast<std::size_t>(p) + 1, none);
  for (unsigned bits = 0; bits < 1u << p; ++bits) {
    std::vector<Index> support;
    for (Index j = 0; j < p; ++j) {
      if (bits >> j & 1u) support.push_back(j);
    }
    const bool possible =
        std::all_of(support.begin(), support.end(), [&](Index j) { return moments.eligible(j); });
    if (!possible) continue;
    const SupportFit fit = fit_support(moments, support);
    if (fit.independent) least[support.size()] = std::min(least[support.size()], fit.loss);
  }
  return least;
}

TEST(Path, ProvenRowsAreTheBestOfAllSupports) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Data data = random_data(seed, ProblemSpec{.n = 8 + rng.below(40),
                                              .p = 3 + rng.below(7),
                                              .k = 3,
                                              .rho = 0.9 * rng.uniform(),
                                              .snr = rng.chance(0.5) ? 0.5 : 5.0,
                                              .intercept = rng.chance(0.8)});
    if (rng.chance(0.3)) data.append(scaled_copy(data, 1, 2.5));
    const OwnedProblem problem(with_random_extras(seed, std::move(data)));
    const Moments moments(problem);
    const double unit = moments.target_scale() * moments.target_scale();
    const std::vector<double> least = least_losses(moments);
    const Path path = lass0::path(problem, {.max_k = moments.cols(), .prove = true});
    EXPECT_EQ(path.table.status, Status::proven_optimal);
    ASSERT_FALSE(path.table.rows.empty());
    for (std::size_t k = 0; k < path.table.rows.size(); ++k) {
      const TableRow& row = path.table.rows[k];
      EXPECT_TRUE(row.proven);
      EXPECT_EQ(row.support.size(), k);
      EXPECT_TRUE(std::is_sorted(row.support.begin(), row.support.end()));
      EXPECT_NEAR(row.loss, least[k] * unit, 1e-8 * moments.target_square() * unit);
    }
    const std::size_t end = path.table.rows.size();  // perfect there, or no more columns
    if (end < least.size() && std::isfinite(least[end])) {
      EXPECT_LT(least[end - 1], 1e-8 * moments.target_square());
    }
  }
}

}  // namespace
}  // namespace lass0::testing
