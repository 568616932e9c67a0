// The rules of choice, on curves that are made up.
#include <gtest/gtest.h>

#include <cmath>

#include "select/choose.hpp"

namespace lass0::testing {
namespace {

TEST(Choice, MinAndOneSe) {
  ErrorCurve curve;
  const auto add = [&](const Tuning& at, double error, double se) {
    curve.values.push_back(at);
    curve.errors.push_back({error, se});
    curve.mean_sizes.push_back(static_cast<double>(*at.k));
    curve.fold_errors = Matrix::Zero(2, std::ssize(curve.values));
    curve.fold_weights = {1, 1};
    curve.partitions = {0, 0};
  };
  add({.k = 0}, 9, 1);
  add({.k = 1}, 4.9, 1);
  add({.k = 2}, 4.2, 0.1);
  add({.k = 3}, 4, 1);
  add({.k = 4}, 4, 1);
  Choice choice = choose(curve);
  EXPECT_EQ(choice[Rule::min], 3);     // of two the sparser
  EXPECT_EQ(choice[Rule::one_se], 1);  // 4.9 <= 4 + the minimum's own 1
  // Along the ridge of the minimum only.
  add({.k = 0, .ridge = 5}, 8, 1);
  add({.k = 1, .ridge = 5}, 4.4, 1);
  add({.k = 2, .ridge = 5}, 3.9, 0.6);
  choice = choose(curve);
  EXPECT_EQ(choice[Rule::min], 7);
  EXPECT_EQ(choice[Rule::one_se], 6);
  EXPECT_EQ(choose_without_ridge(curve, Rule::min), 3);
  EXPECT_EQ(choose_without_ridge(curve, Rule::one_se), 1);
  // And along its relaxation.
  add({.k = 0, .ridge = 5, .relax = 0}, 4.1, 1);
  add({.k = 1, .ridge = 5, .relax = 0}, 3.5, 0.7);
  choice = choose(curve);
  EXPECT_EQ(choice[Rule::min], 9);
  EXPECT_EQ(choice[Rule::one_se], 8);
}

// A curve from the errors of all folds, one row per point.
ErrorCurve curve_of(const std::vector<Tuning>& values, const std::vector<double>& sizes,
                    const std::vector<std::vector<double>>& errors,
                    const std::vector<double>& weights) {
  ErrorCurve curve;
  curve.values = values;
  curve.mean_sizes = sizes;
  curve.fold_weights = weights;
  curve.partitions.assign(weights.size(), 0);
  curve.fold_errors.resize(std::ssize(weights), std::ssize(values));
  for (Index i = 0; i < std::ssize(values); ++i) {
    for (Index f = 0; f < std::ssize(weights); ++f)
      curve.fold_errors(f, i) = errors[static_cast<std::size_t>(i)][static_cast<std::size_t>(f)];
    curve.errors.push_back(summarise(curve.fold_errors.col(i), weights));
  }
  curve.null_error = 1e300;
  return curve;
}

TEST(Choice, PairedIsTheSparsestOfThoseNotClearlyAboveTheBestFoldByFold) {
  // Folds differ much more than models do: one standard error would take the empty model.
  const std::vector<Tuning> values = {{.k = 0}, {.k = 1}, {.k = 2}, {.k = 3}};
  ErrorCurve curve = curve_of(values, {0, 1, 2, 3},
                              {{2, 11, 21, 31},          // 1 above the best in every fold
                               {1.1, 10.4, 19.9, 30.1},  // differences 0.1, 0.4, -0.1, 0.1
                               {1.01, 10.01, 20.01, 30.01},
                               {1, 10, 20, 30}},
                              {1, 1, 1, 1});
  // Mean 0.125, standard error 0.2062 / sqrt(4) = 0.103: clearly above.
  EXPECT_EQ(choose(curve)[Rule::paired], 3);
  EXPECT_EQ(choose(curve)[Rule::one_se], 0);
  // Mean 0.075, standard error 0.1315: not.
  curve = curve_of(
      values, {0, 1, 2, 3},
      {{2, 11, 21, 31}, {1.1, 10.4, 19.7, 30.1}, {1.01, 10.01, 20.01, 30.01}, {1, 10, 20, 30}},
      {1, 1, 1, 1});
  EXPECT_EQ(choose(curve)[Rule::paired], 1);
  // Never above the model with no column.
  curve.null_error = curve.errors[1].mean - 0.001;
  EXPECT_EQ(choose(curve)[Rule::paired], 3);
}

TEST(Choice, PairedLooksAtAllRidgesAndTakesTheSmallestSizeThenTheLowestError) {
  const std::vector<Tuning> values = {
      {.k = 1}, {.k = 3}, {.k = 1, .ridge = 5}, {.k = 2, .ridge = 5}};
  const ErrorCurve curve = curve_of(
      values, {1, 3, 1, 2}, {{1.2, 10, 20}, {1, 10, 20}, {1, 10.1, 20}, {1, 10, 20.1}}, {1, 1, 1});
  EXPECT_EQ(choose(curve)[Rule::min], 1);
  EXPECT_EQ(choose(curve)[Rule::paired], 2);
}

TEST(Choice, PairedTakesNoColumnUnlessTheBestIsClearlyBetter) {
  // Differences of mean 0.3 with standard error 0.3 / t.
  for (const double t : {0.5, 0.9, 1.1, 1.7, 2.4, 2.6, 4.0}) {
    const double spread = 0.3 / t * std::sqrt(2.0);
    const std::vector<double> best = {1, 10, 20};
    const std::vector<double> nothing = {1.3 - spread * std::sqrt(1.5), 10.3,
                                         20.3 + spread * std::sqrt(1.5)};
    ErrorCurve curve = curve_of({{.k = 0}, {.k = 4}}, {0, 4}, {nothing, best}, {1, 1, 1});
    ASSERT_NEAR(curve.errors[0].mean - curve.errors[1].mean, 0.3, 1e-9);
    curve.any_column = 0.06;
    EXPECT_EQ(choose(curve)[Rule::paired], t < 2.5 ? 0 : 1) << t;
    // Where a test of all rows finds a column, one standard error decides ...
    curve.any_column = 0.04;
    EXPECT_EQ(choose(curve)[Rule::paired], t < 1 ? 0 : 1) << t;
    // ... as it does between models that have columns.
    const ErrorCurve other = curve_of({{.k = 1}, {.k = 4}}, {1, 4}, {nothing, best}, {1, 1, 1});
    EXPECT_EQ(choose(other)[Rule::paired], t < 1 ? 0 : 1) << t;
  }
}

TEST(Choice, RepeatsAreNoFurtherRows) {
  // The same partition again and again changes nothing, however often.
  const std::vector<Tuning> values = {{.k = 0}, {.k = 1}};
  for (const double above : {0.1, 0.2}) {
    const std::vector<double> first = {1 + 3 * above, 10 - above, 20 + above}, second = {1, 10, 20};
    const ErrorCurve once = curve_of(values, {0, 1}, {first, second}, {1, 2, 1});
    ErrorCurve often = once;
    often.fold_errors.resize(30, 2);
    often.fold_weights.clear();
    often.partitions.clear();
    for (Index r = 0; r < 10; ++r) {
      often.fold_errors.middleRows(3 * r, 3) = once.fold_errors;
      often.fold_weights.insert(often.fold_weights.end(), {1, 2, 1});
      often.partitions.insert(often.partitions.end(), 3, r);
    }
    EXPECT_EQ(choose(often)[Rule::paired], choose(once)[Rule::paired]);
    EXPECT_EQ(choose(once)[Rule::paired], 0);
  }
}

TEST(Choice, MeanAndStandardErrorAreWeightedByFold) {
  const Vector errors = (Vector(3) << 2, 5, 1).finished();
  const std::vector<double> weights = {1, 2, 3};
  const ErrorSummary point = summarise(errors, weights);
  const double mean = (2 + 10 + 3) / 6.0;
  EXPECT_NEAR(point.mean, mean, 1e-15);
  const double variance =
      (std::pow(2 - mean, 2) + 2 * std::pow(5 - mean, 2) + 3 * std::pow(1 - mean, 2)) / 6;
  EXPECT_NEAR(point.se, std::sqrt(variance / 2), 1e-15);
}

}  // namespace
}  // namespace lass0::testing
