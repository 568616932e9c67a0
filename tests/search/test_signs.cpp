// Coefficients with signs: the table against every support there is, what its status claims, and
// changes to the data that must not change the answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <numeric>

#include "search/signed_fit.hpp"
#include "support/checks.hpp"
#include "support/signs.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-9;  // of the target's sum of squares

double total(const Data& data) {
  return static_cast<double>(Centred(data).y.squaredNorm());
}

SignedProblem make(std::uint64_t seed, Index max_p = 9) {
  Rng rng(seed + 1000);
  ProblemSpec spec = random_spec(seed, max_p);
  spec.rho = rng.uniform(0.0, 0.95);
  Data data = with_random_extras(seed, random_data(seed, spec));
  std::vector<int> signs = random_signs(rng, data);
  return SignedProblem(std::move(data), std::move(signs), kStorages[seed % 3]);
}

void expect_rows_keep_signs(const SignedProblem& problem, const SupportTable& table) {
  const Centred centred(problem.data());
  for (Index k = 1; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_EQ(std::ssize(row.support), k);
    EXPECT_TRUE(keeps_signs(centred, row.support, problem.signs())) << k;
    EXPECT_NEAR(row.loss,
                static_cast<double>(
                    least_squares(centred, model_columns(centred, row.support)).loss),
                kTolerance * total(problem.data()));
    EXPECT_LT(row.loss, table.at_k(k - 1).loss);
  }
}

TEST(Signs, TheTableIsTheBestOfAllSupportsThatKeepThem) {
  int rows = 0, optimal = 0, binding = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const SignedProblem problem = make(seed);
    const Data& data = problem.data();
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const SupportTable table = best_supports(*problem, {.max_k = data.p()});
    EXPECT_EQ(table.status, Status::local_optimum);
    expect_rows_keep_signs(problem, table);
    const std::vector<Real> least = least_signed_losses(data, problem.signs());
    const double slack = kTolerance * total(data);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const double best = static_cast<double>(least[static_cast<std::size_t>(k)]);
      EXPECT_GE(table.at_k(k).loss, best - slack) << k;
      EXPECT_TRUE(table.at_k(k).swap_optimal) << k;
      ++rows;
      optimal += table.at_k(k).loss <= best + slack;
    }
    // It ends where more columns would not help.
    EXPECT_NEAR(table.rows.back().loss, static_cast<double>(least.back()), slack);
    const SupportTable free = best_supports(*problem.without_signs(), {.max_k = data.p()});
    binding += free.max_k() > table.max_k();
  }
  EXPECT_GT(rows, 1200);
  EXPECT_GT(binding, 100);
  EXPECT_GE(optimal, 0.998 * rows);
  RecordProperty("rows", rows);
  RecordProperty("optimal", optimal);
}

}  // namespace
}  // namespace lass0::testing
