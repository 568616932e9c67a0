// A fit with its table is the fit alone, with the rows that the path has.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/fit_with_table.hpp>
#include <lass0/path.hpp>
#include <lass0/separation_error.hpp>

#include "support/logistic.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// To the last digits, which differ between QR and moments; of fits by rows to fewer, since those
// depend on where they start.
void expect_same(const Iterate& found, const Iterate& expected, Family family = Family::gaussian) {
  const double allowed = family == Family::gaussian ? 1e-14 : 1e-9;
  EXPECT_EQ(found.support, expected.support);
  EXPECT_LE((found.coefficients - expected.coefficients).norm(), allowed);
  EXPECT_LE(std::abs(found.intercept - expected.intercept), allowed);
}

void expect_rows_of_path(const FitWithTable& found, const Problem& problem, Index last) {
  ASSERT_TRUE(found.table);
  const Path all = path(problem, {.max_k = last});
  ASSERT_EQ(found.table->max_k(), all.table.max_k());
  for (std::size_t k = 0; k < all.models.size(); ++k) {
    EXPECT_EQ(found.table->rows[k].support, all.table.rows[k].support);
    expect_same(found.models.models[k], all.models[k], problem.family);
    EXPECT_EQ(found.models.rss[k], all.rss[k]);
  }
}

TEST(FitWithTable, OfASizeIsTheFitAndThePathToThatSize) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem numbers(random_data(seed, ProblemSpec{.n = 60, .p = 9, .k = 3}));
    Rng rng(seed);
    const LogisticData classes = random_logistic({.n = 100, .p = 9, .k = 3}, rng);
    const DenseDesign of_classes(classes.data.X);
    for (const Problem& problem : {*numbers, problem_of(classes, of_classes)}) {
      const FitOptions options{.goal = OfSize{2}};
      const FitWithTable alone = fit_with_table(problem, options);
      expect_same(alone.fit.model.at, fit(problem, options).model.at, problem.family);
      expect_rows_of_path(alone, problem, 2);
      const FitWithTable more = fit_with_table(problem, options, 4);
      expect_same(more.fit.model.at, path(problem, {.max_k = 4}).models[2], problem.family);
      expect_rows_of_path(more, problem, 4);
    }
  }
}

TEST(FitWithTable, AtALambdaShowsFewerRowsOfTheSameAnswer) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem numbers(random_data(seed, ProblemSpec{.n = 60, .p = 9, .k = 3}));
    const Problem& problem = *numbers;
    const FitOptions options{.goal = AtLambda{{.lambda = 0.5}}};
    const Fit expected = fit(problem, options);
    const FitWithTable all = fit_with_table(problem, options);
    const FitWithTable few = fit_with_table(problem, options, 1);
    expect_same(all.fit.model.at, expected.model.at);
    expect_same(few.fit.model.at, expected.model.at);
    expect_rows_of_path(all, problem, 9);
    EXPECT_EQ(few.table->max_k(), 1);
    EXPECT_EQ(few.models.models.size(), 2U);
  }
}

TEST(FitWithTable, HasNoTableWhereTheSearchStartsElsewhere) {
  const OwnedProblem problem(random_data(3, ProblemSpec{.n = 60, .p = 9, .k = 3}));
  const FitOptions options{.goal = AtLambda{{.lambda = 0.5}, Start::empty()}};
  const FitWithTable found = fit_with_table(problem, options);
  EXPECT_FALSE(found.table);
  expect_same(found.fit.model.at, fit(problem, options).model.at);
}

TEST(FitWithTable, SaysWhereColumnsSeparateTheClasses) {
  Rng rng(5);
  LogisticData classes = random_logistic({.n = 60, .p = 5, .k = 2}, rng);
  for (Index i = 0; i < 60; ++i) classes.data.y[i] = classes.data.X(i, 3) > 0 ? 1 : 0;
  const DenseDesign design(classes.data.X);
  EXPECT_THROW(fit_with_table(problem_of(classes, design), {.goal = OfSize{1}}), SeparationError);
  const FitWithTable none = fit_with_table(problem_of(classes, design), {.goal = OfSize{0}});
  EXPECT_EQ(none.table->max_k(), 0);
}

}  // namespace
}  // namespace lass0::testing
