// The fold of a row follows from its number and the seed alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "util/row_folds.hpp"

namespace lass0 {
namespace {

std::vector<Index> folds_of_rows(std::uint64_t seed, Index folds, Index rows) {
  RowFolds of_row(seed, folds);
  std::vector<Index> all;
  for (Index i = 0; i < rows; ++i) all.push_back(of_row.of(i));
  return all;
}

TEST(RowFolds, EveryBlockOfRowsHasEveryFoldOnce) {
  for (const Index folds : {2, 3, 10, 17}) {
    const std::vector<Index> all = folds_of_rows(7, folds, 20 * folds);
    for (auto block = all.begin(); block != all.end(); block += folds) {
      const std::set<Index> distinct(block, block + folds);
      EXPECT_EQ(std::ssize(distinct), folds);
      EXPECT_EQ(*distinct.begin(), 0);
      EXPECT_EQ(*distinct.rbegin(), folds - 1);
    }
  }
}

TEST(RowFolds, DoNotDependOnWhereReadingBegins) {
  const std::vector<Index> all = folds_of_rows(3, 10, 100);
  EXPECT_NE(all, folds_of_rows(4, 10, 100));
  for (const Index first : {0, 1, 9, 10, 57}) {
    RowFolds of_row(3, 10);
    for (Index i = first; i < 100; ++i) EXPECT_EQ(of_row.of(i), all[static_cast<std::size_t>(i)]);
  }
  RowFolds backwards(3, 10);
  for (Index i = 99; i >= 0; --i) EXPECT_EQ(backwards.of(i), all[static_cast<std::size_t>(i)]);
}

// Of the 6 orders of three folds each comes about equally often, and neighbouring blocks are
// independent: chi-squared with 35 degrees of freedom is above 75 in one of 10,000 cases.
TEST(RowFolds, AllPairsOfOrdersAreEquallyLikely) {
  constexpr Index kBlocks = 36000;
  const std::vector<Index> all = folds_of_rows(11, 3, 3 * kBlocks);
  std::map<std::vector<Index>, double> pairs;
  for (Index block = 0; block < kBlocks; block += 2)
    ++pairs[std::vector<Index>(all.begin() + 3 * block, all.begin() + 3 * block + 6)];
  EXPECT_EQ(pairs.size(), 36u);
  const double expected = kBlocks / 2.0 / 36;
  double chi_squared = 0;
  for (const auto& [orders, count] : pairs)
    chi_squared += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_squared, 75);
}

}  // namespace
}  // namespace lass0
