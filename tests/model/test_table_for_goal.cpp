// A lambda that selects the last row of the default table is answered from a longer one.
#include <gtest/gtest.h>

#include <lass0/fit.hpp>
#include <lass0/fit_with_table.hpp>
#include <lass0/path.hpp>
#include <lass0/search.hpp>

#include "support/signs.hpp"

namespace lass0::testing {
namespace {

constexpr Index kDefault = 100;

double objective_of(const TableRow& row, double lambda) {
  return 0.5 * row.loss + lambda * static_cast<double>(row.support.size());
}

TEST(TableForLambda, HasMoreRowsWhereLambdaSelectsTheLastOfTheDefault) {
  int improved = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem data(
        random_data(seed, ProblemSpec{.n = 400, .p = 160, .k = 130, .rho = 0.8, .snr = 30}));
    const Moments moments(*data);
    const SupportTable longer = best_supports(moments, {.max_k = 150});
    const SupportTable standard = best_supports(moments);
    ASSERT_EQ(standard.max_k(), kDefault);
    // A lambda whose answer has about 115 columns.
    const double lambda = (longer.at_k(110).loss - longer.at_k(120).loss) / 20;
    const TableRow& expected = longer.at_lambda(lambda);
    ASSERT_GT(std::ssize(expected.support), kDefault);
    const FitOptions options{.goal = AtLambda{{.lambda = lambda}}};
    const Fit found = fit(moments, options);
    EXPECT_LE(found.objective, objective_of(expected, lambda) * (1 + 1e-9));
    EXPECT_EQ(fit_with_table(*data, options).fit.model.at.support, found.model.at.support);
    // Algorithm 1 from the last row of the default table is what there was without more rows.
    const SearchResult from_last = search(moments, standard.at_lambda(lambda).support, {lambda});
    EXPECT_LE(found.objective, from_last.objective * (1 + 1e-9));
    improved += found.objective < from_last.objective * (1 - 1e-9) ? 1 : 0;
  }
  EXPECT_GT(improved, 0);
}

TEST(TableForLambda, HasAFewSizesHoweverFewRowsThereAre) {
  int longer = 0, improved = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Data data = random_data(
        seed, ProblemSpec{.n = rng.between(4, 12), .p = rng.between(4, 8), .k = 4, .rho = 0.5});
    std::vector<int> signs(static_cast<std::size_t>(data.p()), 0);
    if (rng.chance(0.5)) signs = random_signs(rng, data);
    const SignedProblem problem(data, signs);
    const Moments moments(*problem);
    const double lambda = 0.1 * random_lambda(rng, data);
    const SupportTable standard = best_supports(moments);
    const TableRow& last = standard.at_lambda(lambda);
    if (std::ssize(last.support) < standard.max_k()) continue;
    ++longer;
    const SupportTable all = best_supports(moments, {.max_k = data.p()});
    const Fit found = fit(moments, {.goal = AtLambda{{.lambda = lambda}}});
    const double slack = 1e-9 * Centred(data).y.squaredNorm();
    EXPECT_LE(found.objective, objective_of(all.at_lambda(lambda), lambda) + slack);
    improved += found.objective < search(moments, last.support, {lambda}).objective - slack;
  }
  EXPECT_GT(longer, 50);
  EXPECT_GT(improved, 0);
}

TEST(TableForLambda, IsTheDefaultTableWhereLambdaSelectsAnEarlierRow) {
  const OwnedProblem data(random_data(1, ProblemSpec{.n = 400, .p = 160, .k = 20, .snr = 2}));
  const SupportTable standard = best_supports(*data);
  const double lambda = *standard.at_lambda(0.02 * standard.at_k(0).loss).lambda_min * 0.9;
  const FitWithTable found = fit_with_table(*data, {.goal = AtLambda{{.lambda = lambda}}});
  EXPECT_EQ(found.table->max_k(), kDefault);
}

}  // namespace
}  // namespace lass0::testing
