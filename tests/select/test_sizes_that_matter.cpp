// Which sizes a full search looks at after cross-validation has chosen.
#include <gtest/gtest.h>

#include <lass0/cross_validate.hpp>
#include <lass0/path.hpp>
#include <numeric>

#include "search/table/envelope.hpp"
#include "select/sizes_that_matter.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

// Losses that fall at random, by ever less on the whole.
SupportTable random_table(Rng& rng) {
  SupportTable table;
  double loss = 100;
  for (Index k = 0; k <= 20; ++k) {
    std::vector<Index> support(static_cast<std::size_t>(k));
    std::iota(support.begin(), support.end(), 0);
    table.rows.push_back({.support = support, .loss = loss});
    loss -= loss * (0.01 + 0.3 * rng.uniform() / static_cast<double>(k + 1));
  }
  find_lambda_ranges(table.rows);
  return table;
}

double objective(const SupportTable& table, double lambda, Index k) {
  return 0.5 * table.at_k(k).loss + lambda * static_cast<double>(k);
}

TEST(SizesThatMatter, AreAllThatAFewColumnsWorthOfLossWouldMakeTheBest) {
  Rng rng(4);
  int shorter = 0;
  for (int problem = 0; problem < 500; ++problem) {
    const SupportTable table = random_table(rng);
    const double lambda = 0.1 + 5 * rng.uniform();
    const Index last = last_size_that_matters(table, {.lambda = lambda}, Tune::lambda);
    const Index chosen = std::ssize(table.at_lambda(lambda).support);
    ASSERT_LE(last, table.max_k());
    EXPECT_TRUE(last > chosen || last == table.max_k());
    for (Index k = last + 1; k <= table.max_k(); ++k)
      EXPECT_GT(objective(table, lambda, k), objective(table, lambda, chosen) + 3 * lambda);
    // The chosen size ends where the next one begins, and that was searched, too.
    const double lowest = *table.at_k(chosen).lambda_min;
    for (Index k = last + 1; k <= table.max_k(); ++k)
      EXPECT_GE(objective(table, lowest, k), objective(table, lowest, chosen) - 1e-9);
    shorter += last < table.max_k() ? 1 : 0;
  }
  EXPECT_GT(shorter, 50);
}

TEST(SizesThatMatter, OfAChosenSizeAreAFewMore) {
  Rng rng(4);
  const SupportTable table = random_table(rng);
  EXPECT_EQ(last_size_that_matters(table, {.k = 3}, Tune::k), 5);
  EXPECT_EQ(last_size_that_matters(table, {.k = 12}, Tune::k), 15);
  EXPECT_EQ(last_size_that_matters(table, {.k = 20}, Tune::k), 20);
}

TEST(SizesThatMatter, GiveTheModelThatAllSizesGive) {
  int shorter = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Rng rng(seed);
    const LogisticData data = random_logistic({.n = 200, .p = seed == 8 ? 300 : 25, .k = 4}, rng);
    const DenseDesign design(data.data.X);
    const Problem problem = problem_of(data, design);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidateOptions some{.folds = 5, .tune = tune, .max_k = 20, .tune_ridge = false};
      CrossValidateOptions all = some;
      all.models = true;
      const CrossValidation short_table = cross_validate(problem, some);
      const CrossValidation full = cross_validate(problem, all);
      ASSERT_EQ(full.table.max_k(), std::ssize(full.models.models) - 1);
      EXPECT_EQ(short_table.chosen, full.chosen);
      EXPECT_EQ(short_table.model().at.support, full.model().at.support) << "seed " << seed;
      shorter += short_table.table.max_k() < full.table.max_k() ? 1 : 0;
    }
  }
  EXPECT_GT(shorter, 8);
}

}  // namespace
}  // namespace lass0::testing
