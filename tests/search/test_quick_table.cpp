// Quick tables: a search among a short list of many columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <lass0/fit.hpp>
#include <lass0/simulate.hpp>
#include <lass0/support_table.hpp>

#include "search/state/support_state.hpp"
#include "search/table/short_list.hpp"
#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

constexpr Index kMany = 1100;

Data wide_data(std::uint64_t seed, Index n = 80) {
  return random_data(seed, {.n = n,
                            .p = kMany,
                            .k = 4,
                            .rho = 0.1 * static_cast<double>(seed % 7),
                            .snr = 5,
                            .mean = 1,
                            .weights = seed % 3 == 0 ? WeightKind::reals : WeightKind::none,
                            .intercept = seed % 4 != 0});
}

void expect_same(const SupportTable& a, const SupportTable& b) {
  ASSERT_EQ(a.max_k(), b.max_k());
  for (Index k = 0; k <= a.max_k(); ++k) {
    EXPECT_EQ(a.at_k(k).support, b.at_k(k).support);
    EXPECT_EQ(a.at_k(k).loss, b.at_k(k).loss);
  }
}

TEST(QuickTable, RowsAreFitsOfTheirOwnAndFallStrictly) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Data data = with_random_extras(seed, wide_data(seed));
    SCOPED_TRACE(describe(data));
    const OwnedProblem problem(data);
    const Moments moments(problem);
    const SupportTable table = best_supports(moments, {.effort = Effort::quick});
    EXPECT_EQ(table.status, Status::unchecked);
    EXPECT_EQ(table.max_k(), default_max_k(moments));
    const Centred centred(data);
    for (Index k = 0; k <= table.max_k(); ++k) {
      const TableRow& row = table.at_k(k);
      ASSERT_EQ(std::ssize(row.support), k);
      EXPECT_TRUE(std::is_sorted(row.support.begin(), row.support.end()));
      const Real loss = least_squares(centred, model_columns(centred, row.support)).loss;
      EXPECT_NEAR(row.loss, static_cast<double>(loss), 1e-9 * table.at_k(0).loss);
      EXPECT_EQ(row.swap_optimal, k == 0);
      EXPECT_TRUE(k == 0 || row.loss < table.at_k(k - 1).loss);
    }
  }
}

// Up to about the true size, the short list loses next to nothing.
TEST(QuickTable, SmallSizesAreThoseOfTheFullSearch) {
  int rows = 0, same = 0;
  double excess = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const OwnedProblem problem(wide_data(seed, 200));
    const Moments moments(problem);
    const SupportTable quick = best_supports(moments, {.effort = Effort::quick});
    const SupportTable full = best_supports(moments);
    for (Index k = 1; k <= 6; ++k) {
      ++rows;
      same += quick.at_k(k).support == full.at_k(k).support ? 1 : 0;
      excess += quick.at_k(k).loss / full.at_k(k).loss - 1;
    }
  }
  EXPECT_GE(same, 0.95 * rows);
  EXPECT_LE(excess, 1e-3 * rows);
}

// Of y = a - rho b, with rho the correlation of a and b, column b alone knows nothing.
TEST(QuickTable, FindsColumnsThatMatterOnlyBesideOthers) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    constexpr double kRho = 0.8;
    Data data = random_data(seed, {.n = 300, .p = kMany, .k = 0, .rho = 0});
    data.y.setZero();
    std::vector<Index> hidden;
    for (const Index j : rng.subset(kMany / 2, 3)) {
      const Index other = j + kMany / 2;
      Vector a = data.X.col(j), b = data.X.col(other);
      b = kRho * a / a.norm() + std::sqrt(1 - kRho * kRho) * b / b.norm();
      data.X.col(other) = b;
      a /= a.norm();
      data.y += a - (a.dot(b) / b.squaredNorm()) * b;
      hidden.push_back(other);
    }
    for (double& value : data.y) value += 0.005 * rng.normal();
    const OwnedProblem problem(data);
    const SupportTable table = best_supports(Moments(problem), {.effort = Effort::quick});
    for (const Index j : hidden) {
      const std::vector<Index>& support = table.at_k(6).support;
      EXPECT_TRUE(std::binary_search(support.begin(), support.end(), j));
    }
  }
}

TEST(QuickTable, FewColumnsNeedNoList) {
  const OwnedProblem few(random_data(1, {.n = 60, .p = 1024, .k = 4}));
  const Moments moments(few);
  EXPECT_EQ(best_supports(moments, {.effort = Effort::quick}).status, Status::local_optimum);
}

// Rows that the list is too short for come from all columns, after those of the list.
TEST(QuickTable, RowsBeyondTheListFollowThoseOfTheList) {
  const OwnedProblem problem(wide_data(1, 300));
  const Effort quick = Effort::quick;
  const SupportTable listed = best_supports(*problem, {.max_k = 110, .effort = quick});
  const SupportTable larger = best_supports(*problem, {.max_k = 140, .effort = quick});
  EXPECT_EQ(larger.status, Status::unchecked);
  ASSERT_EQ(larger.max_k(), 140);
  for (Index k = 0; k <= 110; ++k) {
    EXPECT_EQ(larger.at_k(k).support, listed.at_k(k).support);
    EXPECT_EQ(larger.at_k(k).loss, listed.at_k(k).loss);
  }
  for (Index k = 1; k <= 140; ++k) EXPECT_LT(larger.at_k(k).loss, larger.at_k(k - 1).loss);
}

TEST(QuickTable, RowsDoNotDependOnHowManyAreAskedForNorOnThreads) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const OwnedProblem problem(wide_data(seed));
    const SupportTable table = best_supports(*problem, {.effort = Effort::quick});
    SupportTable some = best_supports(*problem, {.max_k = 7, .effort = Effort::quick});
    ASSERT_EQ(some.max_k(), 7);
    EXPECT_EQ(some.at_k(5).lambda_min, table.at_k(5).lambda_min);
    SupportTable first = table;
    first.rows.resize(8);
    expect_same(some, first);
    SupportTable more = best_supports(*problem, {.max_k = 60, .effort = Effort::quick});
    EXPECT_GT(more.max_k(), table.max_k());
    more.rows.resize(table.rows.size());
    expect_same(more, table);
    expect_same(table,
                best_supports(*problem, {.effort = Effort::quick, .control = {.threads = 3}}));
  }
}

TEST(QuickTable, AStorageIsAsGoodAsAnother) {
  Data data = random_data(7, {.n = 80, .p = kMany, .k = 4, .rho = 0, .zeros = 0.7});
  for (const Storage storage : kAllStorages) {
    const OwnedProblem dense(held_by(storage, data)), problem(data, storage);
    const SupportTable expected = best_supports(*dense, {.effort = Effort::quick});
    const SupportTable table = best_supports(*problem, {.effort = Effort::quick});
    for (Index k = 0; k <= 10; ++k)
      EXPECT_EQ(table.at_k(k).support, expected.at_k(k).support) << to_string(storage);
  }
}

TEST(QuickTable, ConstantAndCopiedColumnsDoNotDisturb) {
  Data data = wide_data(2);
  for (Index j = 0; j < kMany; j += 3) data.X.col(j).setConstant(2);
  for (Index j = 1; j + 1 < kMany; j += 3) data.X.col(j + 1) = 3 * data.X.col(j);
  const OwnedProblem problem(data);
  const SupportTable table = best_supports(*problem, {.effort = Effort::quick});
  EXPECT_EQ(table.status, Status::unchecked);
  EXPECT_GE(table.max_k(), 30);
  Data constant = data;
  constant.X.setConstant(1);
  EXPECT_EQ(best_supports(*OwnedProblem(constant), {.effort = Effort::quick}).max_k(), 0);
}

// The columns nearest to y are all the same one: what matters beside it is found all the same.
TEST(QuickTable, ManyCopiesDoNotFillTheList) {
  Rng rng(4);
  Data data = random_data(4, {.n = 100, .p = kMany, .k = 0, .rho = 0});
  for (Index j = 1; j < 200; ++j) data.X.col(j) = (1.0 + static_cast<double>(j)) * data.X.col(0);
  data.y = 3 * data.X.col(0) + data.X.col(700) - data.X.col(900);
  for (double& value : data.y) value += 0.3 * rng.normal();
  const SupportTable table = best_supports(*OwnedProblem(data), {.effort = Effort::quick});
  ASSERT_GE(table.max_k(), 40);
  EXPECT_EQ(table.at_k(3).support, (std::vector<Index>{0, 700, 900}));
}

// Twelve columns matter most, and their many duplicates leave no room for others on the list.
// Larger sizes come from all columns, and no row depends on how many are asked for.
TEST(QuickTable, AListFullOfDuplicatesStillGivesEverySize) {
  constexpr Index kDistinct = 12, kOthers = 60, kSmall = 8;
  Rng rng(5);
  Data data = random_data(5, {.n = 100, .p = kMany, .k = 0, .rho = 0});
  for (Index j = kDistinct; j < kMany - kOthers; ++j)
    data.X.col(j) = (1.0 + static_cast<double>(j)) * data.X.col(j % kDistinct);
  data.y.setZero();
  std::vector<Index> truth;
  for (Index j = 0; j < kDistinct; ++j) {
    data.y += (20.0 - static_cast<double>(j)) * data.X.col(j);
    truth.push_back(j);
  }
  for (Index j = kMany - kSmall; j < kMany; ++j) {
    data.y += 0.3 * data.X.col(j);
    truth.push_back(j);
  }
  for (double& value : data.y) value += 0.05 * rng.normal();
  const OwnedProblem problem(data);
  const Moments moments(problem);
  const Index standard = default_max_k(moments);
  const std::vector<Index> list = short_list(moments, standard, Budget({}));
  ASSERT_LT(*std::max_element(list.begin(), list.end()), kMany - kOthers);
  const SupportTable table = best_supports(*problem, {.effort = Effort::quick});
  EXPECT_EQ(table.status, Status::unchecked);
  ASSERT_EQ(table.max_k(), standard);
  for (Index k = 1; k <= standard; ++k) EXPECT_LT(table.at_k(k).loss, table.at_k(k - 1).loss);
  EXPECT_EQ(table.at_k(kDistinct + kSmall).support, truth);
  for (const Index asked : {Index{2}, kDistinct + 1, standard + 5}) {
    const SupportTable some = best_supports(*problem, {.max_k = asked, .effort = Effort::quick});
    ASSERT_EQ(some.max_k(), asked);
    for (Index k = 0; k <= std::min(asked, standard); ++k) {
      EXPECT_EQ(some.at_k(k).support, table.at_k(k).support) << asked;
      EXPECT_EQ(some.at_k(k).loss, table.at_k(k).loss) << asked;
    }
  }
}

TEST(QuickTable, AConstantTargetHasNoColumns) {
  Data data = wide_data(2);
  data.y.setConstant(3);
  data.intercept = true;
  const SupportTable table = best_supports(*OwnedProblem(data), {.effort = Effort::quick});
  EXPECT_EQ(table.max_k(), 0);
  EXPECT_EQ(table.at_k(0).loss, 0);
}

TEST(QuickTable, RowsOfWeightZeroHaveNoPart) {
  Data data = wide_data(1, 100), without = data;
  data.w = Vector::Ones(100);
  std::vector<Index> kept;
  for (Index i = 0; i < 100; ++i) {
    if (i % 5 != 0) kept.push_back(i);
    if (i % 5 == 0) data.w[i] = 0, data.X.row(i) *= 1e200;
  }
  const SupportTable table = best_supports(*OwnedProblem(data), {.effort = Effort::quick});
  const SupportTable expected =
      best_supports(*OwnedProblem(without.rows(kept)), {.effort = Effort::quick});
  ASSERT_EQ(table.max_k(), expected.max_k());
  for (Index k = 0; k <= 10; ++k) EXPECT_EQ(table.at_k(k).support, expected.at_k(k).support);
}

TEST(QuickTable, StopsInTime) {
  const OwnedProblem problem(wide_data(1));
  const Moments moments(problem);
  const SupportTable late =
      best_supports(moments, {.effort = Effort::quick, .control = {.time_limit = 0}});
  EXPECT_EQ(late.status, Status::time_limit);
  EXPECT_EQ(late.max_k(), 0);
  int calls = 0;
  const SupportTable stopped = best_supports(
      moments, {.effort = Effort::quick, .control = {.keep_going = [&] { return ++calls < 40; }}});
  EXPECT_EQ(stopped.status, Status::interrupted);
  for (const TableRow& row : stopped.rows) {
    const double unit = moments.target_scale() * moments.target_scale();
    EXPECT_NEAR(fit_support(moments, row.support).loss * unit, row.loss, 1e-9 * late.at_k(0).loss);
  }
}

// Many true columns, few rows, unit coefficients: swaps among a short list end far from the best.
Data hard_data(std::uint64_t seed) {
  const Simulated hard = simulate({.n = 150,
                                   .p = 1200,
                                   .k = 20,
                                   .rho = 0.3,
                                   .snr = 50,
                                   .seed = seed,
                                   .correlation = Correlation::ar1,
                                   .coefficients = TrueCoefficients::unit});
  Data data;
  data.X = hard.X;
  data.y = hard.y;
  return data;
}

TEST(QuickTable, LongListsFindTheTrueColumnsWhereRowsAreFew) {
  int found = 0;
  for (std::uint64_t seed = 101; seed <= 106; ++seed) {
    const OwnedProblem problem(hard_data(seed));
    const Moments moments(problem);
    const SupportTable quick = best_supports(moments, {.effort = Effort::quick});
    EXPECT_EQ(quick.status, Status::unchecked);
    EXPECT_FALSE(quick.larger_moves.sizes.empty());
    found += quick.at_k(20).support == best_supports(moments).at_k(20).support ? 1 : 0;
    for (Index k = 1; k <= quick.max_k(); ++k) {
      EXPECT_LT(quick.at_k(k).loss, quick.at_k(k - 1).loss);
      EXPECT_FALSE(quick.at_k(k).swap_optimal);
    }
  }
  EXPECT_GE(found, 5);
}

TEST(QuickTable, RowsOfALongListDoNotDependOnHowManyAreAskedFor) {
  const OwnedProblem problem(hard_data(103));
  const Moments moments(problem);
  const SupportTable standard = best_supports(moments, {.effort = Effort::quick});
  ASSERT_FALSE(standard.larger_moves.sizes.empty());
  for (const Index max_k : {15, 90}) {
    const SupportTable table = best_supports(moments, {.max_k = max_k, .effort = Effort::quick});
    ASSERT_EQ(table.max_k(), max_k);
    for (Index k = 0; k <= std::min(max_k, standard.max_k()); ++k)
      EXPECT_EQ(table.at_k(k).support, standard.at_k(k).support) << k;
  }
}

// Whenever it is stopped, the rows are valid, and what the short list has found is not lost.
TEST(QuickTable, AStopDuringALongListKeepsTheRows) {
  constexpr int kShortListChecks = 300;  // after these many its table is there
  const OwnedProblem problem(hard_data(103));
  const Moments moments(problem);
  int in_long_list = 0;
  for (int calls = 20;; calls += 60) {
    std::atomic<int> left = calls;
    TableOptions options{.effort = Effort::quick};
    options.control.keep_going = [&] { return --left > 0; };
    const SupportTable table = best_supports(moments, options);
    if (table.status == Status::unchecked) break;
    SCOPED_TRACE(::testing::Message() << "stopped after " << calls << " checks");
    ASSERT_EQ(table.status, Status::interrupted);
    for (Index k = 1; k <= table.max_k(); ++k)
      EXPECT_LT(table.at_k(k).loss, table.at_k(k - 1).loss);
    if (calls < kShortListChecks) continue;
    ++in_long_list;
    EXPECT_EQ(table.max_k(), default_max_k(moments));
  }
  EXPECT_GT(in_long_list, 5);
}

}  // namespace
}  // namespace lass0::testing
