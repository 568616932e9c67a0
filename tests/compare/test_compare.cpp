// Nested cross-validation against a loop over split data, and what must not change it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <lass0/error.hpp>

#include "compare/method.hpp"
#include "select/folds.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

const std::vector<std::string> kAll = {"lasso",       "relaxed", "forward",     "foba", "lasso-l0",
                                       "lass0-paper", "lass0",   "lass0-ridge", "exact"};

Data plain_data(std::uint64_t seed, Index n = 48, Index p = 8) {
  return random_data(seed, {.n = n, .p = p, .k = 3, .rho = 0.4, .snr = 2});
}

struct Split {
  std::vector<Index> kept, held_out;
};
Split split(const std::vector<int>& labels, int fold) {
  Split rows;
  for (std::size_t i = 0; i < labels.size(); ++i)
    (labels[i] == fold ? rows.held_out : rows.kept).push_back(static_cast<Index>(i));
  return rows;
}

double mean_square_error(const Data& rows, const Iterate& at) {
  const auto weight = static_cast<double>(rows.w.size() > 0 ? rows.w.sum() : double(rows.n()));
  return static_cast<double>(rss_by_definition(rows, at)) / weight;
}

struct ByHand {
  double rmse = 0;
  Iterate at;
};

// The tuning values of one ridge, and the models of all rows.
struct OnAllRows {
  std::vector<Tuning> values;
  Models models;
};
OnAllRows on_all_rows(const Method& method, const Solver& all, const Budget& budget) {
  OnAllRows found{method.grid(all, budget).values, {}};
  found.models = method.fit(all, found.values, budget);
  if (found.values.empty()) found.values = method.values(found.models, {}, kAllValues);
  return found;
}

// One outer fold by hand: every training set is a problem of its own rows.
ByHand by_hand(const Data& training, const Data& test, const std::vector<int>& inner, int folds,
               const Method& method) {
  const OwnedProblem whole(training);
  const Budget budget({});
  const auto solver = make_solver(whole, {}, {});
  double least = std::numeric_limits<double>::infinity();
  Iterate best;
  for (const double ridge : method.ridges(*solver)) {
    const auto all = solver->at_ridge(ridge);
    const OnAllRows found = on_all_rows(method, *all, budget);
    std::vector<double> errors(found.values.size(), 0);
    const std::vector<Tuning> given = method.grid(*all, budget).values;
    for (int fold = 0; fold < folds; ++fold) {
      const Split rows = split(inner, fold);
      const Data held_out = training.rows(rows.held_out);
      const OwnedProblem part(training.rows(rows.kept));
      const auto sums = make_solver(part, {}, {})->at_ridge(ridge);
      const Models models = method.fit(*sums, given, budget);
      const double weight = held_out.w.size() > 0 ? held_out.w.sum() : double(held_out.n());
      for (std::size_t i = 0; i < errors.size(); ++i) {
        const Candidate& candidate = models.candidates[models.at(found.values[i], i)];
        errors[i] += weight * mean_square_error(held_out, model_of(*sums, candidate, ridge));
      }
    }
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!(errors[i] < least * (1 - 1e-10))) continue;
      least = errors[i];
      best = model_of(*all, found.models.candidates[found.models.at(found.values[i], i)], ridge);
    }
  }
  return {std::sqrt(mean_square_error(test, best)), best};
}

void expect_by_hand(const Data& data, std::uint64_t seed) {
  const OwnedProblem problem(data);
  const Index outer = 3, inner = 4;
  CompareOptions options{.outer = outer, .inner = inner, .seed = seed, .methods = kAll};
  const Comparison found = compare(problem, options);
  const Partition folds = make_partitions(problem, {.folds = outer, .seed = seed}).front();
  const auto methods = make_methods(kAll, Family::gaussian);
  for (int fold = 0; fold < outer; ++fold) {
    const Split rows = split(folds.labels, fold);
    const OwnedProblem training(data.rows(rows.kept));
    // Folds are drawn from the rows of positive weight, in their order: the same for the rows
    // alone.
    const std::vector<int> labels =
        make_partitions(training, {.folds = inner, .seed = seed + 1 + std::uint64_t(fold)})
            .front()
            .labels;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      SCOPED_TRACE(kAll[m] + " fold " + std::to_string(fold));
      const ByHand expected = by_hand(training.data(), data.rows(rows.held_out), labels, int(inner),
                                      *methods[m].method);
      const ComparedModel& model =
          found.methods[m].folds[static_cast<std::size_t>(fold)].by[Rule::min];
      EXPECT_NEAR(model.rmse, expected.rmse, 1e-9 * expected.rmse);
      EXPECT_EQ(model.at.support, expected.at.support);
      EXPECT_NEAR(model.nrmse, 100 * model.rmse / found.deviation, 1e-9);
    }
  }
}

TEST(Compare, IsALoopOverSplitData) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_by_hand(plain_data(seed), seed);
}

// A column that all rows choose up to some lambda, nine tenths of them choose only below it.
TEST(Compare, AllColumnsAreChosenWhereAllMatter) {
  Data data = random_data(4, {.n = 40, .p = 4, .k = 4, .rho = 0, .snr = 2});
  Rng rng(4);
  for (Index i = 0; i < data.n(); ++i)
    data.y[i] = data.X.row(i).sum() + data.X(i, 1) - 4 * data.X(i, 2) + 0.3 * rng.normal();
  const Comparison result = compare(OwnedProblem(data), {.methods = kAll});
  for (const ComparedMethod& method : result.methods) {
    for (const ComparedFold& fold : method.folds)
      EXPECT_EQ(fold.by[Rule::min].size, 4) << method.name;
  }
}

TEST(Compare, AllWeightsMayBeSmallOrLargeTogether) {
  Data data = plain_data(7);
  const CompareOptions options{.outer = 4, .inner = 4, .methods = {"lasso", "forward", "lass0"}};
  const Comparison expected = compare(OwnedProblem(data), options);
  // The smallest is below all normal doubles: 1 over it is infinite.
  for (const double weight : {1e-309, 1e-305, 1e-290, 1.0 / 48}) {
    SCOPED_TRACE(weight);
    data.w = Vector::Constant(data.n(), weight);
    const Comparison found = compare(OwnedProblem(data), options);
    EXPECT_NEAR(found.deviation, expected.deviation, 1e-9 * expected.deviation);
    for (std::size_t m = 0; m < expected.methods.size(); ++m) {
      const double mean = spread(expected.methods[m], Rule::min, ComparedNumber::nrmse).mean;
      EXPECT_NEAR(spread(found.methods[m], Rule::min, ComparedNumber::nrmse).mean, mean,
                  1e-6 * mean);
    }
  }
}

TEST(Compare, SoItIsWithWeightsIncludedColumnsAndWithoutIntercept) {
  Data data = plain_data(7);
  data.w = Vector::Ones(data.n());
  for (Index i = 0; i < data.n(); ++i) data.w[i] = 0.5 + static_cast<double>(i % 3);
  data.include = {4};
  expect_by_hand(data, 5);
  data = plain_data(8);
  data.intercept = false;
  data.standardize = false;
  expect_by_hand(data, 6);
}

TEST(Compare, SoItIsWithMoreColumnsThanRows) {
  const Data data = plain_data(9, 30, 40);
  const OwnedProblem problem(data);
  const Comparison found = compare(problem, {.outer = 3, .inner = 3});
  for (const ComparedMethod& method : found.methods) {
    for (const ComparedFold& fold : method.folds) {
      EXPECT_TRUE(std::isfinite(fold.by[Rule::min].nrmse)) << method.name;
      EXPECT_LE(std::ssize(fold.by[Rule::min].at.support), 40) << method.name;
    }
  }
}

TEST(Compare, OneStandardErrorIsSparserAndNeverBetterInside) {
  const OwnedProblem problem(plain_data(4, 60, 12));
  const Comparison found =
      compare(problem, {.outer = 4, .inner = 5, .methods = {"forward", "lass0"}});
  for (const ComparedMethod& method : found.methods) {
    for (const ComparedFold& fold : method.folds)
      EXPECT_LE(fold.by[Rule::one_se].size, fold.by[Rule::min].size) << method.name;
  }
}

TEST(Compare, TheOrderOfTheColumnsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Data data = plain_data(seed);
    Rng rng(seed);
    const std::vector<Index> order = rng.permutation(data.p());
    const OwnedProblem one(data), other(data.columns(order));
    const Comparison a = compare(one, {.outer = 3, .inner = 4, .methods = kAll});
    const Comparison b = compare(other, {.outer = 3, .inner = 4, .methods = kAll});
    for (std::size_t m = 0; m < kAll.size(); ++m) {
      for (std::size_t f = 0; f < 3; ++f) {
        const ComparedModel &x = a.methods[m].folds[f].by[Rule::min],
                            &y = b.methods[m].folds[f].by[Rule::min];
        EXPECT_NEAR(x.rmse, y.rmse, 1e-7 * x.rmse) << kAll[m];
        Support moved;
        for (const Index j : y.at.support) moved.push_back(order[static_cast<std::size_t>(j)]);
        std::sort(moved.begin(), moved.end());
        EXPECT_EQ(moved, x.at.support) << kAll[m];
      }
    }
  }
}

TEST(Compare, TheUnitsOfTheTargetMatterToThePapersStartOnly) {
  Data data = plain_data(6);
  const OwnedProblem one(data);
  data.y *= 1024;
  const OwnedProblem other(data);
  const Comparison a = compare(one, {.outer = 3, .inner = 4}),
                   b = compare(other, {.outer = 3, .inner = 4});
  for (std::size_t m = 0; m < a.methods.size(); ++m) {
    if (a.methods[m].name == "lass0-paper") continue;
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_NEAR(a.methods[m].folds[f].by[Rule::min].nrmse,
                  b.methods[m].folds[f].by[Rule::min].nrmse, 1e-7)
          << a.methods[m].name;
    }
  }
}

TEST(Compare, AnyNumberOfThreadsGivesTheSameBits) {
  const OwnedProblem problem(plain_data(3));
  CompareOptions options{.outer = 4, .inner = 3};
  options.control.threads = 1;
  const Comparison one = compare(problem, options);
  options.control.threads = 3;
  const Comparison other = compare(problem, options);
  for (std::size_t m = 0; m < one.methods.size(); ++m) {
    for (std::size_t f = 0; f < 4; ++f) {
      EXPECT_EQ(one.methods[m].folds[f].by[Rule::min].rmse,
                other.methods[m].folds[f].by[Rule::min].rmse);
      EXPECT_EQ(one.methods[m].folds[f].by[Rule::one_se].at.coefficients,
                other.methods[m].folds[f].by[Rule::one_se].at.coefficients);
    }
  }
}

TEST(Compare, OneEnormousRowDoesNotSpoilTheFoldsWithoutIt) {
  Data data = plain_data(5, 45, 4);
  data.X(7, 1) = 1e9;
  expect_by_hand(data, 2);
}

TEST(Compare, CountsTheColumnsThatDifferFromTheTruth) {
  const OwnedProblem problem(plain_data(2));
  CompareOptions options{.outer = 3, .inner = 3, .methods = {"lasso", "lass0"}};
  EXPECT_FALSE(compare(problem, options).methods[0].folds[0].by[Rule::min].hamming);
  options.truth = std::vector<Index>{5, 0};
  const Comparison found = compare(problem, options);
  EXPECT_EQ(*found.truth, (std::vector<Index>{0, 5}));
  for (const ComparedMethod& method : found.methods) {
    for (const ComparedFold& fold : method.folds) {
      const Support& support = fold.by[Rule::min].at.support;
      const Index both = std::count(support.begin(), support.end(), 0) +
                         std::count(support.begin(), support.end(), 5);
      EXPECT_EQ(fold.by[Rule::min].hamming, std::ssize(support) + 2 - 2 * both);
      EXPECT_EQ(fold.by[Rule::min].size, std::ssize(support));
    }
  }
  options.truth = std::vector<Index>{8};
  EXPECT_THROW(compare(problem, options), UsageError);
}

TEST(Compare, IsStoppedWithTheFoldsSoFar) {
  const OwnedProblem problem(plain_data(2));
  std::atomic<int> reports{0};
  CompareOptions options{.outer = 6, .inner = 3, .methods = {"lasso", "forward"}};
  const Comparison whole = compare(problem, options);
  options.control.keep_going = [&] { return reports <= 7; };
  options.control.progress = [&](std::string_view, double) { ++reports; };
  const Comparison found = compare(problem, options);
  EXPECT_EQ(found.status, Status::interrupted);
  EXPECT_EQ(found.outer, 6);
  ASSERT_EQ(found.fold_rows.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f)
    EXPECT_EQ(found.methods[1].folds[f].by[Rule::min].rmse,
              whole.methods[1].folds[f].by[Rule::min].rmse);
  options.control = {.time_limit = 0};
  EXPECT_THROW(compare(problem, options), Error);
}

TEST(Compare, RefusesWhatMakesNoSense) {
  Data data = plain_data(2);
  const OwnedProblem problem(data);
  EXPECT_THROW(compare(problem, {.outer = 1}), UsageError);
  EXPECT_THROW(compare(problem, {.outer = 49}), Error);
  EXPECT_THROW(compare(problem, {.inner = 48}), Error);
  EXPECT_THROW(compare(problem, {.methods = {"magic"}}), UsageError);
  data.y.setConstant(3);
  EXPECT_THROW(compare(OwnedProblem(data)), Error);
}

TEST(Differences, ArePairedByFold) {
  // Folds differ by tens, the methods by 1 and 4: only pairs show it.
  const std::vector<double> hard = {30, 80, 45, 60};
  Comparison comparison;
  const auto add = [&](const char* name, const std::vector<double>& more) {
    ComparedMethod method{name, "", {}};
    for (std::size_t f = 0; f < hard.size(); ++f) {
      ComparedFold fold;
      fold.by[Rule::min].nrmse = hard[f] + more[f];
      fold.by[Rule::one_se].nrmse = hard[f];
      method.folds.push_back(fold);
    }
    comparison.methods.push_back(method);
  };
  add("worse", {4, 5, 3, 4});
  add("best", {0, 0, 0, 0});
  add("near", {2, -2, 3, 1});
  comparison.fold_rows = {5, 5, 5, 5};
  const std::vector<Difference> all = differences(comparison, Rule::min);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_DOUBLE_EQ(all[0].mean, 4);
  EXPECT_DOUBLE_EQ(all[0].se, std::sqrt(2.0 / 3) / 2);
  EXPECT_TRUE(all[0].distinct);
  EXPECT_EQ(all[1].mean, 0);
  EXPECT_EQ(all[1].se, 0);
  EXPECT_FALSE(all[1].distinct);
  EXPECT_DOUBLE_EQ(all[2].mean, 1);
  EXPECT_FALSE(all[2].distinct);
  for (const Difference& one : differences(comparison, Rule::one_se))
    EXPECT_FALSE(one.distinct) << "equal in every fold";
  for (ComparedMethod& method : comparison.methods) method.folds.resize(1);
  for (const Difference& one : differences(comparison, Rule::min))
    EXPECT_FALSE(one.distinct) << "of one fold nothing can be told";
}

TEST(Spread, IsTheMeanAndTheSampleDeviation) {
  const std::vector<double> values = {1, 2, 6}, one = {5};
  EXPECT_DOUBLE_EQ(spread(values).mean, 3);
  EXPECT_DOUBLE_EQ(spread(values).sd, std::sqrt(7.0));
  EXPECT_EQ(spread(one).sd, 0);
}

}  // namespace
}  // namespace lass0::testing
