// How often the table, without a proof, has the best support there is.
#include <gtest/gtest.h>

#include <lass0/prove.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

TEST(TableOptimality, OfManySmallProblemsNearlyEveryRowIsTheBestOfItsSize) {
  Index rows = 0, missed = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed * 77 + 1);
    const Index p = rng.between(13, 30);
    const Data data =
        random_data(seed, ProblemSpec{.n = rng.between(60, 200),
                                      .p = p,
                                      .k = rng.between(1, p / 2),
                                      .rho = 0.95 * (rng.chance(0.5) ? rng.uniform() : 1.0),
                                      .snr = rng.chance(0.5) ? 0.5 : rng.uniform(2, 10)});
    const OwnedProblem problem(seed % 3 == 0 ? among_many(data) : data);
    const Moments moments(problem);
    SupportTable table = best_supports(moments);
    const SupportTable before = table;
    ASSERT_EQ(prove_table(moments, table).status, Status::proven_optimal);
    for (Index k = 1; k <= table.max_k(); ++k) {
      ++rows;
      missed += table.at_k(k).support == before.at_k(k).support ? 0 : 1;
    }
  }
  EXPECT_GT(rows, 2500);
  EXPECT_LE(static_cast<double>(missed), 0.002 * static_cast<double>(rows));
}

}  // namespace
}  // namespace lass0::testing
