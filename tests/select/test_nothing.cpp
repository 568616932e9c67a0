// Where no column predicts anything, cross-validation must be able to say so: the curve begins
// where no training set has a column, and no rule returns a model that is worse than that.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>

#include "select/lambda_grid.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

void expect_nothing_is_on_the_curve(const CrossValidation& cv) {
  const double nothing = cv.curve.front().mean_error;
  for (std::size_t i = 0; i < cv.curve.size(); ++i) {
    const bool first = i == 0 || cv.curve[i].ridge != cv.curve[i - 1].ridge;
    if (!first) continue;
    EXPECT_EQ(cv.curve[i].mean_size, 0) << "point " << i;
    EXPECT_NEAR(cv.curve[i].mean_error, nothing, 1e-9 * nothing);
  }
  EXPECT_LE(cv.best().mean_error, nothing * (1 + 1e-9));
  // What no fold had, the model of all rows does not have.
  if (cv.best().mean_size == 0) {
    EXPECT_EQ(cv.fit.k(), 0);
  }
}

TEST(Nothing, CanBeChosenWhateverIsTunedAndHow) {
  int chosen = 0, runs = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Data data = random_data(seed, {.n = 36, .p = 12, .k = 2});
    Rng rng(seed);
    for (Index i = 0; i < data.n(); ++i) data.y[i] = rng.normal();
    const OwnedProblem problem(data);
    for (const Rule rule : {Rule::min, Rule::one_se}) {
      CrossValidateOptions options{.folds = 6, .seed = seed, .rule = rule, .tune_ridge = false};
      expect_nothing_is_on_the_curve(cross_validate(problem, options));
      options.start = Start::Method::paper;
      options.lambdas = 12;
      expect_nothing_is_on_the_curve(cross_validate(problem, options));
      options.start = Start::Method::table;
      options.tune_ridge = true;
      expect_nothing_is_on_the_curve(cross_validate(problem, options));
      options = {.folds = 6, .seed = seed, .tune = Tune::k, .rule = rule};
      const CrossValidation sizes = cross_validate(problem, options);
      expect_nothing_is_on_the_curve(sizes);
      chosen += sizes.fit.k() == 0 ? 1 : 0;
      ++runs;
    }
  }
  EXPECT_GT(2 * chosen, runs) << "mostly, nothing is the answer";
}

// The grid alone, where a training set still has columns at lambdas at which all rows have none.
TEST(Nothing, IsWhereTheGridBegins) {
  const LambdaRange all{.highest = 2, .nothing = 50, .lowest = 0.1};
  const LambdaRange part{.highest = 7, .nothing = 40, .lowest = 0.1};
  const std::vector<double> known = lambda_grid(all, {{part, all}}, 10);
  EXPECT_GT(known.front(), 7);
  EXPECT_LT(known.front(), 7.1);
  EXPECT_EQ(known.size(), 10u);
  const std::vector<double> unknown = lambda_grid(all, {}, 10);
  EXPECT_GT(unknown[0], 50);
  EXPECT_NEAR(unknown[1], 2, 1e-3);
  EXPECT_EQ(unknown.size(), 10u);
  EXPECT_NEAR(unknown.back(), known.back(), 1e-9);
  const std::vector<double> two = lambda_grid(all, {}, 2);
  EXPECT_EQ(two, (std::vector<double>{unknown.front(), unknown.back()}));
}

// Two columns that matter only together: the short lists of the folds miss them, the full search on
// all rows does not. Where nothing was chosen, the model is nothing all the same.
TEST(Nothing, IsTheModelWhereNothingWasChosen) {
  int nothing = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Rng rng(seed);
    Data data;
    data.X.resize(120, 1300);
    for (Index j = 0; j < data.p(); ++j)
      for (Index i = 0; i < data.n(); ++i) data.X(i, j) = rng.normal();
    for (Index i = 0; i < data.n(); ++i) data.X(i, 11) = data.X(i, 10) + 0.15 * rng.normal();
    data.y = 8 * (data.X.col(10) - data.X.col(11));
    for (Index i = 0; i < data.n(); ++i) data.y[i] += 2 * rng.normal();
    const OwnedProblem problem(data);
    const CrossValidation cv =
        cross_validate(problem, {.folds = 5, .rule = Rule::min, .tune_ridge = false});
    expect_nothing_is_on_the_curve(cv);
    nothing += cv.best().mean_size == 0 ? 1 : 0;
  }
  EXPECT_GT(nothing, 0);
}

// Permuted targets of real data. LASS0_PAPER_DATA names the folder.
TEST(Nothing, IsNeverBeatenByAWorseModelOnPermutedTargets) {
  const char* given = std::getenv("LASS0_PAPER_DATA");
  const std::filesystem::path folder =
      given ? std::filesystem::path(given)
            : std::filesystem::path(LASS0_SOURCE_DIR) / ".." / "shared" / "data" / "paper";
  if (!std::filesystem::exists(folder / "pyrimidines.csv"))
    GTEST_SKIP() << "the paper's data sets are not in " << folder
                 << ": name their folder in LASS0_PAPER_DATA";
  for (const char* name : {"pyrimidines", "triazines", "breast_cancer", "stocks", "mice"}) {
    const std::filesystem::path file = folder / (std::string(name) + ".csv");
    SCOPED_TRACE(name);
    const Table table = read_table(file.string(), {.target = "target"});
    const Problem problem = table.problem();
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(seed);
      Rng rng(seed);
      const std::vector<Index> order = rng.permutation(std::ssize(problem.y));
      std::vector<double> permuted;
      for (const Index i : order) permuted.push_back(problem.y[static_cast<std::size_t>(i)]);
      Problem noise = problem;
      noise.y = permuted;
      expect_nothing_is_on_the_curve(cross_validate(
          noise, {.seed = seed, .rule = seed % 2 ? Rule::min : Rule::one_se, .tune_ridge = false}));
    }
  }
}

}  // namespace
}  // namespace lass0::testing
