// The table of a logistic problem: against all supports, and under changes of the data that must
// not change it.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>

#include "glm/glm_table.hpp"
#include "support/logistic_rows.hpp"

namespace lass0::testing {
namespace {

GlmTable table_of(const Problem& problem, GlmTableOptions options, Control control = {}) {
  Problem squares = problem;
  squares.family = Family::gaussian;
  squares.offset = {};
  const Moments base(squares, {.control = {.threads = control.threads}});
  const GlmRows rows(problem, base);
  Panel panel(rows);
  const Budget budget{control};
  return best_glm_supports(panel, options, budget);
}

GlmTable table_of(const LogisticData& logistic, GlmTableOptions options, Control control = {}) {
  const DenseDesign design(logistic.data.X);
  return table_of(problem_of(logistic, design), std::move(options), std::move(control));
}

void expect_same_losses(const GlmTable& one, const GlmTable& other) {
  ASSERT_EQ(one.table.rows.size(), other.table.rows.size());
  for (std::size_t k = 0; k < one.table.rows.size(); ++k)
    EXPECT_NEAR(one.table.rows[k].loss, other.table.rows[k].loss, 1e-8 * one.table.rows[k].loss);
}

// Losses against fits by definition, and the optimum of every size but a few.
void expect_nearly_always_optimal(const std::vector<LogisticData>& problems, int misses) {
  int missed = 0;
  for (const LogisticData& logistic : problems) {
    const auto best = best_by_brute_force(logistic);
    const GlmTable full = table_of(logistic, {.max_k = std::ssize(best) - 1});
    ASSERT_EQ(full.table.rows.size(), best.size());
    EXPECT_EQ(full.table.status, Status::local_optimum);
    for (std::size_t k = 0; k < best.size(); ++k) {
      const TableRow& row = full.table.rows[k];
      EXPECT_TRUE(row.swap_optimal);
      const auto fit = logistic_by_definition(logistic, row.support);
      ASSERT_TRUE(fit);
      EXPECT_NEAR(row.loss, fit->loss, 1e-9 * fit->loss);
      EXPECT_GE(row.loss, best[k].loss * (1 - 1e-9));
      missed += row.loss > best[k].loss * (1 + 1e-9);
    }
  }
  EXPECT_LE(missed, misses);
}

// So many rows that fits share the second derivatives of one of them, and products stand for the
// rows.
TEST(GlmTable, OfVeryManyRowsHasNoBetterSwapBySharedCurvatures) {
  Rng rng(5);
  LogisticData logistic =
      random_logistic({.n = 6500, .p = 200, .k = 6, .rho = 0.5, .signal = 2}, rng);
  const GlmTable full = table_of(logistic, {.max_k = 8});
  const GlmTable quick = table_of(logistic, {.max_k = 8, .effort = Effort::quick});
  ASSERT_EQ(full.table.rows.size(), 9u);
  ASSERT_EQ(quick.table.rows.size(), 9u);
  EXPECT_EQ(full.table.status, Status::second_order_optimum);
  for (std::size_t k = 0; k <= 8; ++k) {
    const auto fit = logistic_by_definition(logistic, full.table.rows[k].support);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(full.table.rows[k].loss, fit->loss, 1e-9 * fit->loss);
    EXPECT_LE(full.table.rows[k].loss, quick.table.rows[k].loss * (1 + 1e-9));
    if (k != 3 && k != 6) continue;
    // No swap for any column is better.
    for (const Index member : full.table.rows[k].support) {
      std::vector<Index> others = full.table.rows[k].support;
      std::erase(others, member);
      others.push_back(0);
      for (Index j = 0; j < 200; j += 13) {
        if (std::binary_search(full.table.rows[k].support.begin(), full.table.rows[k].support.end(),
                               j))
          continue;
        others.back() = j;
        std::vector<Index> sorted = others;
        std::sort(sorted.begin(), sorted.end());
        const auto swapped = logistic_by_definition(logistic, sorted);
        ASSERT_TRUE(swapped);
        EXPECT_GE(swapped->loss, full.table.rows[k].loss * (1 - 1e-9));
      }
    }
  }
}

TEST(GlmTable, IsNearlyAlwaysThatOfAllSupports) {
  Rng rng(1);
  std::vector<LogisticData> problems;
  for (int problem = 0; problem < 8; ++problem)
    problems.push_back(random_logistic({.n = rng.between(80, 150),
                                        .p = rng.between(7, 9),
                                        .rho = rng.uniform(0.3, 0.95),
                                        .signal = rng.uniform(0.5, 2)},
                                       rng));
  expect_nearly_always_optimal(problems, 1);
}

TEST(GlmTable, HasWeightsOffsetAndRidge) {
  Rng rng(2);
  std::vector<LogisticData> problems;
  for (int problem = 0; problem < 8; ++problem)
    problems.push_back(random_logistic({.n = 120,
                                        .p = 7,
                                        .rho = 0.5,
                                        .signal = 1,
                                        .weights = problem % 2 == 1,
                                        .offset = problem % 4 >= 2,
                                        .intercept = problem != 3,
                                        .standardize = problem < 6,
                                        .ridge = problem >= 4 ? 3.0 : 0.0},
                                       rng));
  expect_nearly_always_optimal(problems, 1);
}

TEST(GlmTable, AWeightIsARepeatedRowAndZeroNone) {
  Rng rng(3);
  const LogisticData weighted =
      random_logistic({.n = 150, .p = 20, .signal = 1, .weights = true}, rng);
  LogisticData repeated = weighted;
  std::vector<Index> rows;
  for (Index i = 0; i < weighted.data.n(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(weighted.data.weight(i)), i);
  repeated.data.w.resize(0);
  repeated.data.X = weighted.data.X(rows, Eigen::all);
  repeated.data.y = weighted.data.y(rows);
  expect_same_losses(table_of(weighted, {.max_k = 10}), table_of(repeated, {.max_k = 10}));
}

TEST(GlmTable, DoesNotDependOnTheOrderOfColumnsOrRows) {
  Rng rng(4);
  const LogisticData logistic = random_logistic({.n = 150, .p = 20, .rho = 0.7}, rng);
  LogisticData other = logistic;
  other.data.X = logistic.data.X.rowwise().reverse().colwise().reverse();
  other.data.y = logistic.data.y.reverse();
  expect_same_losses(table_of(logistic, {.max_k = 10}), table_of(other, {.max_k = 10}));
}

TEST(GlmTable, IncludedColumnsAreInEveryModelAndNotCounted) {
  Rng rng(5);
  LogisticData logistic = random_logistic({.n = 120, .p = 8, .rho = 0.6}, rng);
  logistic.data.include = {2, 5};
  const GlmTable table = table_of(logistic, {.max_k = 4});
  ASSERT_EQ(table.table.rows.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned set = 0; set < 256; ++set) {
      if ((set & 36) != 36 || std::popcount(set) != static_cast<int>(k) + 2) continue;
      std::vector<Index> columns;
      for (Index j = 0; j < 8; ++j) {
        if ((set >> j) & 1) columns.push_back(j);
      }
      if (const auto fit = logistic_by_definition(logistic, columns))
        best = std::min(best, fit->loss);
    }
    EXPECT_NEAR(table.table.rows[k].loss, best, 1e-8 * best);
    EXPECT_EQ(std::ssize(table.fits[k].b), static_cast<Index>(k) + 2);
  }
}

TEST(GlmTable, TakesOneOfDuplicateColumnsAndNoConstantOnes) {
  Rng rng(6);
  const LogisticData plain = random_logistic({.n = 120, .p = 6, .signal = 1}, rng);
  LogisticData more = plain;
  more.data.X.resize(120, 13);
  more.data.X << plain.data.X, plain.data.X, Vector::Constant(120, 3.5);
  const GlmTable table = table_of(more, {.max_k = 13});
  expect_same_losses(table_of(plain, {.max_k = 6}), table);
  for (const TableRow& row : table.table.rows) {
    std::set<Index> originals;
    for (const Index j : row.support) {
      EXPECT_LT(j, 12);
      originals.insert(j % 6);
    }
    EXPECT_EQ(originals.size(), row.support.size());
  }
}

TEST(GlmTable, OneColumnAndNoColumn) {
  Rng rng(7);
  LogisticData logistic = random_logistic({.n = 60, .p = 1, .k = 1}, rng);
  EXPECT_EQ(table_of(logistic, {.max_k = 1}).table.rows.size(), 2u);
  EXPECT_EQ(table_of(logistic, {.max_k = 0}).table.rows.size(), 1u);
  logistic.data.X.setConstant(2);
  EXPECT_EQ(table_of(logistic, {.max_k = 1}).table.rows.size(), 1u);
}

TEST(GlmTable, EndsBeforeSeparationAndNamesTheColumns) {
  Rng rng(8);
  for (const bool complete : {true, false}) {
    LogisticData logistic = random_logistic({.n = 100, .p = 6, .signal = 1}, rng);
    // Columns 1 and 4 together tell the classes apart: none of them does alone.
    Vector margin = logistic.data.X.col(1) + logistic.data.X.col(4);
    for (Index i = 0; i < 100; ++i) logistic.data.y[i] = margin[i] > 0;
    if (!complete) {
      // But for two rows of both classes on the border.
      for (const Index i : {3, 7}) logistic.data.X(i, 4) = -logistic.data.X(i, 1);
      logistic.data.y[3] = 0;
      logistic.data.y[7] = 1;
    }
    for (const Effort effort : {Effort::full, Effort::quick}) {
      const GlmTable table = table_of(logistic, {.max_k = 6, .effort = effort});
      EXPECT_EQ(table.table.rows.size(), 2u);
      EXPECT_EQ(table.table.separated_by, (std::vector<Index>{1, 4}));
      ASSERT_TRUE(table.separation);
      EXPECT_EQ(table.separation->support, (std::vector<Index>{1, 4}));
    }
    logistic.data.ridge = 1;  // the way out
    const GlmTable table = table_of(logistic, {.max_k = 6});
    EXPECT_FALSE(table.separation);
    EXPECT_EQ(table.table.rows.size(), 7u);
    for (const GlmFit& fit : table.fits) EXPECT_TRUE(fit.b.allFinite());
  }
}

TEST(GlmTable, ManyColumnsOfWhichOnlyAFewAreLookedAtClosely) {
  Rng rng(9);
  const LogisticData logistic = random_logistic({.n = 200, .p = 400, .rho = 0.3, .signal = 3}, rng);
  const GlmTable full = table_of(logistic, {.max_k = 6});
  const GlmTable quick = table_of(logistic, {.max_k = 6, .effort = Effort::quick});
  EXPECT_EQ(full.table.status, Status::second_order_optimum);
  EXPECT_EQ(quick.table.status, Status::unchecked);
  for (std::size_t k = 0; k < full.table.rows.size() && k < quick.table.rows.size(); ++k) {
    const TableRow& row = full.table.rows[k];
    EXPECT_LE(row.loss, quick.table.rows[k].loss * (1 + 1e-8));
    EXPECT_NEAR(row.loss, logistic_by_definition(logistic, row.support)->loss, 1e-8 * row.loss);
    EXPECT_FALSE(row.swap_optimal);
  }
  // Starts are offered to their rows; fits of quick tables are nearly settled.
  std::vector<std::vector<Index>> starts;
  for (const TableRow& row : full.table.rows) starts.push_back(row.support);
  const GlmTable again =
      table_of(logistic, {.max_k = 6, .effort = Effort::quick, .starts = starts});
  for (std::size_t k = 0; k < full.table.rows.size(); ++k)
    EXPECT_LE(again.table.rows[k].loss, quick.table.rows[k].loss * (1 + 1e-7));
}

TEST(GlmTable, SparseColumnsGiveWhatDenseOnesDo) {
  Rng rng(10);
  LogisticData logistic = random_logistic({.n = 150, .p = 300, .signal = 2}, rng);
  for (double& x : logistic.data.X.reshaped()) x = std::abs(x) > 1 ? x : 0;
  const DenseDesign dense(logistic.data.X);
  Problem problem = problem_of(logistic, dense);
  const GlmTable expected = table_of(problem, {.max_k = 5});
  const OwnedDesign sparse(logistic.data.X, Storage::sparse);
  problem.design = sparse.get();
  expect_same_losses(expected, table_of(problem, {.max_k = 5}));
}

TEST(GlmTable, IsTheSameForAnyNumberOfThreads) {
  Rng rng(11);
  const LogisticData logistic = random_logistic({.n = 150, .p = 600, .signal = 2}, rng);
  const GlmTable one = table_of(logistic, {.max_k = 6}, {.threads = 1});
  const GlmTable three = table_of(logistic, {.max_k = 6}, {.threads = 3});
  ASSERT_EQ(one.table.rows.size(), three.table.rows.size());
  for (std::size_t k = 0; k < one.table.rows.size(); ++k) {
    EXPECT_EQ(one.table.rows[k].support, three.table.rows[k].support);
    EXPECT_EQ(one.table.rows[k].loss, three.table.rows[k].loss);
  }
}

TEST(GlmTable, StoppedAnywhereHasTheBestSoFar) {
  Rng rng(12);
  const LogisticData logistic = random_logistic({.n = 100, .p = 10, .signal = 1}, rng);
  const GlmTable whole = table_of(logistic, {.max_k = 6});
  for (int calls = 1; calls < 400; calls += calls < 20 ? 1 : 37) {
    int left = calls;
    const GlmTable table =
        table_of(logistic, {.max_k = 6}, {.keep_going = [&] { return --left > 0; }});
    ASSERT_GE(table.table.rows.size(), 1u);
    if (left <= 0) {
      EXPECT_EQ(table.table.status, Status::interrupted);
    }
    for (std::size_t k = 0; k < table.table.rows.size(); ++k)
      EXPECT_GE(table.table.rows[k].loss, whole.table.rows[k].loss * (1 - 1e-9));
  }
}

TEST(GlmTable, PanelsAtTwoRidgesShareTheirColumns) {
  Rng rng(14);
  LogisticData logistic = random_logistic({.n = 80, .p = 8, .ridge = 1}, rng);
  const DenseDesign design(logistic.data.X);
  Problem problem = problem_of(logistic, design);
  Problem squares = problem;
  squares.family = Family::gaussian;
  const Moments base(squares), other_base = base.with_ridge(5);
  const GlmRows rows(problem, base);
  problem.ridge = 5;
  const GlmRows other_rows(problem, other_base);
  Panel panel(rows);
  panel.add(std::vector<Index>{4, 1});
  Panel shared(other_rows, panel);
  EXPECT_EQ(shared.columns(), panel.columns());
  EXPECT_EQ(shared.column(4), panel.column(4));
  const Budget budget{Control{}};
  const GlmTable table = best_glm_supports(shared, {.max_k = 8}, budget);
  EXPECT_EQ(panel.columns(), (std::vector<Index>{4, 1}));
  Panel own(other_rows);
  expect_same_losses(table, best_glm_supports(own, {.max_k = 8}, budget));
}

// A ridge tells included columns apart that are the same without it. Then no columns are shared,
// and a quick search from the supports of the other ridge makes a list of its own.
TEST(GlmTable, AQuickSearchAtAnotherRidgeHasAList) {
  Rng rng(15);
  LogisticData logistic = random_logistic({.n = 150, .p = 300, .k = 4, .signal = 2}, rng);
  for (const bool twice : {false, true}) {
    if (twice) logistic.data.X.col(1) = logistic.data.X.col(0);
    logistic.data.include = {0, 1};
    const LogisticRows none(logistic);
    LogisticData with_ridge = logistic;
    with_ridge.data.ridge = 5;
    const LogisticRows other(with_ridge);
    Panel panel(none.rows);
    const Budget budget{Control{}};
    const GlmTable first = best_glm_supports(panel, {.max_k = 10, .effort = Effort::quick}, budget);
    Panel shared(other.rows, panel), own(other.rows);
    EXPECT_EQ(shared.inherited(), !twice);
    const GlmTable found = best_glm_supports(
        shared, {.max_k = 10, .effort = Effort::quick, .starts = {first.table.rows[1].support}},
        budget);
    EXPECT_GT(shared.size(), 100);  // the list
    const GlmTable alone = best_glm_supports(own, {.max_k = 10, .effort = Effort::quick}, budget);
    ASSERT_EQ(found.table.rows.size(), alone.table.rows.size());
    for (std::size_t k = 1; k < 5; ++k)
      EXPECT_NEAR(found.table.rows[k].loss, alone.table.rows[k].loss,
                  0.02 * alone.table.rows[k].loss);
  }
}

// A quick search from supports of all sizes at another ridge moves them, without a search of its
// own: no row is worse than its start, and few are worse than those of a search without starts.
TEST(GlmTable, AQuickSearchAtAnotherRidgeFindsWhatOneWithoutStartsFinds) {
  Rng rng(16);
  int rows = 0, worse = 0;
  for (int problem = 0; problem < 20; ++problem) {
    LogisticData logistic =
        random_logistic({.n = 150, .p = 20, .k = 5, .rho = 0.6, .signal = 2}, rng);
    logistic.data.ridge = 1;
    LogisticData with_ridge = logistic;
    with_ridge.data.ridge = 10;
    const LogisticRows one(logistic), other(with_ridge);
    Panel panel(one.rows), shared(other.rows, panel), own(other.rows);
    const Budget budget{Control{}};
    GlmTableOptions options{.max_k = 12, .effort = Effort::quick};
    const GlmTable alone = best_glm_supports(own, options, budget);
    for (const TableRow& row : best_glm_supports(panel, options, budget).table.rows) {
      if (!row.support.empty()) options.starts.push_back(row.support);
    }
    const GlmTable found = best_glm_supports(shared, options, budget);
    ASSERT_EQ(found.table.rows.size(), 13u);
    ASSERT_EQ(options.starts.size(), 12u);
    for (std::size_t k = 1; k <= 12; ++k) {
      const double loss = found.table.rows[k].loss;
      EXPECT_LE(loss, Newton(own).fit(options.starts[k - 1]).loss * (1 + 1e-6));
      EXPECT_LE(loss, alone.table.rows[k].loss * 1.01);
      worse += loss > alone.table.rows[k].loss * (1 + 1e-6);
      ++rows;
    }
  }
  EXPECT_LE(worse, rows / 10);
}

TEST(GlmTable, HasTheRangesOfLambda) {
  Rng rng(13);
  const GlmTable table = table_of(random_logistic({}, rng), {.max_k = 8});
  const auto& rows = table.table.rows;
  ASSERT_TRUE(rows[0].lambda_min);
  for (double lambda = 0.01; lambda < 100; lambda *= 1.3) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < rows.size(); ++k)
      best = std::min(best, rows[k].loss / 2 + lambda * static_cast<double>(k));
    const TableRow& chosen = table.table.at_lambda(lambda);
    EXPECT_NEAR(chosen.loss / 2 + lambda * static_cast<double>(chosen.support.size()), best,
                1e-9 * best);
  }
}

}  // namespace
}  // namespace lass0::testing
