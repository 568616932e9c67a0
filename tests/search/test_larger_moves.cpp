// Problems with many true columns and few rows, where swaps get stuck: what longer Lasso paths and
// larger moves find there, and that they leave easy problems alone.
#include <gtest/gtest.h>

#include <lass0/fit.hpp>
#include <lass0/simulate.hpp>

#include "moments/access.hpp"
#include "search/table/larger_moves.hpp"
#include "support/checks.hpp"

namespace lass0::testing {
namespace {

struct Hard {
  explicit Hard(std::uint64_t seed, Index n, Index p, Index k, double rho = 0.7, double snr = 20)
      : truth(simulate({.n = n,
                        .p = p,
                        .k = k,
                        .rho = rho,
                        .snr = snr,
                        .seed = seed,
                        .correlation = Correlation::ar1,
                        .coefficients = TrueCoefficients::unit})) {
    data.X = truth.X;
    data.y = truth.y;
  }

  double true_loss() const {
    return static_cast<double>(least_squares(Centred(data), truth.support).loss);
  }

  Simulated truth;
  Data data;
};

// Every row has the loss of its support, which falls from row to row, and no swap that a row says
// to have looked for improves it.
void expect_sound_rows(const Data& data, const SupportTable& table) {
  const Centred centred(data);
  const double rounding = 1e-9 * static_cast<double>(centred.y.squaredNorm());
  for (Index k = 0; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_EQ(std::ssize(row.support), k);
    EXPECT_TRUE(std::is_sorted(row.support.begin(), row.support.end()));
    EXPECT_NEAR(row.loss, static_cast<double>(least_squares(centred, row.support).loss), rounding);
    if (k > 0) {
      EXPECT_LT(row.loss, table.at_k(k - 1).loss);
    }
  }
}

bool finds_the_truth(const Hard& hard, const SupportTable& table) {
  const Index k = std::ssize(hard.truth.support);
  return table.max_k() >= k && table.at_k(k).loss <= hard.true_loss() * (1 + 1e-9);
}

// Version 0.1 found 3 and 4 of these.
TEST(LargerMoves, FindTheTrueColumnsWhereRowsAreFew) {
  int correlated = 0, nearly_independent = 0;
  for (std::uint64_t seed = 101; seed <= 106; ++seed) {
    const Hard one(seed, 200, 2000, 30, 0.7, 10), other(seed, 120, 800, 26, 0.3, 50);
    const SupportTable table = best_supports(*OwnedProblem(one.data));
    expect_sound_rows(one.data, table);
    correlated += finds_the_truth(one, table) ? 1 : 0;
    nearly_independent += finds_the_truth(other, best_supports(*OwnedProblem(other.data))) ? 1 : 0;
  }
  EXPECT_GE(correlated, 5);
  EXPECT_GE(nearly_independent, 6);
}

TEST(LargerMoves, AreSaid) {
  const Hard hard(101, 100, 700, 18);
  const SupportTable table = best_supports(*OwnedProblem(hard.data));
  EXPECT_FALSE(table.larger_moves.sizes.empty());
  for (const Index k : table.larger_moves.sizes) {
    EXPECT_GE(k, 1);
    EXPECT_LE(k, table.max_k());
  }
}

TEST(LargerMoves, AreNotTriedWhereRowsArePlenty) {
  const Data data = random_data(1, {.n = 600, .p = 300, .k = 10, .rho = 0.5});
  const SupportTable table = best_supports(*OwnedProblem(data));
  EXPECT_TRUE(table.larger_moves.sizes.empty());
  EXPECT_EQ(table.larger_moves.improved, 0);
}

TEST(LargerMoves, SizesAreThoseForWhichRowsAreFew) {
  const OwnedProblem problem(random_data(2, {.n = 100, .p = 1000, .k = 3}));
  const Moments moments(*problem);
  const std::vector<Index> sizes = hard_sizes(moments, 1, 50, 1.0);
  ASSERT_FALSE(sizes.empty());
  // k log(1000 / k) / 100 is 0.25 between k = 4 and 5, and 1 between 27 and 28.
  EXPECT_EQ(sizes.front(), 27);
  EXPECT_EQ(sizes.back(), 5);
  EXPECT_EQ(sizes.size(), 23);
  EXPECT_TRUE(hard_sizes(moments, 1, 3, 1.0).empty());
}

// A table that falls as fast as noise lets it, and one that falls faster.
TEST(LargerMoves, ATableThatFallsFasterThanNoiseIsASign) {
  const OwnedProblem problem(random_data(2, {.n = 100, .p = 1000, .k = 3}));
  const Moments moments(*problem);
  const auto falling = [](double rate) {
    return [rate](Index size) {
      double log_loss = 0;
      for (Index k = 1; k <= size; ++k)
        log_loss -= rate * 2 / 100.0 * std::log(1000.0 / static_cast<double>(k));
      return std::exp(log_loss);
    };
  };
  EXPECT_FALSE(falls_faster_than_noise(moments, 50, falling(1.0)));
  EXPECT_TRUE(falls_faster_than_noise(moments, 50, falling(1.5)));
  EXPECT_FALSE(falls_faster_than_noise(moments, 3, falling(1.5)));  // rows are plenty
  EXPECT_TRUE(falls_faster_than_noise(moments, 50, [](Index k) { return k < 5 ? 1.0 : 0.0; }));
}

// The default start and the table are never above Algorithm 1 from the Lasso at the same lambda.
TEST(LargerMoves, ATableIsNeverAboveThePapersStart) {
  for (std::uint64_t seed = 201; seed <= 206; ++seed) {
    const Hard hard(seed, 80 + static_cast<Index>(seed % 3) * 20, 400, 8 + seed % 5 * 3,
                    seed % 2 ? 0.7 : 0.3);
    const OwnedProblem problem(hard.data);
    const Moments moments(*problem);
    const SupportTable table = best_supports(moments);
    const double unit = hard.truth.noise * hard.truth.noise * std::log(400.0);
    for (const double factor : {4.0, 2.0, 1.0, 0.5}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", lambda times " << factor);
      FitOptions options;
      const double lambda = factor * unit;
      options.goal = AtLambda{.penalty = {lambda}, .start = Start::paper()};
      const double paper = fit(moments, options).objective;
      options.goal = AtLambda{lambda};
      options.table = &table;
      EXPECT_LE(fit(moments, options).objective, paper * (1 + 1e-9));
      const TableRow& row = table.at_lambda(lambda);
      if (row.lambda_min.value_or(0) > 0) {  // the table does not end there
        EXPECT_LE(0.5 * row.loss + lambda * static_cast<double>(row.support.size()),
                  paper * (1 + 1e-9));
      }
    }
  }
}

TEST(LargerMoves, TheSameBitsForAnyNumberOfThreads) {
  const Hard hard(103, 100, 700, 18);
  const OwnedProblem problem(hard.data);
  const SupportTable one = best_supports(*problem, {.control = {.threads = 1}});
  const SupportTable three = best_supports(*problem, {.control = {.threads = 3}});
  ASSERT_EQ(one.max_k(), three.max_k());
  EXPECT_EQ(one.larger_moves.sizes, three.larger_moves.sizes);
  for (Index k = 0; k <= one.max_k(); ++k) {
    EXPECT_EQ(one.at_k(k).support, three.at_k(k).support);
    EXPECT_EQ(one.at_k(k).loss, three.at_k(k).loss);
  }
}

TEST(LargerMoves, CanBeStoppedAtAnyPoint) {
  const Hard hard(104, 100, 700, 18);
  const OwnedProblem problem(hard.data);
  int asked = 0;
  const SupportTable whole = best_supports(
      *problem, {.control = {.threads = 1, .keep_going = [&] { return ++asked > 0; }}});
  for (int stop = asked / 2; stop < asked; stop += std::max(1, asked / 12)) {
    int left = stop;
    const SupportTable some = best_supports(
        *problem, {.control = {.threads = 1, .keep_going = [&] { return left-- > 0; }}});
    EXPECT_EQ(some.status, Status::interrupted);
    expect_sound_rows(hard.data, some);
    for (Index k = 0; k <= std::min(some.max_k(), whole.max_k()); ++k)
      EXPECT_GE(some.at_k(k).loss, whole.at_k(k).loss * (1 - 1e-9));
  }
}

TEST(LargerMoves, WorkWithARidgeAndIncludedColumns) {
  for (std::uint64_t seed = 301; seed <= 303; ++seed) {
    Hard hard(seed, 100, 700, 14);
    hard.data.ridge = seed == 302 ? 0 : 1;
    if (seed > 301) hard.data.include = {hard.truth.support[2], hard.truth.support[5]};
    const OwnedProblem problem(hard.data);
    const SupportTable table = best_supports(*problem);
    EXPECT_FALSE(table.larger_moves.sizes.empty());
    const Centred centred(hard.data);
    const double rounding = 1e-9 * static_cast<double>(centred.y.squaredNorm());
    for (Index k = 0; k <= table.max_k(); ++k) {
      const Support columns = model_columns(centred, table.at_k(k).support);
      EXPECT_NEAR(table.at_k(k).loss, static_cast<double>(least_squares(centred, columns).loss),
                  rounding);
    }
  }
}

TEST(LargerMoves, OfASparseXAreThoseOfTheSameXWithItsZeros) {
  Data data = random_data(5, {.n = 150, .p = 900, .k = 25, .rho = 0, .snr = 30, .zeros = 0.97});
  const OwnedProblem sparse(data, Storage::sparse), dense(data);
  const Moments moments(*sparse);
  ASSERT_NE(sparse_products(moments), nullptr);
  const SupportTable a = best_supports(moments), b = best_supports(*dense);
  EXPECT_FALSE(a.larger_moves.sizes.empty());
  ASSERT_EQ(a.max_k(), b.max_k());
  const double rounding = 1e-9 * a.at_k(0).loss;
  for (Index k = 0; k <= a.max_k(); ++k) EXPECT_NEAR(a.at_k(k).loss, b.at_k(k).loss, rounding);
}

// With the signs of the truth given, the true support is allowed. Version 0.1 found 4 of these.
TEST(LargerMoves, StartsUnderSignsFindTheTrueColumns) {
  int found = 0;
  for (std::uint64_t seed = 101; seed <= 106; ++seed) {
    const Hard hard(seed, 120, 800, 26, 0.3, 50);
    const OwnedProblem owned(hard.data);
    Problem problem = *owned;
    std::vector<int> signs(800, 0);
    for (const Index j : hard.truth.support)
      signs[static_cast<std::size_t>(j)] = hard.truth.beta[j] > 0 ? 1 : -1;
    problem.signs = signs;
    const SupportTable table = best_supports(problem);
    for (Index k = 1; k <= table.max_k(); ++k)
      EXPECT_LT(table.at_k(k).loss, table.at_k(k - 1).loss);
    found += finds_the_truth(hard, table) ? 1 : 0;
  }
  EXPECT_GE(found, 6);
}

}  // namespace
}  // namespace lass0::testing
