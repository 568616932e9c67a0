// Products of columns that find no room are computed again, and nothing else changes.
#include <gtest/gtest.h>

#include <atomic>
#include <lass0/support_table.hpp>
#include <numeric>
#include <thread>

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
  for (const Index vectors : {1, 8}) {
    Matrix V(kWide, vectors), left(kWide, vectors), right(kWide, vectors);
    for (double& value : V.reshaped()) value = rng.normal();
    kept.gram_times(columns, V, left);
    recomputed.gram_times(columns, V, right);
    EXPECT_EQ(left, right);
  }
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
  // Not even the held-out rows are kept.
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
  GramRoom room(1000, 0);
  const std::vector<Index> four = {1, 2, 3, 4};
  {
    GramStore store(10, room);
    EXPECT_EQ(store.want(four), four);
    EXPECT_TRUE(store.reserve(25, 4));
    store.keep(four, Matrix::Zero(25, 4));
    EXPECT_EQ(store.want(std::vector<Index>{1, 5, 2, 3, 4, 5, 0}), (std::vector<Index>{0, 5}));
    EXPECT_FALSE(store.reserve(25, 2));  // all that are there are wanted
    EXPECT_EQ(store.count(), 4);
  }
  EXPECT_TRUE(room.was_full());
  EXPECT_EQ(room.most_used(), 800);
  EXPECT_TRUE(room.reserve(1000));
}

TEST(Memory, ColumnsThatWereNotWantedForLongestMakeWay) {
  GramRoom room(1000, 0);
  GramStore store(10, room);
  const std::vector<Index> four = {1, 2, 3, 4}, again = {3}, more = {5, 6};
  store.want(four);
  ASSERT_TRUE(store.reserve(25, 4));
  store.keep(four, Vector::LinSpaced(4, 1, 4).transpose().replicate(25, 1));
  store.want(again);
  store.want(more);
  ASSERT_TRUE(store.reserve(25, 2));
  store.keep(more, Matrix::Constant(25, 2, 5.0));
  EXPECT_EQ(store.count(), 3);
  for (const Index j : {1, 2, 4}) EXPECT_FALSE(store.has(j));
  EXPECT_EQ(store.column(3)[24], 3);
  EXPECT_EQ(store.column(6)[24], 5);
  EXPECT_LE(room.most_used(), 1000);
}

TEST(Memory, NothingMakesWayWhereThatWouldNotDo) {
  GramRoom room(1000, 0);
  GramStore other(10, room), store(10, room);
  const std::vector<Index> one = {1}, more = {5, 6};
  ASSERT_TRUE(other.reserve(25, 4));
  ASSERT_TRUE(store.reserve(25, 1));
  store.keep(one, Matrix::Ones(25, 1));
  store.want(more);
  EXPECT_FALSE(store.reserve(25, 2));
  EXPECT_TRUE(store.has(1));
  other.release(25, 4);
  EXPECT_TRUE(store.reserve(25, 4));
  EXPECT_TRUE(store.has(1));
}

// What never makes way does not count against what is enough for the rest.
TEST(Memory, WhatIsTakenComesOnTop) {
  constexpr double kUnit = 64e6;
  GramRoom room(0, 2 * kUnit);
  room.take(2 * kUnit);
  EXPECT_TRUE(room.reserve(2 * kUnit));
  EXPECT_FALSE(room.reserve(kUnit));
  room.give_back(2 * kUnit);
  room.release(kUnit);
  EXPECT_TRUE(room.reserve(kUnit));
  EXPECT_FALSE(room.reserve(kUnit));
}

// One store may have its share of the room and no more.
TEST(Memory, OthersFindRoomToo) {
  GramRoom room(1000, 0);
  GramStore half(10, room, 0.5), other(10, room);
  EXPECT_TRUE(half.reserve(25, 2));
  EXPECT_FALSE(half.reserve(25, 1));
  EXPECT_TRUE(other.reserve(25, 3));
}

TEST(Memory, ThreadsThatTakeEachOthersRoomGetTheSameBits) {
  std::vector<int> folds(40);
  for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i % 4);
  const OwnedProblem problem(wide(5));
  const double room = bytes_of_columns(40) + 2.0 * sizeof(double) * 40 * kWide;
  const auto moments = [&](double memory) {
    return Moments(problem, {.folds = folds, .control = {.memory = memory}});
  };
  // Not so much that all products would be computed at once.
  const Moments little = moments(room), much = moments(room + bytes_of_columns(600));
  const Moments training = little.without_fold(1), kept = much.without_fold(1);
  Matrix all(kWide, kWide), trained(kWide, kWide);
  std::vector<Index> every(kWide);
  std::iota(every.begin(), every.end(), Index{0});
  much.gram_columns(every, all);
  kept.gram_columns(every, trained);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Rng rng(t);
        for (int round = 0; round < 100; ++round) {
          const std::vector<Index> some = rng.subset(kWide, 1 + rng.below(30));
          const bool fold = rng.chance(0.5);
          Matrix got(kWide, std::ssize(some));
          (fold ? training : little).gram_columns(some, got);
          for (Index l = 0; l < got.cols(); ++l) {
            const Index j = some[static_cast<std::size_t>(l)];
            wrong += got.col(l) == (fold ? trained : all).col(j) ? 0 : 1;
          }
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(little.gram_use().bytes, room);
  EXPECT_EQ(little.gram_use().plan, GramUse::Plan::recomputed);
}

}  // namespace
}  // namespace lass0::testing
