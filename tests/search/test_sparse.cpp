// The search on products from the non-zeros of a sparse X finds what it finds on the same X with
// its zeros.
#include <gtest/gtest.h>

#include <lass0/fit.hpp>
#include <lass0/support_table.hpp>

#include "moments/access.hpp"
#include "support/checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-9;  // of y'y

void expect_same_table(const Data& data, const TableOptions& options) {
  const OwnedProblem sparse(data, Storage::sparse), dense(data);
  const Moments moments(sparse);
  ASSERT_NE(sparse_products(moments), nullptr);
  const SupportTable a = best_supports(moments, options), b = best_supports(*dense, options);
  const Centred centred(data);
  const double scale = kTolerance * static_cast<double>(centred.y.squaredNorm());
  ASSERT_EQ(a.max_k(), b.max_k());
  for (Index k = 0; k <= a.max_k(); ++k) {
    EXPECT_NEAR(a.at_k(k).loss, b.at_k(k).loss, scale) << "k = " << k;
    EXPECT_EQ(a.at_k(k).swap_optimal, b.at_k(k).swap_optimal) << "k = " << k;
    const Support columns = model_columns(centred, a.at_k(k).support);
    EXPECT_NEAR(a.at_k(k).loss, static_cast<double>(least_squares(centred, columns).loss), scale);
  }
}

TEST(SparseSearch, TablesAreThoseOfTheSameXWithItsZeros) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = sparse_data(seed, 14);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    expect_same_table(data, {});
  }
}

TEST(SparseSearch, TablesOfManyColumnsAreThoseOfTheSameXWithItsZeros) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ProblemSpec spec{.n = 150, .p = 500, .k = 12, .zeros = 0.97};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const Data data = with_random_extras(seed, random_data(seed, spec));
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    expect_same_table(data, {.max_k = 25});
  }
}

TEST(SparseSearch, FitsAreSound) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Data data = sparse_data(seed, 12);
    const OwnedProblem problem(data, Storage::sparse);
    Rng rng(seed);
    FitOptions options;
    const double lambda = random_lambda(rng, data);
    options.goal = AtLambda{lambda};
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Fit result = fit(*problem, options);
    expect_sound(problem, result, Penalty{.lambda = lambda});
  }
}

}  // namespace
}  // namespace lass0::testing
