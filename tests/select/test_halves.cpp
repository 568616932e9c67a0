// Random halves: pairs without a common row, and moments that are those of the rows of the half
// alone, by whichever way they were computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/support_table.hpp>

#include "select/halves.hpp"
#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

// Moments of the same rows of another problem: the same numbers in the user's units.
void expect_same_moments(const Moments& found, const Moments& expected, double tolerance) {
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_EQ(found.rows(), expected.rows());
  EXPECT_NEAR(found.weight(), expected.weight(), 1e-12 * expected.weight());
  EXPECT_EQ(found.included(), expected.included());
  const auto unit = [](const Moments& m) { return m.target_scale() * m.target_scale(); };
  EXPECT_NEAR(found.yty() * unit(found), expected.yty() * unit(expected),
              tolerance * expected.target_square() * unit(expected));
  const Index p = found.cols();
  std::vector<Index> all(static_cast<std::size_t>(p));
  for (Index j = 0; j < p; ++j) all[static_cast<std::size_t>(j)] = j;
  Matrix G(p, p), H(p, p);
  found.gram_columns(all, G);
  expected.gram_columns(all, H);
  for (Index j = 0; j < p; ++j) {
    ASSERT_EQ(found.constant(j), expected.constant(j)) << j;
    if (!expected.eligible(j)) continue;
    for (Index i = 0; i < p; ++i) {
      if (!expected.eligible(i)) continue;
      // In units of the norms before included columns were projected out.
      const auto entry = [&](const Moments& m, const Matrix& from) {
        return from(i, j) / std::sqrt(m.squares()[i] * m.squares()[j]);
      };
      EXPECT_NEAR(entry(found, G), entry(expected, H), tolerance) << i << ", " << j;
    }
    const auto product = [&](const Moments& m) {
      return m.xty()[j] / std::sqrt(m.squares()[j] * m.target_square());
    };
    EXPECT_NEAR(product(found), product(expected), tolerance) << j;
  }
}

Data data_for_halves(std::uint64_t seed, Index n) {
  ProblemSpec spec = random_spec(seed, 8);
  spec.n = n;
  return with_random_extras(seed, random_data(seed, spec));
}

TEST(Halves, OfAPairHaveHalfOfTheRowsEachAndNoneInCommon) {
  for (const Index n : {4, 5, 37, 100, 2000, 2001, 2501}) {
    Data data = random_data(1, {.n = n, .p = 3});
    const OwnedProblem problem(data);
    const Halves halves(problem, 5, 3, Budget({}));
    for (Index pair = 0; pair < 5; ++pair) {
      std::vector<Index> both = halves.rows(pair, 0), other = halves.rows(pair, 1);
      if (n <= Halves::kRowsApart) {
        EXPECT_EQ(std::ssize(both), n / 2);
        EXPECT_EQ(std::ssize(other), n / 2);
      } else {
        EXPECT_NEAR(static_cast<double>(both.size()), 0.5 * double(n), 0.02 * double(n));
        EXPECT_EQ(std::ssize(both) + std::ssize(other), n);
      }
      EXPECT_TRUE(std::is_sorted(both.begin(), both.end()));
      both.insert(both.end(), other.begin(), other.end());
      std::sort(both.begin(), both.end());
      EXPECT_EQ(std::adjacent_find(both.begin(), both.end()), both.end());
    }
    if (n > 5) {
      EXPECT_NE(halves.rows(0, 0), halves.rows(1, 0));
    }
  }
}

// Both by which way, and how many folds: they must fit into what Moments keep in full.
TEST(Halves, AreOfFoldsWhereRowsAreManyAndColumnsFew) {
  for (Index p = 0; p <= 1024; ++p) {
    const Index folds = Halves::small_folds(p);
    EXPECT_EQ(folds % 2, 0);
    EXPECT_GE(folds, 28);
    EXPECT_LE(folds, 100);
    EXPECT_LE(double(p) * double(p) * double(folds + 1), 32e6);
  }
  EXPECT_EQ(Halves::small_folds(550), 100);
  EXPECT_EQ(Halves::small_folds(1025), 0);
  const OwnedProblem few(random_data(1, {.n = 2001, .p = 3})),
      many(random_data(1, {.n = 2001, .p = 1030}));
  EXPECT_TRUE(Halves(few, 1, 1, Budget({})).by_folds());
  const Halves halves(many, 1, 1, Budget({}));
  EXPECT_FALSE(halves.by_folds());
  EXPECT_EQ(halves.rows(0, 0).size(), 1000u);
}

TEST(Halves, IgnoreRowsOfWeightZeroAndNeedFourOthers) {
  Data data = random_data(2, {.n = 20, .p = 3});
  data.w = Vector::Ones(20);
  data.w.head(7).setZero();
  const OwnedProblem problem(data);
  const Halves halves(problem, 9, 1, Budget({}));
  for (Index pair = 0; pair < 9; ++pair)
    for (const int side : {0, 1}) {
      EXPECT_EQ(halves.rows(pair, side).size(), 6u);
      EXPECT_GE(halves.rows(pair, side).front(), 7);
    }
  data.w.head(17).setZero();
  const OwnedProblem few(data);
  EXPECT_THROW(Halves(few, 9, 1, Budget({})), Error);
}

TEST(Halves, AreTheSameForAnyNumberOfPairsAndOthersForAnotherSeed) {
  for (const Index n : {60, 2400}) {
    const OwnedProblem problem(random_data(1, {.n = n, .p = 2}));
    const Halves few(problem, 3, 5, Budget({})), many(problem, 30, 5, Budget({})),
        others(problem, 3, 6, Budget({}));
    for (Index pair = 0; pair < 3; ++pair)
      for (const int side : {0, 1}) {
        EXPECT_EQ(few.rows(pair, side), many.rows(pair, side));
        EXPECT_NE(few.rows(pair, side), others.rows(pair, side));
      }
  }
}

// Every row, and every two rows, are in one half as often as chance has it.
TEST(Halves, TreatAllRowsAlike) {
  constexpr Index kPairs = 1000;
  for (const Index n : {9, 2400}) {
    const OwnedProblem problem(random_data(1, {.n = n, .p = 2}));
    const Halves halves(problem, kPairs, 1, Budget({}));
    std::vector<double> first(static_cast<std::size_t>(n), 0.0);
    for (Index pair = 0; pair < kPairs; ++pair)
      for (const Index i : halves.rows(pair, 0)) ++first[static_cast<std::size_t>(i)];
    const double expected = double(kPairs) * double(n / 2) / double(n);
    for (const double times : first) EXPECT_NEAR(times, expected, 5 * std::sqrt(0.25 * kPairs));
  }
}

TEST(Halves, HaveTheMomentsOfTheirRowsAlone) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    for (const Storage storage : kAllStorages) {
      const Index n = seed % 3 == 0 ? 3500 : 50;
      const OwnedProblem problem(data_for_halves(seed, n), storage);
      // Little memory: no copy of the rows.
      const Budget budget({.memory = seed % 4 == 0 ? 500.0 : 0.0});
      const Halves halves(problem, 3, seed, budget);
      EXPECT_EQ(halves.by_folds(), rows_used(problem) > Halves::kRowsApart);
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << to_string(storage) << ": "
                                        << describe(problem.data()));
      for (const int side : {0, 1}) {
        const Half half(halves, 2, side, budget);
        Data rows = problem.data().rows(halves.rows(2, side));
        double all = 0, here = 0;
        for (Index i = 0; i < n; ++i) all += problem.data().weight(i);
        for (Index i = 0; i < rows.n(); ++i) here += rows.weight(i);
        EXPECT_NEAR(half.share(), here / all, 1e-14);
        rows.ridge *= here / all;
        const OwnedProblem direct(rows);
        expect_same_moments(half.moments(), Moments(direct), 1e-9);
      }
    }
  }
}

// An outlier sets the scale of a column over all rows: the half without it must not notice.
TEST(Halves, ComeFromTheirRowsWhereSumsHaveLostDigits) {
  Data data = random_data(5, {.n = 2200, .p = 4});
  data.X(100, 1) = 1e10;
  const OwnedProblem problem(data);
  const Halves halves(problem, 1, 1, Budget({}));
  ASSERT_TRUE(halves.by_folds());
  int own_rows = 0;
  for (const int side : {0, 1}) {
    const std::vector<Index> rows = halves.rows(0, side);
    const Half half(halves, 0, side, Budget({}));
    EXPECT_EQ(half.own_rows(), !std::binary_search(rows.begin(), rows.end(), 100));
    own_rows += half.own_rows() ? 1 : 0;
    const OwnedProblem direct(data.rows(rows));
    expect_same_moments(half.moments(), Moments(direct), 1e-9);
  }
  EXPECT_EQ(own_rows, 1);
}

// One pass over X makes the sums of all halves.
TEST(Halves, OfManyRowsNeedNoFurtherPassOverThem) {
  const OwnedProblem problem(random_data(5, {.n = 2500, .p = 6}));
  const Halves halves(problem, 10, 1, Budget({}));
  const Index passes = halves.all_rows().gram_use().passes;
  for (Index pair = 0; pair < 10; ++pair)
    for (const int side : {0, 1}) {
      const Half half(halves, pair, side, Budget({}));
      EXPECT_FALSE(half.own_rows());
      best_supports(half.moments());
    }
  EXPECT_EQ(halves.all_rows().gram_use().passes, passes);
}

// A row of weight 2 counts as two rows: in the half that has it.
TEST(Halves, CountARowOfWeightTwoTwice) {
  Data data = random_data(8, {.n = 40, .p = 5});
  data.w = Vector::Ones(40);
  for (Index i = 0; i < 40; i += 3) data.w[i] = 2;
  const OwnedProblem problem(data);
  const Halves halves(problem, 2, 4, Budget({}));
  for (const int side : {0, 1}) {
    std::vector<Index> repeated;
    for (const Index i : halves.rows(1, side))
      repeated.insert(repeated.end(), data.w[i] == 2 ? 2 : 1, i);
    Data rows = data.rows(repeated);
    rows.w.resize(0);
    const OwnedProblem direct(rows);
    const Half half(halves, 1, side, Budget({}));
    const SupportTable found = best_supports(half.moments()), expected = best_supports(direct);
    ASSERT_EQ(found.max_k(), expected.max_k());
    for (Index k = 0; k <= found.max_k(); ++k) {
      EXPECT_EQ(found.at_k(k).support, expected.at_k(k).support);
      EXPECT_NEAR(found.at_k(k).loss, expected.at_k(k).loss, 1e-9 * expected.at_k(0).loss);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
