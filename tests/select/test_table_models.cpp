// The tables of selections come with the exact fit of every row.
#include <gtest/gtest.h>

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

void expect_exact_fits(const Problem& problem, const SupportTable& table,
                       const TableModels& models) {
  ASSERT_EQ(models.models.size(), table.rows.size());
  ASSERT_EQ(models.rss.size(), table.rows.size());
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    std::vector<Index> support = table.rows[k].support;
    support.insert(support.end(), problem.include.begin(), problem.include.end());
    const Iterate expected = refit(problem, support);
    const Iterate& found = models.models[k];
    ASSERT_EQ(found.support, expected.support);
    EXPECT_TRUE(found.coefficients.isApprox(expected.coefficients, 1e-9)) << "k " << k;
    EXPECT_NEAR(found.intercept, expected.intercept, 1e-9);
    const double rss = residual_sum_of_squares(problem, expected);
    EXPECT_NEAR(models.rss[k], rss, 1e-9 * (1 + rss));
    EXPECT_NEAR(table.rows[k].loss, rss + ridge_penalty(problem, expected), 1e-8 * (1 + rss));
  }
}

TEST(TableModels, AreTheExactFitsOfItsRows) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    Data data = random_data(seed, {.n = 60,
                                   .p = 8,
                                   .rho = 0.4,
                                   .mean = 1,
                                   .weights = seed % 5 < 2 ? WeightKind::reals : WeightKind::none,
                                   .intercept = seed % 7 < 4});
    if (seed % 2 == 0) data.include = {1, 6};
    if (seed % 3 == 0) data.ridge = 5;
    data.standardize = seed % 4 < 2;
    const OwnedProblem problem(data);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidation cv = cross_validate(
          problem,
          {.folds = 4, .tune = tune, .rule = Rule::min, .models = true, .tune_ridge = false});
      expect_exact_fits(problem, cv.table, cv.models);
    }
    if (data.ridge > 0) continue;
    const CriterionSelection selection = select_by_criterion(problem, {.models = true});
    expect_exact_fits(problem, selection.table, selection.models);
  }
}

TEST(TableModels, AreThoseOfTheRidgeChosen) {
  const Data data = random_data(9, {.n = 40, .p = 12, .rho = 0.8});
  const OwnedProblem owned(data);
  const CrossValidation cv =
      cross_validate(owned, {.folds = 4, .rule = Rule::min, .models = true, .tune_ridge = true});
  Problem problem = owned;
  problem.ridge = cv.best().ridge;
  expect_exact_fits(problem, cv.table, cv.models);
}

}  // namespace
}  // namespace lass0::testing
