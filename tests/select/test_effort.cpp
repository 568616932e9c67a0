// Cross-validation of many columns: quick tables in the folds, against a loop over quick fits on
// split rows, and a model at the end that is compared with all columns.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <lass0/simulate.hpp>

#include "support/checks.hpp"
#include "support/errors.hpp"

namespace lass0::testing {
namespace {

constexpr Index kMany = 1060;

Data many_columns(std::uint64_t seed) {
  return random_data(seed, {.n = 66,
                            .p = kMany,
                            .k = 3,
                            .rho = 0.3,
                            .snr = 4,
                            .mean = 2,
                            .weights = seed % 2 ? WeightKind::none : WeightKind::integers});
}

// Few rows, and columns of a group that are nearly the same.
Data grouped_columns(std::uint64_t seed) {
  Rng rng(seed);
  Data data;
  data.X.resize(48, kMany);
  for (Index j = 0; j < kMany; ++j) {
    for (Index i = 0; i < data.X.rows(); ++i) {
      const bool first = j % 20 == 0;
      data.X(i, j) = first ? rng.normal() : 0.95 * data.X(i, j - j % 20) + 0.3 * rng.normal();
    }
  }
  data.y = Vector::Zero(48);
  for (Index l = 0; l < 8; ++l) data.y += data.X.col(60 * l + 7) * (l % 2 ? 1 : -1);
  for (Index i = 0; i < 48; ++i) data.y[i] += 1.5 * rng.normal();
  return data;
}

std::vector<int> three_folds(const Data& data) {
  std::vector<int> labels;
  for (Index i = 0; i < data.n(); ++i) labels.push_back(static_cast<int>((i + i / 5) % 3));
  return labels;
}

TEST(Effort, TheCurveIsThatOfQuickFitsOnTheTrainingRows) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Data data = many_columns(seed);
    const std::vector<int> labels = three_folds(data);
    const OwnedProblem problem(data);
    for (const Effort effort : {Effort::quick, Effort::full}) {
      SCOPED_TRACE(std::to_string(seed) + " " + std::string(to_string(effort)));
      const CrossValidation cv = cross_validate(problem, {.fold_labels = labels,
                                                          .rule = Rule::min,
                                                          .lambdas = 12,
                                                          .effort = effort,
                                                          .tune_ridge = false});
      EXPECT_EQ(cv.effort, effort);
      for (int f = 0; f < 3; ++f) {
        const Split parts = split(data, labels, f);
        const OwnedProblem training(parts.training);
        const Moments moments(training);
        const SupportTable table = best_supports(moments, {.effort = effort});
        for (std::size_t i = 0; i < cv.curve.size(); ++i) {
          FitOptions options;
          options.goal = AtLambda{cv.curve[i].lambda};
          options.table = &table;
          options.effort = effort;
          const Fit fit = lass0::fit(moments, options);
          EXPECT_EQ(fit.status,
                    effort == Effort::quick ? Status::unchecked : Status::local_optimum);
          const double expected = error_by_definition(parts, chosen(fit));
          EXPECT_NEAR(cv.fold_errors(f, static_cast<Index>(i)), expected, 1e-9 * expected);
        }
      }
    }
  }
}

TEST(Effort, TheModelOfAQuickRunIsALocalOptimum) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const OwnedProblem problem(many_columns(seed));
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidation cv = cross_validate(
          problem, {.folds = 4, .tune = tune, .rule = Rule::one_se, .tune_ridge = false});
      EXPECT_TRUE(cv.short_lists);
      EXPECT_EQ(cv.fit.status, Status::local_optimum);
      if (tune == Tune::lambda) expect_true_status(problem, cv.fit, cv.fit.penalty());
      EXPECT_TRUE(tune == Tune::lambda || cv.fit.k() == cv.best().k);
    }
  }
}

// The folds look at short lists, but the model is that of `fit`, and its table that of `path`: one
// answer, whichever command is asked. As with expression data, columns are many and in groups.
TEST(Effort, TheModelIsThatOfFitAndItsTableThatOfPath) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const OwnedProblem problem(seed % 2 == 0 ? many_columns(seed) : grouped_columns(seed));
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidation cv = cross_validate(
          problem, {.folds = 4, .tune = tune, .rule = Rule::min, .tune_ridge = false});
      FitOptions options;
      if (tune == Tune::k) options.goal = OfSize{*cv.best().k};
      if (tune == Tune::lambda) options.goal = AtLambda{cv.best().lambda};
      const Fit alone = fit(*problem, options);
      EXPECT_EQ(alone.model.at.support, cv.model().at.support);
      EXPECT_NEAR(alone.objective, cv.fit.objective, 1e-9 * cv.fit.objective);
      const Path path = lass0::path(*problem);
      ASSERT_EQ(path.table.max_k(), cv.table.max_k());
      for (Index k = 0; k <= path.table.max_k(); ++k)
        EXPECT_NEAR(path.table.at_k(k).loss, cv.table.at_k(k).loss, 1e-9 * cv.table.at_k(0).loss);
    }
  }
}

TEST(Effort, ThreadsChangeNoBit) {
  const OwnedProblem problem(many_columns(2));
  const CrossValidation one =
      cross_validate(problem, {.folds = 5, .rule = Rule::min, .tune_ridge = false});
  const CrossValidation two = cross_validate(
      problem, {.folds = 5, .rule = Rule::min, .tune_ridge = false, .control = {.threads = 3}});
  ASSERT_EQ(one.curve.size(), two.curve.size());
  EXPECT_EQ(one.fold_errors, two.fold_errors);
  EXPECT_EQ(one.model().at.coefficients, two.model().at.coefficients);
}

// Whatever is cut off, what was chosen by then is the answer.
TEST(Effort, AStopAfterTheTableKeepsItsRow) {
  const OwnedProblem problem(many_columns(1));
  const Moments moments(problem);
  const SupportTable table = best_supports(moments);
  FitOptions options;
  options.table = &table;
  const double lambda = 0.05 * table.at_k(0).loss;
  options.goal = AtLambda{lambda};
  options.control.keep_going = [] { return false; };
  const std::vector<Index>& row = table.at_lambda(lambda).support;
  ASSERT_FALSE(row.empty());
  const Fit at_lambda = fit(moments, options);
  EXPECT_EQ(at_lambda.status, Status::interrupted);
  EXPECT_EQ(at_lambda.model.at.support, row);
  options.goal = OfSize{3};
  const Fit by_size = fit(moments, options);
  EXPECT_EQ(by_size.status, Status::local_optimum);
  EXPECT_EQ(by_size.model.at.support, table.at_k(3).support);
}

TEST(Effort, AStoppedRunEndsWithTheModelOfItsTable) {
  const OwnedProblem problem(many_columns(1));
  bool stop = false;
  CrossValidateOptions options{.folds = 6, .rule = Rule::min, .tune_ridge = false};
  options.control.keep_going = [&] { return !stop; };
  options.control.progress = [&](std::string_view what, double) {
    stop = stop || what.find("fold 5 of 6") != what.npos;
  };
  const CrossValidation cv = cross_validate(problem, options);
  EXPECT_EQ(cv.status, Status::interrupted);
  EXPECT_LT(cv.fold_rows.size(), 6u);
  EXPECT_EQ(cv.fit.status, Status::unchecked);
  EXPECT_EQ(cv.model().at.support, cv.table.at_lambda(cv.best().lambda).support);
}

TEST(Effort, ShortListsAreSaidWhereFoldsHadThem) {
  const OwnedProblem problem(many_columns(2));
  EXPECT_TRUE(
      cross_validate(problem, {.folds = 3, .rule = Rule::min, .lambdas = 4, .tune_ridge = false})
          .short_lists);
  EXPECT_FALSE(cross_validate(problem, {.folds = 3,
                                        .rule = Rule::min,
                                        .lambdas = 2,
                                        .start = Start::Method::paper,
                                        .tune_ridge = false})
                   .short_lists);
}

TEST(Effort, ProofsLookAtAllColumns) {
  const OwnedProblem problem(many_columns(2));
  EXPECT_THROW(path(problem, {.effort = Effort::quick, .prove = true}), UsageError);
  EXPECT_THROW(fit(problem, {.goal = OfSize{2}, .prove = true, .effort = Effort::quick}),
               UsageError);
}

// Many true columns and few rows. Of these data a quick table does not know that it needs a long
// list, but what it lacks is seen on all rows.
Data hard_problem() {
  const Simulated hard = simulate({.n = 120,
                                   .p = 1100,
                                   .k = 24,
                                   .rho = 0.3,
                                   .snr = 50,
                                   .seed = 106,
                                   .correlation = Correlation::ar1,
                                   .coefficients = TrueCoefficients::unit});
  Data data;
  data.X = hard.X;
  data.y = hard.y;
  return data;
}

TEST(Effort, FoldsOfAHardProblemAreSearchedInFull) {
  const OwnedProblem problem(hard_problem());
  const CrossValidation cv =
      cross_validate(*problem, {.folds = 4, .seed = 1, .rule = Rule::min, .tune_ridge = false});
  EXPECT_TRUE(cv.lists_too_short);
  EXPECT_FALSE(cv.short_lists);
  EXPECT_EQ(cv.effort, Effort::full);
  const CrossValidation full = cross_validate(
      *problem,
      {.folds = 4, .seed = 1, .rule = Rule::min, .effort = Effort::full, .tune_ridge = false});
  EXPECT_FALSE(full.lists_too_short);
  EXPECT_EQ(cv.fold_errors, full.fold_errors);
  EXPECT_EQ(cv.model().at.support, full.model().at.support);
}

TEST(Effort, AStopOfTheFullSearchOfTheFoldsIsTold) {
  const OwnedProblem problem(hard_problem());
  CrossValidateOptions options{.folds = 4, .seed = 1, .rule = Rule::min, .tune_ridge = false};
  int runs = 0;  // the quick one, then that in full
  options.control.progress = [&](std::string_view what, double) {
    if (what == "cross-validation: all rows") ++runs;
  };
  options.control.keep_going = [&] { return runs < 2; };
  const CrossValidation cv = cross_validate(*problem, options);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(cv.status, Status::interrupted);
  EXPECT_EQ(cv.fold_rows.size(), 4U);
  EXPECT_EQ(cv.effort, Effort::quick);
  EXPECT_FALSE(cv.lists_too_short);
}

TEST(Effort, FoldsOfAnEasyProblemAreNot) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const CrossValidation cv =
        cross_validate(*OwnedProblem(many_columns(seed)),
                       {.folds = 4, .seed = 1, .rule = Rule::min, .tune_ridge = false});
    EXPECT_FALSE(cv.lists_too_short) << seed;
    EXPECT_TRUE(cv.short_lists) << seed;
    EXPECT_EQ(cv.effort, Effort::quick) << seed;
  }
}

// y is the difference of two columns that have nothing to do with it on their own, among many that
// have: the full table ends with a perfect fit, the quick ones of the folds do not know of it.
TEST(Effort, ATableOfAllRowsMayEndBeforeTheSizeThatListsChoose) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    Data data;
    data.X.resize(60, 1100);
    data.y.resize(60);
    for (double& x : data.X.reshaped()) x = rng.normal();
    for (Index i = 0; i < 60; ++i) {
      const double z = rng.normal();
      data.y[i] = rng.normal();
      data.X(i, 500) = 10 * z + data.y[i];
      data.X(i, 501) = 10 * z - data.y[i];
      for (Index j = 0; j < 400; ++j) data.X(i, j) += 0.5 * data.y[i];
    }
    const CrossValidation cv = cross_validate(
        *OwnedProblem(data),
        {.folds = 10, .seed = 1, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
    EXPECT_EQ(cv.fit.k(), cv.best().k) << seed;
  }
}

}  // namespace
}  // namespace lass0::testing
