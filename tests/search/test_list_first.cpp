// Full tables of large data with so many columns that a list of them is searched first.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <lass0/simulate.hpp>
#include <lass0/support_table.hpp>

#include "search/state/all_swaps.hpp"
#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

constexpr Index kRows = 370, kVeryMany = 8300;

Data very_wide_data(std::uint64_t seed) {
  return random_data(seed, {.n = kRows,
                            .p = kVeryMany,
                            .k = 4,
                            .rho = 0.15 * static_cast<double>(seed % 7),
                            .snr = 5,
                            .mean = 1,
                            .weights = seed % 3 == 0 ? WeightKind::reals : WeightKind::none,
                            .intercept = seed % 4 != 0});
}

void expect_falling_fits(const SupportTable& table, const Moments& moments) {
  const double unit = moments.target_scale() * moments.target_scale();
  for (Index k = 0; k <= table.max_k(); ++k) {
    const TableRow& row = table.at_k(k);
    ASSERT_EQ(std::ssize(row.support), k);
    EXPECT_TRUE(std::is_sorted(row.support.begin(), row.support.end()));
    EXPECT_NEAR(fit_support(moments, row.support).loss * unit, row.loss, 1e-9 * table.at_k(0).loss);
    EXPECT_TRUE(k == 0 || row.loss < table.at_k(k - 1).loss);
  }
}

TEST(ListFirst, NoMoveAmongAllColumnsImprovesARow) {
  const Budget unlimited{Control{}};
  Index rows = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Data data = with_random_extras(seed, very_wide_data(seed));
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const SupportTable table = best_supports(moments);
    EXPECT_EQ(table.status, Status::local_optimum);
    EXPECT_EQ(table.effort, Effort::full);
    EXPECT_EQ(table.max_k(), default_max_k(moments));
    expect_falling_fits(table, moments);
    for (Index k = 1; k <= table.max_k(); ++k) EXPECT_TRUE(table.at_k(k).swap_optimal);
    for (Index k = 1; k <= table.max_k(); k += 1 + k / 3, ++rows) {
      const TableRow& row = table.at_k(k);
      const SupportState state(moments, row.support, SupportState::Detail::swaps, unlimited);
      AllSwaps swaps(moments, state);
      const double close = 1e-9 * moments.target_square();
      for (Index i = 0; i < k; ++i) {
        swaps.choose(i);
        for (Index j = 0; j < moments.cols(); ++j)
          ASSERT_TRUE(swaps.regain()[j] < 0 || swaps.gain(j) <= close)
              << k << ": " << i << ", " << j;
      }
      if (k == table.max_k()) continue;
      const double unit = moments.target_scale() * moments.target_scale();
      for (Index j = 0; j < moments.cols(); ++j) {
        if (!state.addable(j) || !moments.eligible(j)) continue;
        ASSERT_LE(table.at_k(k + 1).loss / unit, state.loss() - state.add_gain(j) + close);
      }
    }
  }
  EXPECT_GT(rows, 40);
}

// The list that a quick search ends with is where this one begins, unless a sign of many true
// columns makes both of them search otherwise.
TEST(ListFirst, NoRowIsAboveThatOfAQuickSearch) {
  int lower = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(very_wide_data(seed));
    const Moments moments(problem);
    const SupportTable quick = best_supports(moments, {.effort = Effort::quick});
    const SupportTable full = best_supports(moments);
    if (!quick.larger_moves.sizes.empty()) continue;
    ASSERT_EQ(full.max_k(), quick.max_k());
    for (Index k = 0; k <= full.max_k(); ++k) {
      EXPECT_LE(full.at_k(k).loss, quick.at_k(k).loss * (1 + 1e-9)) << k;
      lower += full.at_k(k).loss < quick.at_k(k).loss * (1 - 1e-6) ? 1 : 0;
    }
  }
  EXPECT_GT(lower, 20);
}

TEST(ListFirst, ManyTrueColumnsAndFewRowsAreSearchedForAmongAll) {
  int found = 0;
  for (std::uint64_t seed = 101; seed <= 103; ++seed) {
    const Simulated hard = simulate({.n = kRows,
                                     .p = kVeryMany,
                                     .k = 40,
                                     .rho = 0.3,
                                     .snr = 50,
                                     .seed = seed,
                                     .correlation = Correlation::ar1,
                                     .coefficients = TrueCoefficients::unit});
    Data data;
    data.X = hard.X;
    data.y = hard.y;
    const OwnedProblem problem(data);
    const SupportTable table = best_supports(*problem);
    EXPECT_FALSE(table.larger_moves.sizes.empty());
    found += table.at_k(40).support == hard.support ? 1 : 0;
  }
  EXPECT_GE(found, 2);
}

TEST(ListFirst, RowsDoNotDependOnHowManyAreAskedForNorOnThreads) {
  const OwnedProblem problem(very_wide_data(2));
  const Moments moments(problem);
  const SupportTable standard = best_supports(moments);
  for (const Index max_k : {5, 110}) {
    const SupportTable table = best_supports(moments, {.max_k = max_k, .control = {.threads = 2}});
    for (Index k = 0; k <= std::min(table.max_k(), standard.max_k()); ++k) {
      EXPECT_EQ(table.at_k(k).support, standard.at_k(k).support) << k;
      EXPECT_TRUE(table.at_k(k).swap_optimal);
    }
  }
}

// Some rows of a few copied columns, none of which lowers the loss any more.
TEST(ListFirst, FewDifferentColumnsAmongManyCopies) {
  Data data = random_data(5, {.n = kRows, .p = 6, .k = 3, .snr = 5});
  const Matrix few = data.X;
  data.X.resize(few.rows(), kVeryMany);
  for (Index j = 0; j < kVeryMany; ++j) data.X.col(j) = few.col(j % few.cols());
  const OwnedProblem problem(data),
      original(random_data(5, {.n = kRows, .p = 6, .k = 3, .snr = 5}));
  const SupportTable table = best_supports(*problem), expected = best_supports(*original);
  ASSERT_EQ(table.max_k(), expected.max_k());
  for (Index k = 0; k <= table.max_k(); ++k)
    EXPECT_NEAR(table.at_k(k).loss, expected.at_k(k).loss, 1e-9 * expected.at_k(0).loss);
}

TEST(ListFirst, WheneverItIsStoppedTheRowsAreValid) {
  const OwnedProblem problem(very_wide_data(1));
  const Moments moments(problem);
  int with_rows = 0;
  for (int calls = 1;; calls = 2 * calls + 5) {
    std::atomic<int> left = calls;
    TableOptions options;
    options.control.keep_going = [&] { return --left > 0; };
    const SupportTable table = best_supports(moments, options);
    if (table.status == Status::local_optimum) break;
    SCOPED_TRACE(::testing::Message() << "stopped after " << calls << " checks");
    EXPECT_EQ(table.status, Status::interrupted);
    EXPECT_EQ(table.effort, Effort::full);
    ASSERT_FALSE(table.rows.empty());
    expect_falling_fits(table, moments);
    with_rows += table.max_k() > 0 ? 1 : 0;
  }
  EXPECT_GT(with_rows, 2);
}

}  // namespace
}  // namespace lass0::testing
