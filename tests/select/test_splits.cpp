// Splits that the caller gives: any rows to learn from, any others to predict.
#include <gtest/gtest.h>

#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

std::vector<Split> partition(Index n, int folds) {
  std::vector<Split> splits(static_cast<std::size_t>(folds));
  for (Index i = 0; i < n; ++i) {
    for (int f = 0; f < folds; ++f) {
      Split& split = splits[static_cast<std::size_t>(f)];
      (i % folds == f ? split.test : split.train).push_back(i);
    }
  }
  return splits;
}

TEST(Splits, ThatAreAPartitionGiveTheCurveOfItsLabels) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    ProblemSpec spec{.n = 60, .p = 8, .k = 3, .rho = 0.5};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec));
    std::vector<int> labels(60);
    for (int i = 0; i < 60; ++i) labels[static_cast<std::size_t>(i)] = i % 4;
    const auto splits = partition(60, 4);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const auto by_labels = cross_validate(
          problem, {.fold_labels = labels, .tune = tune, .rule = Rule::min, .tune_ridge = false});
      const auto by_splits = cross_validate(
          problem, {.splits = splits, .tune = tune, .rule = Rule::min, .tune_ridge = false});
      ASSERT_EQ(by_labels.curve.size(), by_splits.curve.size());
      for (std::size_t i = 0; i < by_labels.curve.size(); ++i)
        EXPECT_NEAR(by_labels.curve[i].mean_error, by_splits.curve[i].mean_error,
                    1e-9 * by_labels.curve[i].mean_error);
      EXPECT_EQ(by_labels.model().at.support, by_splits.model().at.support);
    }
  }
}

// Rows to learn from only in the past, and some rows in no split at all.
TEST(Splits, ThatAreNoPartitionEqualALoopOverRefits) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ProblemSpec spec{.n = 80, .p = 6, .k = 3, .rho = 0.4};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const Data data = random_data(seed, spec);
    const OwnedProblem all(data);
    std::vector<Split> splits(3);
    for (Index f = 0; f < 3; ++f) {
      for (Index i = 5; i < 30 + 12 * f; ++i)
        splits[static_cast<std::size_t>(f)].train.push_back(i);
      for (Index i = 32 + 12 * f; i < 44 + 12 * f; ++i)
        splits[static_cast<std::size_t>(f)].test.push_back(i);
    }
    const auto cv = cross_validate(all, {.splits = splits,
                                         .tune = Tune::k,
                                         .rule = Rule::min,
                                         .tune_ridge = false,
                                         .control = {.threads = 2}});
    ASSERT_EQ(cv.fold_errors.rows(), 3);
    for (Index f = 0; f < 3; ++f) {
      const Split& split = splits[static_cast<std::size_t>(f)];
      const OwnedProblem train(data.rows(split.train)), test(data.rows(split.test));
      const SupportTable table = best_supports(*train);
      double weight = 0;
      for (Index i = 0; i < test.data().n(); ++i) weight += test.data().weight(i);
      for (Index k = 0; k < cv.fold_errors.cols(); ++k) {
        const Iterate at = refit(train, table.at_k(k).support);
        const double want = residual_sum_of_squares(test, at) / weight;
        EXPECT_NEAR(cv.fold_errors(f, k), want, 1e-8 * want) << "split " << f << " k " << k;
      }
    }
  }
}

TEST(Splits, ThatMakeNoSenseAreRefused) {
  const OwnedProblem problem(random_data(1, ProblemSpec{.n = 20, .p = 3}));
  const Split good{{0, 1, 2, 3, 4, 5}, {6, 7}};
  const auto refused = [&](const Split& bad) {
    const std::vector<Split> splits = {good, bad};
    EXPECT_THROW(
        cross_validate(problem, {.splits = splits, .rule = Rule::min, .tune_ridge = false}), Error);
  };
  refused({{0, 1, 2}, {2, 3}});
  refused({{0, 1, 1}, {3}});
  refused({{0, 1, 20}, {3}});
  refused({{0, 1, -1}, {3}});
  refused({{0, 1, 2}, {}});
  refused({{}, {1, 2}});
  const std::vector<Split> one = {good}, two = {good, good};
  EXPECT_THROW(cross_validate(problem, {.splits = one, .rule = Rule::min, .tune_ridge = false}),
               Error);
  EXPECT_THROW(
      cross_validate(problem,
                     {.blocks = true, .splits = two, .rule = Rule::min, .tune_ridge = false}),
      UsageError);
  EXPECT_NO_THROW(cross_validate(problem, {.splits = two, .rule = Rule::min, .tune_ridge = false}));
}

}  // namespace
}  // namespace lass0::testing
