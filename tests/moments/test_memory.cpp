// Products of columns that find no room are computed again, and nothing else changes.
#include <gtest/gtest.h>

#include <lass0/support_table.hpp>
#include <numeric>

#include "moments/gram_store.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kNoRoom = 1;  // byte
constexpr Index kWide = 280;   // columns: too many for all products at once

Data wide(std::uint64_t seed) {
  return random_data(seed, {.n = 40, .p = kWide, .k = 4, .rho = 0.3, .snr = 3});
}

double bytes_of_columns(Index count) { return static_cast<double>(count) * kWide * sizeof(double); }

void expect_same_columns(const Moments& kept, const Moments& recomputed) {
  std::vector<Index> columns(kWide);
  std::iota(columns.begin(), columns.end(), Index{0});
  std::swap(columns[3], columns[250]);
  columns[7] = columns[30];  // one of them twice
  Matrix a(kWide, kWide), b(kWide, kWide);
  kept.gram_columns(columns, a);
  recomputed.gram_columns(columns, b);
  EXPECT_EQ(a, b);
  kept.gram_block(columns, columns, a);
  recomputed.gram_block(columns, columns, b);
  EXPECT_EQ(a, b);
  Rng rng(1);
  Vector v(kWide), left(kWide), right(kWide);
  for (double& value : v) value = rng.normal();
  kept.gram_times(columns, v, left);
  recomputed.gram_times(columns, v, right);
  EXPECT_EQ(left, right);
}

TEST(Memory, ColumnsHaveTheSameBitsKeptOrNot) {
  for (const int kind : {0, 1, 2, 3}) {
    SCOPED_TRACE(kind);
    Data data = wide(3);
    if (kind & 1) data.ridge = 2;
    if (kind & 2) data.include = {1, 17};
    const OwnedProblem problem(data);
    for (const double room : {kNoRoom, bytes_of_columns(20), bytes_of_columns(400)}) {
      const Moments kept(problem), recomputed(problem, {.control = {.memory = room}});
      expect_same_columns(kept, recomputed);
      EXPECT_EQ(kept.gram_use().plan, GramUse::Plan::cached);
      const GramUse use = recomputed.gram_use();
      EXPECT_LE(use.bytes, room);
      if (room < bytes_of_columns(kWide)) {
        EXPECT_EQ(use.plan, GramUse::Plan::recomputed);
        EXPECT_LT(use.columns, kWide);
        EXPECT_GT(use.passes, kept.gram_use().passes);
      }
    }
  }
}

TEST(Memory, OfATrainingSetTheSame) {
  Data data = wide(4);
  std::vector<int> folds(static_cast<std::size_t>(data.n()));
  for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i % 4);
  const OwnedProblem problem(data);
  const double enough_for_rows = 2.0 * sizeof(double) * static_cast<double>(data.X.size());
  const auto training = [&](double room) {
    return Moments(problem, {.folds = folds, .control = {.memory = room}}).without_fold(2);
  };
  // 4 folds x 280 columns would be computed in full: a limit that rules that out for both.
  const double limit = 2 * enough_for_rows;
  expect_same_columns(training(limit + bytes_of_columns(600)), training(limit));
  // Not even the rows left out are kept.
  Matrix with(kWide, 2), without(kWide, 2);
  const std::vector<Index> two = {5, 200};
  training(limit).gram_columns(two, with);
  training(kNoRoom).gram_columns(two, without);
  EXPECT_LT((with - without).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Memory, TheTableIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const OwnedProblem problem(wide(seed));
    const SupportTable kept = best_supports(problem, {.max_k = 6});
    for (const double room : {kNoRoom, bytes_of_columns(30)}) {
      const SupportTable other = best_supports(problem, {.max_k = 6, .control = {.memory = room}});
      ASSERT_EQ(kept.rows.size(), other.rows.size());
      for (std::size_t k = 0; k < kept.rows.size(); ++k) {
        EXPECT_EQ(kept.rows[k].support, other.rows[k].support);
        EXPECT_EQ(kept.rows[k].loss, other.rows[k].loss);
      }
    }
  }
}

TEST(Memory, FewColumnsAreComputedInFullOnlyWhereThereIsRoom) {
  const OwnedProblem problem(random_data(1, {.n = 50, .p = 20}));
  const auto plan = [&](double room) {
    const Moments moments(problem, {.control = {.memory = room}});
    moments.prefetch(std::vector<Index>{0});
    return moments.gram_use().plan;
  };
  EXPECT_EQ(plan(0), GramUse::Plan::full);
  EXPECT_EQ(plan(20 * 20 * 8 * 2), GramUse::Plan::full);
  EXPECT_EQ(plan(20 * 20 * 8 * 2 - 1), GramUse::Plan::cached);
  EXPECT_EQ(plan(kNoRoom), GramUse::Plan::recomputed);
}

TEST(Memory, RoomIsGivenBack) {
  GramRoom room(1000);
  {
    GramStore store(10, room);
    EXPECT_TRUE(store.reserve(25, 4));
    store.keep(std::vector<Index>{1, 2, 3, 4}, Matrix::Zero(25, 4), true);
    EXPECT_FALSE(store.reserve(25, 4));
    EXPECT_EQ(store.missing(std::vector<Index>{5, 3, 5, 0}), (std::vector<Index>{0, 5}));
  }
  EXPECT_TRUE(room.was_full());
  EXPECT_EQ(room.most_used(), 800);
  EXPECT_TRUE(room.reserve(1000));
}

}  // namespace
}  // namespace lass0::testing
