// Which rows are held out together.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <map>
#include <set>

#include "select/batches.hpp"
#include "select/fold_error.hpp"
#include "select/folds.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

Data some_data(Index n, WeightKind weights = WeightKind::none) {
  return random_data(1, {.n = n, .p = 2, .weights = weights});
}

// Of the rows of positive weight.
std::vector<Index> sizes(const Partition& partition, const Data& data) {
  std::vector<Index> count(static_cast<std::size_t>(partition.folds), 0);
  for (Index i = 0; i < data.n(); ++i)
    if (data.weight(i) > 0) ++count[static_cast<std::size_t>(partition.labels[i])];
  return count;
}

TEST(Folds, RandomOnesDifferInSizeByOneAtTheMost) {
  for (const Index n : {2, 3, 10, 37, 100}) {
    for (const WeightKind weights : {WeightKind::none, WeightKind::reals}) {
      const OwnedProblem problem(some_data(n, weights));
      const Index used = rows_used(problem);
      for (Index folds = 2; folds <= std::min<Index>(used, 11); ++folds) {
        const auto partitions = make_partitions(problem, {.folds = folds, .seed = 5});
        ASSERT_EQ(partitions.size(), 1u);
        const auto count = sizes(partitions.front(), problem.data());
        EXPECT_EQ(std::ssize(count), folds);
        const auto [least, most] = std::minmax_element(count.begin(), count.end());
        EXPECT_LE(*most - *least, 1);
        EXPECT_GE(*least, 1);
      }
    }
  }
}

TEST(Folds, FollowFromTheSeedAndRowsOfWeight0TakeNoPart) {
  const OwnedProblem problem(some_data(40));
  const auto labels = [&](std::uint64_t seed) {
    return make_partitions(problem, {.folds = 5, .seed = seed}).front().labels;
  };
  EXPECT_EQ(labels(1), labels(1));
  EXPECT_NE(labels(1), labels(2));

  Data with_zeros = problem.data();  // the same rows between others that don't count
  with_zeros = with_zeros.rows({0, 0, 1, 2, 3, 4, 5, 6, 6, 7});
  with_zeros.w = Vector::Ones(10);
  with_zeros.w[1] = with_zeros.w[8] = 0;
  const OwnedProblem padded(with_zeros), plain(problem.data().rows({0, 1, 2, 3, 4, 5, 6, 7}));
  auto thinned = make_partitions(padded, {.folds = 3}).front().labels;
  thinned.erase(thinned.begin() + 8);
  thinned.erase(thinned.begin() + 1);
  EXPECT_EQ(thinned, make_partitions(plain, {.folds = 3}).front().labels);
}

TEST(Folds, RepeatsAreDifferentPartitions) {
  const OwnedProblem problem(some_data(30));
  const auto partitions = make_partitions(problem, {.folds = 3, .repeats = 4});
  ASSERT_EQ(partitions.size(), 4u);
  std::set<std::vector<int>> distinct;
  for (const Partition& partition : partitions) distinct.insert(partition.labels);
  EXPECT_EQ(distinct.size(), 4u);
  EXPECT_EQ(partitions.front().labels, make_partitions(problem, {.folds = 3}).front().labels);
}

TEST(Folds, BlocksAreConsecutiveRows) {
  const OwnedProblem problem(some_data(23));
  const auto partition = make_partitions(problem, {.folds = 5, .blocks = true}).front();
  EXPECT_TRUE(std::is_sorted(partition.labels.begin(), partition.labels.end()));
  const auto count = sizes(partition, problem.data());
  EXPECT_EQ(*std::max_element(count.begin(), count.end()), 5);
  EXPECT_EQ(*std::min_element(count.begin(), count.end()), 4);
}

TEST(Folds, GroupsAreNeverSplitAndAreBalanced) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Rng rng(seed);
    const Index n = rng.between(20, 80), most = rng.between(4, 15);
    const OwnedProblem problem(some_data(n, seed % 2 ? WeightKind::none : WeightKind::integers));
    std::vector<int> groups;
    std::map<int, double> size;
    for (Index i = 0; i < n; ++i) {
      groups.push_back(static_cast<int>(rng.below(most)) * 7 - 20);
      if (problem.data().weight(i) > 0) size[groups.back()] += problem.data().weight(i);
    }
    const Index folds = rng.between(2, std::min<Index>(4, std::ssize(size)));
    const auto partition =
        make_partitions(problem, {.folds = folds, .groups = groups, .seed = seed}).front();
    std::map<int, int> fold_of;
    std::vector<double> filled(static_cast<std::size_t>(folds), 0.0);
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      if (problem.data().weight(i) == 0) continue;
      const auto [known, fresh] = fold_of.try_emplace(groups[i], partition.labels[i]);
      EXPECT_EQ(known->second, partition.labels[i]) << "group " << groups[i] << " is split";
      filled[static_cast<std::size_t>(partition.labels[i])] += problem.data().weight(i);
    }
    for (const auto& [label, weight] : size) largest = std::max(largest, weight);
    const auto [least, fullest] = std::minmax_element(filled.begin(), filled.end());
    EXPECT_GT(*least, 0);
    EXPECT_LE(*fullest - *least, largest);  // what filling the least full one guarantees
  }
}

TEST(Folds, LabelsAreTheFolds) {
  const OwnedProblem problem(some_data(6));
  const std::vector<int> labels = {30, -4, 30, 7, -4, 7};
  const auto partition = make_partitions(problem, {.fold_labels = labels}).front();
  EXPECT_EQ(partition.folds, 3);
  EXPECT_EQ(partition.labels, (std::vector<int>{2, 0, 2, 1, 0, 1}));
}

TEST(Folds, ALabelOfRowsOfWeight0AloneIsNoFold) {
  Data data = some_data(6);
  data.w = (Vector(6) << 1, 1, 0, 1, 2, 0).finished();
  const OwnedProblem problem(data);
  const std::vector<int> labels = {1, 2, 0, 1, 2, 1};
  const auto partition = make_partitions(problem, {.fold_labels = labels}).front();
  EXPECT_EQ(partition.folds, 2);
  EXPECT_EQ(sizes(partition, data), (std::vector<Index>{2, 2}));
}

TEST(Folds, LeaveOneOutIsOneFoldARowOrGroup) {
  const OwnedProblem problem(some_data(5));
  const std::vector<int> each = {0, 1, 2, 3, 4}, groups = {2, 2, 9, 9, 2};
  EXPECT_EQ(make_partitions(problem, {.folds = kLeaveOneOut}).front().labels, each);
  EXPECT_EQ(make_partitions(problem, {.folds = 5, .seed = 9}).front().labels, each);
  EXPECT_EQ(make_partitions(problem, {.folds = kLeaveOneOut, .groups = groups}).front().labels,
            (std::vector<int>{0, 0, 1, 1, 0}));
}

TEST(Folds, WhatCanNotBeMadeIsRefused) {
  const OwnedProblem problem(some_data(5));
  const std::vector<int> same(5, 3), short_list(4, 1), groups = {1, 1, 2, 2, 2};
  const auto refused = [&](const CrossValidateOptions& options) {
    EXPECT_THROW(make_partitions(problem, options), Error);
  };
  refused({.folds = 1});
  refused({.folds = 0});
  refused({.folds = 6});
  refused({.folds = 3, .groups = groups});
  refused({.fold_labels = same});
  refused({.fold_labels = short_list});
  refused({.folds = 2, .groups = short_list});
  refused({.folds = 2, .blocks = true, .groups = groups});
  refused({.folds = 2, .blocks = true, .repeats = 2});
  refused({.folds = 5, .repeats = 2});
  refused({.folds = 2, .repeats = 0});
  const OwnedProblem one(some_data(1));
  EXPECT_THROW(make_partitions(one, {.folds = kLeaveOneOut}), Error);
}

TEST(Batches, HoldEachFoldOnce) {
  const OwnedProblem problem(some_data(50));
  const auto partitions = make_partitions(problem, {.folds = kLeaveOneOut});
  EXPECT_EQ(make_batches(partitions, 10).size(), 1u);
  const auto batches = make_batches(partitions, 1000000);
  ASSERT_EQ(batches.size(), 3u);
  std::vector<int> seen(50, 0);
  for (const Batch& batch : batches) {
    for (Index i = 0; i < 50; ++i) {
      if (batch.labels[i] == batch.folds) continue;
      EXPECT_EQ(batch.first + batch.labels[i], i);
      ++seen[static_cast<std::size_t>(i)];
    }
  }
  EXPECT_EQ(seen, std::vector<int>(50, 1));
  EXPECT_EQ(make_batches(make_partitions(problem, {.folds = 10, .repeats = 3}), 1000000).size(),
            3u);
}

TEST(Batches, ATrainingSetIsTheSameInAnyBatch) {
  Data data = random_data(6, {.n = 50, .p = 5, .rho = 0.4});
  data.ridge = 2;
  data.include = {4};
  const OwnedProblem problem(data);
  const auto partitions = make_partitions(problem, {.folds = kLeaveOneOut});
  const std::vector<int>& labels = partitions.front().labels;
  const Moments whole(problem, {.folds = labels});
  const std::vector<Index> support = {0, 3};
  for (const Batch& batch : make_batches(partitions, 1000000)) {
    const Moments part(problem, {.folds = batch.labels});
    for (Index f = 0; f < batch.folds; ++f) {
      const Index number = batch.first + f;
      const TrainingSet all{solver_by_sums(whole.without_fold(number)), labels, number};
      const TrainingSet some{solver_by_sums(part.without_fold(f)), batch.labels, f};
      const double expected = squared_errors(all)->of({support});
      EXPECT_NEAR(squared_errors(some)->of({support}), expected, 1e-10);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
