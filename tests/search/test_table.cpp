// The best support of every size: against all supports, and what a table promises whatever the
// data.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/error.hpp>
#include <lass0/fit.hpp>
#include <lass0/support_table.hpp>
#include <limits>

#include "support/checks.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kTolerance = 1e-9;

// The least loss of every size over all supports without included columns.
std::vector<Real> brute_force_losses(const Centred& centred) {
  const Index p = centred.p();
  std::vector<Real> best(static_cast<std::size_t>(p) + 1, std::numeric_limits<Real>::infinity());
  for (Index mask = 0; mask < (Index{1} << p); ++mask) {
    Support support;
    for (Index j = 0; j < p; ++j) {
      if (mask >> j & 1) support.push_back(j);
    }
    if (std::any_of(support.begin(), support.end(), [&](Index j) {
          return std::find(centred.include.begin(), centred.include.end(), j) !=
                 centred.include.end();
        }))
      continue;
    Real& least = best[support.size()];
    least = std::min(least, least_squares(centred, model_columns(centred, support)).loss);
  }
  return best;
}

Real total_square(const Centred& centred) { return centred.y.squaredNorm(); }

void expect_sound(const SupportTable& table, const Centred& centred) {
  const Real scale = total_square(centred);
  for (Index k = 0; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_EQ(std::ssize(row.support), k);
    EXPECT_TRUE(std::is_sorted(row.support.begin(), row.support.end()));
    EXPECT_TRUE(independent(centred, row.support)) << "k = " << k;
    EXPECT_NEAR(
        row.loss,
        static_cast<double>(least_squares(centred, model_columns(centred, row.support)).loss),
        static_cast<double>(kTolerance * scale));
    if (k > 0) {
      EXPECT_LT(row.loss, table.at_k(k - 1).loss);
    }
  }
}

TEST(SupportTable, NearlyEveryRowIsTheGlobalOptimumAndNoneIsBelowIt) {
  int rows = 0, optimal = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Index p = 5 + static_cast<Index>(seed % 5);
    const Data data = with_random_extras(
        seed, random_data(seed, ProblemSpec{.n = 12 + static_cast<Index>(seed % 40),
                                            .p = p,
                                            .k = 3,
                                            .rho = 0.95 * static_cast<double>(seed % 7) / 6,
                                            .snr = seed % 3 == 0 ? 0.3 : 3.0}));
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(seed % 2 == 0 ? data : among_many(data));
    const Centred centred(data);
    const SupportTable table = best_supports(*problem);
    expect_sound(table, centred);
    const auto best = brute_force_losses(centred);
    for (Index k = 0; k <= table.max_k(); ++k, ++rows) {
      const double loss = table.at_k(k).loss,
                   least = static_cast<double>(best[static_cast<std::size_t>(k)]);
      EXPECT_GE(loss, least * (1 - kTolerance));
      optimal += loss <= least * (1 + kTolerance) ? 1 : 0;
    }
  }
  EXPECT_GE(optimal, static_cast<int>(std::floor(0.998 * rows))) << optimal << " of " << rows;
}

TEST(SupportTable, RowsDoNotDependOnHowManyWereAskedFor) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const OwnedProblem problem(random_general_data(seed, 15));
    const SupportTable all = best_supports(*problem);
    for (const Index max_k : {Index{0}, Index{1}, all.max_k() / 2}) {
      const SupportTable some = best_supports(*problem, {.max_k = max_k});
      ASSERT_EQ(some.max_k(), std::min(max_k, all.max_k()));
      for (Index k = 0; k <= some.max_k(); ++k) {
        EXPECT_EQ(some.at_k(k).support, all.at_k(k).support);
        EXPECT_EQ(some.at_k(k).loss, all.at_k(k).loss);
        EXPECT_EQ(some.at_k(k).lambda_min, all.at_k(k).lambda_min);
        EXPECT_EQ(some.at_k(k).lambda_max, all.at_k(k).lambda_max);
      }
    }
  }
}

TEST(SupportTable, ANegativeLargestSizeIsAnError) {
  const OwnedProblem problem(random_data(5, ProblemSpec{.n = 24, .p = 6, .k = 2}));
  EXPECT_THROW(best_supports(*problem, {.max_k = -1}), UsageError);
  EXPECT_EQ(best_supports(*problem, {.max_k = {}}).max_k(), 6);
}

TEST(SupportTable, MoreRowsThanTheDefaultCanBeAskedFor) {
  const OwnedProblem problem(random_data(5, ProblemSpec{.n = 24, .p = 18, .k = 4}));
  const SupportTable standard = best_supports(*problem);
  const SupportTable larger = best_supports(*problem, {.max_k = 17});
  EXPECT_EQ(standard.max_k(), 12);
  ASSERT_EQ(larger.max_k(), 17);
  expect_sound(larger, Centred(problem.data()));
  for (Index k = 0; k <= standard.max_k(); ++k) {
    EXPECT_EQ(standard.at_k(k).support, larger.at_k(k).support);
  }
}

// Also beyond the default number, where rows used to depend on the last one asked for.
TEST(SupportTable, AskingForMoreRowsNeverChangesTheSmallerOnes) {
  int beyond_default = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    // Of 30 columns the default is 15 rows; the search for few and that for many columns.
    const Data data = random_data(
        seed, {.n = 30, .p = 30 + 5 * static_cast<Index>(seed % 3), .k = 12, .rho = 0.8, .snr = 2});
    const OwnedProblem problem(seed % 2 == 0 ? data : among_many(data));
    Problem signs = *problem;
    std::vector<int> sign(static_cast<std::size_t>(signs.design->cols()), 0);
    for (std::size_t j = 0; j < sign.size(); j += 2) sign[j] = 1;
    signs.signs = sign;
    for (const Problem& one : {*problem, signs}) {
      const SupportTable most = best_supports(one, {.max_k = 27});
      beyond_default += most.max_k() > 18 ? 1 : 0;
      for (const Index max_k : {16, 17, 19, 20, 22, 25}) {
        const SupportTable some = best_supports(one, {.max_k = max_k});
        ASSERT_EQ(some.max_k(), std::min(max_k, most.max_k()));
        for (Index k = 0; k <= some.max_k(); ++k) {
          EXPECT_EQ(some.at_k(k).support, most.at_k(k).support) << k << " of " << max_k;
          EXPECT_EQ(some.at_k(k).loss, most.at_k(k).loss);
        }
      }
    }
  }
  EXPECT_GE(beyond_default, 15);  // with signs tables may end earlier
}

TEST(SupportTable, NoSwapLowersTheRssOfARow) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_general_data(seed, 12);
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(seed % 2 == 0 ? data : among_many(data));
    const Centred centred(data);
    const SupportTable table = best_supports(*problem);
    for (Index k = 1; k <= table.max_k(); ++k) {
      const TableRow& row = table.at_k(k);
      EXPECT_TRUE(row.swap_optimal);
      const auto swap = best_swap(centred, row.support, Penalty{});
      if (swap) {
        EXPECT_LE(static_cast<double>(swap->gain),
                  1e-9 * row.loss + 1e-12 * static_cast<double>(total_square(centred)))
            << "k = " << k;
      }
    }
  }
}

TEST(SupportTable, TheLambdasOfARowAreThoseWhereItIsBest) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const OwnedProblem problem(random_general_data(seed, 12));
    const SupportTable table = best_supports(*problem);
    double next = 0;  // from the largest k down, the intervals follow each other
    for (Index k = table.max_k(); k >= 0; --k) {
      const TableRow& row = table.at_k(k);
      ASSERT_EQ(row.lambda_min.has_value(), row.lambda_max.has_value());
      if (!row.lambda_min) continue;
      EXPECT_EQ(*row.lambda_min, next);
      next = *row.lambda_max;
      const double inside =
          k == 0 ? 2 * *row.lambda_min + 1 : 0.5 * (*row.lambda_min + *row.lambda_max);
      EXPECT_EQ(&table.at_lambda(inside), &row);
    }
    EXPECT_EQ(next, std::numeric_limits<double>::infinity());
  }
}

TEST(SupportTable, FitsFromItAgreeAndAreLocalOptima) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_general_data(seed, 12);
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(data);
    const SupportTable table = best_supports(*problem);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const TableRow& row = table.at_k(k);
      const Fit by_size = fit(*problem, {.goal = OfSize{k}});
      EXPECT_EQ(chosen(by_size), row.support);
      expect_sound(problem, by_size, {});
      EXPECT_EQ(by_size.status, Status::local_optimum);
      EXPECT_NEAR(by_size.objective, 0.5 * row.loss, 1e-9 * table.at_k(0).loss);
      // The last row is the best of the table down to 0, but more columns may be better still.
      if (!row.lambda_min || k == 0 || k == table.max_k()) continue;
      const double lambda = 0.5 * (*row.lambda_min + *row.lambda_max);
      const Fit by_lambda =
          fit(*problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::table()}});
      EXPECT_EQ(chosen(by_lambda), row.support);
      EXPECT_EQ(by_lambda.status, Status::local_optimum);
      EXPECT_TRUE(by_lambda.trace.moves.empty());
    }
    EXPECT_THROW(fit(*problem, {.goal = OfSize{data.p() + 1}}), UsageError);
  }
}

TEST(SupportTable, IsTheStartWhereNoneIsGiven) {
  const OwnedProblem problem(random_data(7, ProblemSpec{}));
  for (const double power : {0.0, 0.5}) {
    const Fit plain = fit(*problem, {.goal = AtLambda{.penalty = {0.5, power}}});
    const Fit table =
        fit(*problem, {.goal = AtLambda{.penalty = {0.5, power}, .start = Start::table()}});
    EXPECT_EQ(plain.trace.start, Start::Method::table);
    EXPECT_EQ(plain.model.at.support, table.model.at.support);
    EXPECT_EQ(plain.trace.start_support, best_supports(*problem).at_lambda(0.5).support);
    EXPECT_EQ(plain.row.has_value(), power == 0) << "a row's lambdas are those of the L0 penalty";
  }
}

// The table ends at half the rows; at lambda 0 the search goes on from its last row.
TEST(SupportTable, AModelBeyondTheTableHasNoRowOfIt) {
  const OwnedProblem problem(random_data(7, ProblemSpec{.n = 20, .p = 16, .k = 16, .snr = 50}));
  const Fit result = fit(*problem, {.goal = AtLambda{0}});
  EXPECT_EQ(result.trace.start_support.size(), 10u);
  EXPECT_GT(result.model.at.support.size(), 10u);
  EXPECT_FALSE(result.row.has_value());
}

TEST(SupportTable, IsNeverWorseThanThePapersSearch) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Data data = random_general_data(seed, 14);
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(data);
    Rng rng(seed);
    const double lambda = random_lambda(rng, data);
    const Fit paper =
        fit(*problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::paper()}});
    if (paper.k() > best_supports(*problem).max_k()) continue;
    const Fit table =
        fit(*problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::table()}});
    EXPECT_LE(table.objective, paper.objective * (1 + kTolerance));
  }
}

TEST(SupportTable, EndsWhereNothingIsLeftToExplain) {
  Data data = random_data(3, ProblemSpec{.n = 40, .p = 10, .k = 4});
  data.y = data.X.col(2) - 2 * data.X.col(7);
  data.append(scaled_copy(data, 2, 3.0));
  data.append(Vector::Constant(data.n(), 4.0));
  const OwnedProblem problem(data);
  const SupportTable table = best_supports(*problem);
  ASSERT_EQ(table.max_k(), 2);
  EXPECT_EQ(table.at_k(2).support, (std::vector<Index>{2, 7}));
  EXPECT_THROW(table.at_k(3), UsageError);
  EXPECT_THROW(table.at_k(-1), UsageError);
  data.y.setConstant(3);
  EXPECT_EQ(best_supports(*OwnedProblem(data)).max_k(), 0);
}

TEST(SupportTable, IsTheSameForAnyNumberOfThreads) {
  const OwnedProblem problem(random_data(8, ProblemSpec{.n = 60, .p = 300, .k = 6, .rho = 0.7}));
  const SupportTable one = best_supports(*problem, {.control = {.threads = 1}});
  const SupportTable three = best_supports(*problem, {.control = {.threads = 3}});
  ASSERT_EQ(one.max_k(), three.max_k());
  for (Index k = 0; k <= one.max_k(); ++k) {
    EXPECT_EQ(one.at_k(k).support, three.at_k(k).support);
    EXPECT_EQ(one.at_k(k).loss, three.at_k(k).loss);
  }
}

TEST(SupportTable, AStoppedTableHasTheRowsSoFar) {
  const OwnedProblem problem(random_data(8, ProblemSpec{.n = 60, .p = 100, .k = 6}));
  int calls = 0;
  const SupportTable table =
      best_supports(*problem, {.control = {.keep_going = [&] { return ++calls < 40; }}});
  EXPECT_EQ(table.status, Status::interrupted);
  EXPECT_GE(table.max_k(), 0);
  expect_sound(table, Centred(problem.data()));
}

// Indicator columns of several factors with all their levels, sums of some and near copies: a third
// of the columns depends on the others, and scores of swaps among them are small differences of
// large numbers.
TEST(SupportTable, RowsAreSoundWhereManyColumnsAreDependent) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Index n = 120;
    Data data = random_data(seed, ProblemSpec{.n = n, .p = 6, .k = 4, .rho = 0.5, .snr = 0.5});
    for (int factor = 0; factor < 6; ++factor) {
      const Index levels = 2 + rng.below(4);
      Matrix indicators = Matrix::Zero(n, levels);
      for (Index i = 0; i < n; ++i) indicators(i, rng.below(levels)) = 1;
      for (Index level = 0; level < levels; ++level) data.append(indicators.col(level));
      if (factor % 2) data.append(indicators.col(0) + 0.5 * data.X.col(rng.below(6)));
    }
    for (int copy = 0; copy < 4; ++copy) {
      Vector near = data.X.col(rng.below(data.p()));
      for (Index i = 0; i < n; ++i) near[i] += 0.01 * rng.normal();
      data.append(near - data.X.col(rng.below(6)));
    }
    expect_sound(best_supports(OwnedProblem(data)), Centred(data));
    expect_sound(best_supports(OwnedProblem(among_many(data))), Centred(data));
  }
}

// Few columns and many are searched by different arithmetic.
TEST(SupportTable, IsTheSameAmongColumnsOfZeros) {
  Index rows = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Data data = random_general_data(seed, 40);
    SCOPED_TRACE(describe(data));
    const SupportTable few = best_supports(OwnedProblem(data)),
                       many = best_supports(OwnedProblem(among_many(data)));
    ASSERT_EQ(few.max_k(), many.max_k());
    for (Index k = 0; k <= few.max_k(); ++k, ++rows) {
      const double a = few.at_k(k).loss, b = many.at_k(k).loss;
      different += std::abs(a - b) > kTolerance * few.at_k(0).loss ? 1 : 0;
    }
  }
  EXPECT_GT(rows, 500);
  EXPECT_LE(different, rows / 100);  // both are local searches, with different work allowed
}

}  // namespace
}  // namespace lass0::testing
