// Which sizes a full search looks at after cross-validation has chosen.
#include <gtest/gtest.h>

#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <numeric>

#include "search/table/envelope.hpp"
#include "select/sizes_that_matter.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

// Losses that fall at random, by ever less on the whole.
SupportTable random_table(Rng& rng) {
  SupportTable table;
  double loss = 100;
  for (Index k = 0; k <= 20; ++k) {
    std::vector<Index> support(static_cast<std::size_t>(k));
    std::iota(support.begin(), support.end(), 0);
    table.rows.push_back({.support = support, .loss = loss});
    loss -= loss * (0.01 + 0.3 * rng.uniform() / static_cast<double>(k + 1));
  }
  find_lambda_ranges(table.rows);
  return table;
}

double objective(const SupportTable& table, double lambda, Index k) {
  return 0.5 * table.at_k(k).loss + lambda * static_cast<double>(k);
}

TEST(SizesThatMatter, AreAllThatAFewColumnsWorthOfLossWouldMakeTheBest) {
  Rng rng(4);
  int shorter = 0;
  for (int problem = 0; problem < 500; ++problem) {
    const SupportTable table = random_table(rng);
    const double lambda = 0.1 + 5 * rng.uniform();
    const Index last = last_size_that_matters(table, {.lambda = lambda});
    const Index chosen = std::ssize(table.at_lambda(lambda).support);
    ASSERT_LE(last, table.max_k());
    EXPECT_TRUE(last > chosen || last == table.max_k());
    for (Index k = last + 1; k <= table.max_k(); ++k)
      EXPECT_GT(objective(table, lambda, k), objective(table, lambda, chosen) + 3 * lambda);
    // The chosen size ends where the next one begins, and that is searched, too.
    const double lowest = *table.at_k(chosen).lambda_min;
    for (Index k = last + 1; k <= table.max_k(); ++k)
      EXPECT_GE(objective(table, lowest, k), objective(table, lowest, chosen) - 1e-9);
    shorter += last < table.max_k() ? 1 : 0;
  }
  EXPECT_GT(shorter, 50);
}

TEST(SizesThatMatter, OfAChosenSizeAreAFewMore) {
  Rng rng(4);
  const SupportTable table = random_table(rng);
  EXPECT_EQ(last_size_that_matters(table, {.k = 3}), 5);
  EXPECT_EQ(last_size_that_matters(table, {.k = 12}), 15);
  EXPECT_EQ(last_size_that_matters(table, {.k = 20}), 20);
}

TEST(SizesThatMatter, DecideUnlessALargerOneIsSelectedOrChangesTheLambdas) {
  SupportTable quick;
  for (const double loss : {100.0, 60.0, 40.0, 30.0, 29.0, 28.5})
    quick.rows.push_back({.support = std::vector<Index>(quick.rows.size()), .loss = loss});
  find_lambda_ranges(quick.rows);
  SupportTable searched = quick;
  searched.rows.resize(5);
  find_lambda_ranges(searched.rows);
  EXPECT_TRUE(decides(searched, quick, {.lambda = 2}));     // 3 columns
  EXPECT_FALSE(decides(searched, quick, {.lambda = 0.1}));  // the last size searched
  EXPECT_TRUE(decides(searched, quick, {.k = 3}));
  EXPECT_FALSE(decides(searched, quick, {.k = 4}));
  quick.rows[5].loss = 20;  // now 5 columns follow on 3
  EXPECT_FALSE(decides(searched, quick, {.lambda = 4.6}));
  searched.separated_by = {1};
  EXPECT_FALSE(decides(searched, quick, {.k = 2}));
}

TEST(SizesThatMatter, GiveTheModelThatAllSizesGive) {
  int shorter = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Rng rng(seed);
    const LogisticData data = random_logistic({.n = 200, .p = seed == 8 ? 300 : 25, .k = 4}, rng);
    const DenseDesign design(data.data.X);
    const Problem problem = problem_of(data, design);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidateOptions some{.folds = 5, .tune = tune, .max_k = 20, .tune_ridge = false};
      CrossValidateOptions all = some;
      all.models = true;
      const CrossValidation one = cross_validate(problem, some);
      const CrossValidation other = cross_validate(problem, all);
      ASSERT_EQ(other.table.max_k(), std::ssize(other.models.models) - 1);
      EXPECT_FALSE(other.sizes_left_out);
      EXPECT_EQ(one.chosen, other.chosen);
      ASSERT_EQ(one.curve.size(), other.curve.size());
      for (std::size_t i = 0; i < one.curve.size(); ++i) {
        // The first point may move up to where the full table has no column.
        if (i > 0) {
          EXPECT_EQ(one.curve[i].lambda, other.curve[i].lambda);
        }
        EXPECT_EQ(one.curve[i].mean_error, other.curve[i].mean_error);
      }
      EXPECT_EQ(one.model().at.support, other.model().at.support) << "seed " << seed;
      EXPECT_EQ(one.sizes_left_out, one.table.max_k() < other.table.max_k());
      shorter += one.sizes_left_out ? 1 : 0;
    }
  }
  EXPECT_GT(shorter, 8);
}

// With few columns chosen every add, remove and swap is fitted: of all columns, not of a list.
TEST(SizesThatMatter, AreLocallyOptimalAmongAllColumnsWhereTheySaySo) {
  Rng rng(21);
  const LogisticData data = random_logistic({.n = 200, .p = 500, .k = 2, .signal = 2}, rng);
  const DenseDesign design(data.data.X);
  const Problem problem = problem_of(data, design);
  const CrossValidation cv =
      cross_validate(problem, {.folds = 4, .tune = Tune::k, .max_k = 20, .tune_ridge = false});
  ASSERT_TRUE(cv.sizes_left_out);
  ASSERT_EQ(cv.fit.status, Status::local_optimum);
  const std::vector<Index>& support = cv.model().at.support;
  ASSERT_GE(support.size(), 1u);
  const auto own = logistic_by_definition(data, support);
  ASSERT_TRUE(own);
  for (const Index member : support) {
    for (Index j = 0; j < 500; ++j) {
      std::vector<Index> swapped = support;
      std::erase(swapped, member);
      if (std::find(support.begin(), support.end(), j) != support.end()) continue;
      swapped.insert(std::lower_bound(swapped.begin(), swapped.end(), j), j);
      const auto fit = logistic_by_definition(data, swapped);
      ASSERT_TRUE(fit);
      EXPECT_GE(fit->loss, own->loss * (1 - 1e-9)) << j << " for " << member;
    }
  }
}

// Wherever it is stopped, cross-validation says so or has its answer, and never ends otherwise.
TEST(SizesThatMatter, OfAStoppedRunAreNoError) {
  Rng rng(22);
  const LogisticData data = random_logistic({.n = 120, .p = 12, .k = 2}, rng);
  const DenseDesign design(data.data.X);
  const Problem problem = problem_of(data, design);
  const auto stopped_after = [&](int calls, bool models) {
    int left = calls;
    CrossValidateOptions options{.folds = 3, .models = models, .tune_ridge = false};
    options.control.keep_going = [&] { return --left > 0; };
    options.control.threads = 1;
    try {
      const CrossValidation cv = cross_validate(problem, options);
      EXPECT_EQ(stopped(cv.status) || stopped(cv.fit.status), left <= 0) << calls;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("interrupted"), std::string::npos) << error.what();
    }
    return left <= 0;
  };
  for (const bool models : {false, true}) {
    int calls = 1;
    while (stopped_after(calls, models)) calls += calls < 30 ? 1 : calls / 16;
    EXPECT_GT(calls, 100);
    // The last calls are those of the search in full.
    for (int last = calls; last > calls - 60; --last) stopped_after(last, models);
  }
}

}  // namespace
}  // namespace lass0::testing
