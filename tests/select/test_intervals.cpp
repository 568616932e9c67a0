#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <numeric>

#include "model/intervals.hpp"
#include "support/random_problem.hpp"

namespace lass0 {
namespace {

using testing::Data;
using testing::OwnedProblem;
using testing::Rng;

std::vector<double> all_sums(const std::vector<double>& shifts,
                             const std::vector<std::vector<double>>& lists, double sign) {
  std::vector<double> sums;
  for (std::size_t f = 0; f < lists.size(); ++f) {
    for (const double value : lists[f]) sums.push_back(shifts[f] + sign * value);
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

struct Lists {
  std::vector<double> shifts;
  std::vector<std::vector<double>> values;
};

// Some lists are empty, many values are equal.
Lists random_lists(Rng& rng) {
  Lists lists;
  const Index folds = rng.between(1, 12);
  const bool rounded = rng.chance(0.5);
  const auto draw = [&](double scale) {
    const double value = scale * rng.uniform();
    return rounded ? std::round(value) : value;
  };
  for (Index f = 0; f < folds; ++f) {
    lists.shifts.push_back(draw(6) - 3);
    lists.values.emplace_back();
    for (Index i = rng.below(rng.chance(0.2) ? 200 : 8); i > 0; --i)
      lists.values.back().push_back(draw(5));
    std::sort(lists.values.back().begin(), lists.values.back().end());
  }
  return lists;
}

TEST(Intervals, OrderStatisticsOfShiftedListsAreThoseOfTheSortedSums) {
  Rng rng(1);
  for (int trial = 0; trial < 500; ++trial) {
    const auto [shifts, values] = random_lists(rng);
    const std::vector<double> sums = all_sums(shifts, values, 1);
    for (int draw = 0; draw < 5 && !sums.empty(); ++draw) {
      const Index rank = rng.between(1, std::ssize(sums));
      EXPECT_EQ(smallest_of_shifted(shifts, values, rank),
                sums[static_cast<std::size_t>(rank - 1)]);
    }
  }
}

TEST(Intervals, AreTheQuantilesOfThePaper) {
  Rng rng(2);
  for (int trial = 0; trial < 300; ++trial) {
    const auto [shifts, values] = random_lists(rng);
    const auto n = static_cast<double>(all_sums(shifts, values, 1).size());
    for (const double coverage : {0.5, 0.8, 0.9, 0.95}) {
      const double alpha = 1 - coverage;
      const double low = std::floor(alpha * (n + 1) + 1e-9);
      const double high = std::ceil(coverage * (n + 1) - 1e-9);
      Matrix predictions(1, std::ssize(shifts));
      for (std::size_t f = 0; f < shifts.size(); ++f)
        predictions(0, static_cast<Index>(f)) = shifts[f];
      if (low < 1) {
        EXPECT_THROW(cv_plus(predictions, values, coverage), Error);
        continue;
      }
      const IntervalEnds ends = cv_plus(predictions, values, coverage);
      EXPECT_EQ(ends.lower[0], all_sums(shifts, values, -1)[static_cast<std::size_t>(low) - 1]);
      EXPECT_EQ(ends.upper[0], all_sums(shifts, values, 1)[static_cast<std::size_t>(high) - 1]);
    }
  }
}

TEST(Intervals, NeedEnoughRowsAndAPossibleCoverage) {
  const std::vector<std::vector<double>> nine = {{1, 2, 3, 4}, {1, 2, 3, 4, 5}};
  EXPECT_EQ(check_coverage(0.9, nine), 1);  // 0.1 * 10 in spite of rounding
  EXPECT_THROW(check_coverage(0.95, nine), Error);
  for (const double coverage : {0.0, 1.0, -1.0, 2.0, std::nan("")})
    EXPECT_THROW(check_coverage(coverage, nine), UsageError);
  EXPECT_THROW(Model().predict_interval(DenseDesign(nullptr, 0, 0, 0), 0.9), Error);
}

// The fold models of a cross-validation, by the definition: a fit on the other rows.
TEST(FoldModels, AreFitsOnTheOtherRowsWithTheirResiduals) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    Data data = testing::with_random_extras(
        seed, testing::random_data(seed, {.n = 50,
                                          .p = 8,
                                          .k = 3,
                                          .mean = 5,
                                          .weights = seed % 3 == 0 ? testing::WeightKind::integers
                                                                   : testing::WeightKind::none,
                                          .intercept = seed % 4 != 0}));
    std::vector<int> labels(50);
    for (std::size_t i = 0; i < 50; ++i) labels[i] = static_cast<int>(i % 5);
    const OwnedProblem owned(data);
    const CrossValidation cv = cross_validate(*owned, {.fold_labels = labels, .fold_models = true});
    ASSERT_EQ(cv.model().folds.size(), 5U);
    for (int f = 0; f < 5; ++f) {
      const FoldModel& fold = cv.model().folds[static_cast<std::size_t>(f)];
      std::vector<Index> kept, out;
      for (Index i = 0; i < 50; ++i)
        (labels[static_cast<std::size_t>(i)] == f ? out : kept).push_back(i);
      Data training = data.rows(kept);
      training.ridge = cv.best().ridge;
      const OwnedProblem part(training);
      const Iterate at = refit(*part, fold.at.support);
      EXPECT_NEAR(at.intercept, fold.at.intercept, 1e-8);
      EXPECT_LT((at.coefficients - fold.at.coefficients).norm(), 1e-8);
      std::vector<double> residuals;
      for (const Index i : out) {
        if (data.weight(i) == 0) continue;
        double rest = data.y[i] - at.intercept;
        for (std::size_t l = 0; l < at.support.size(); ++l)
          rest -= at.coefficients[static_cast<Index>(l)] * data.X(i, at.support[l]);
        residuals.push_back(std::abs(rest));
      }
      std::sort(residuals.begin(), residuals.end());
      ASSERT_EQ(residuals.size(), fold.residuals.size());
      for (std::size_t i = 0; i < residuals.size(); ++i)
        EXPECT_NEAR(residuals[i], fold.residuals[i], 1e-8);
      for (const Index j : data.include)
        EXPECT_TRUE(std::ranges::binary_search(fold.at.support, j));
    }
  }
}

Data some_data(Index n = 60) { return testing::random_data(3, {.n = n, .p = 6, .k = 2}); }

TEST(FoldModels, OfRepeatsAreThoseOfTheFirstPartition) {
  const OwnedProblem owned(some_data());
  const CrossValidation cv =
      cross_validate(*owned, {.folds = 5, .repeats = 3, .tune = Tune::k, .fold_models = true});
  ASSERT_EQ(cv.model().folds.size(), 5U);
  std::size_t rows = 0;
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(cv.model().folds[f].at.support, cv.fold_supports[f]);
    rows += cv.model().folds[f].residuals.size();
  }
  EXPECT_EQ(rows, 60U);
}

TEST(FoldModels, AreKeptOnlyWhereTheyMakeSense) {
  const OwnedProblem owned(some_data());
  EXPECT_TRUE(cross_validate(*owned).model().folds.empty());
  std::vector<Index> first(30), second(30);
  std::iota(first.begin(), first.end(), 0);
  std::iota(second.begin(), second.end(), 30);
  const std::vector<Split> splits = {{first, second}, {second, first}};
  EXPECT_TRUE(
      cross_validate(*owned, {.splits = splits, .fold_models = true}).model().folds.empty());
  const CrossValidation one =
      cross_validate(*owned, {.fold_models = true, .control = {.threads = 1}});
  const CrossValidation two =
      cross_validate(*owned, {.fold_models = true, .control = {.threads = 2}});
  for (std::size_t f = 0; f < 10; ++f)
    EXPECT_EQ(one.model().folds[f].residuals, two.model().folds[f].residuals);
}

// Holding out one row at a time has more folds than are looked at together where p is large; here
// it only has to agree with the definition of the jackknife+.
TEST(FoldModels, OfOneRowEachHaveOneResidual) {
  const Data data = some_data(25);
  const OwnedProblem owned(data);
  const CrossValidation cv = cross_validate(*owned, {.folds = kLeaveOneOut, .fold_models = true});
  ASSERT_EQ(cv.model().folds.size(), 25U);
  for (const FoldModel& fold : cv.model().folds) EXPECT_EQ(fold.residuals.size(), 1U);
  const Intervals values = cv.model().predict_interval(*(*owned).design, 0.9);
  for (Index i = 0; i < 25; ++i) EXPECT_LT(values.lower[i], values.upper[i]);
}

TEST(ModelFiles, KeepFoldModelsToTheLastBit) {
  const OwnedProblem owned(some_data());
  const CrossValidation cv = cross_validate(*owned, {.fold_models = true, .models = true});
  const Model again = model_from_json(model_to_json(cv));
  ASSERT_EQ(again.folds.size(), 10U);
  for (std::size_t f = 0; f < 10; ++f) {
    const FoldModel &one = cv.model().folds[f], &other = again.folds[f];
    EXPECT_EQ(one.residuals, other.residuals);
    EXPECT_EQ(one.names, other.names);
    EXPECT_EQ(one.at.intercept, other.at.intercept);
    EXPECT_EQ(one.at.coefficients, other.at.coefficients);
  }
  // The printed result has no number for every row.
  EXPECT_EQ(to_json(cv).find("\"residuals\""), std::string::npos);
  EXPECT_TRUE(model_from_json(to_json(cv)).folds.empty());
}

TEST(ModelFiles, HaveAllSizesToChooseFrom) {
  const OwnedProblem owned(some_data());
  const CrossValidation cv = cross_validate(*owned, {.models = true, .tune_ridge = false});
  const std::string text = model_to_json(cv), path = to_json(lass0::path(*owned));
  for (const std::string& file : {text, path}) {
    for (Index k = 0; k <= cv.table.max_k(); ++k) {
      const Model model = model_from_json(file, {.k = k});
      ASSERT_EQ(std::ssize(model.at.support), k);
      const Iterate exact = refit(*owned, cv.table.at_k(k).support);
      for (Index l = 0; l < k; ++l)
        EXPECT_NEAR(model.at.coefficients[l], exact.coefficients[l], 1e-9);
    }
    for (double lambda = 1e-3; lambda < 1e3; lambda *= 1.7) {
      const Model model = model_from_json(file, {.lambda = lambda});
      EXPECT_EQ(std::ssize(model.at.support), std::ssize(cv.table.at_lambda(lambda).support));
    }
    EXPECT_TRUE(model_from_json(file, {.lambda = 1e300}).at.support.empty());
    EXPECT_THROW(model_from_json(file, {.k = 99}), Error);
  }
  EXPECT_EQ(model_from_json(text).at.coefficients, cv.model().at.coefficients);
  EXPECT_THROW(model_from_json(path), Error);
  EXPECT_THROW(model_from_json(to_json(cv), {.k = 1}), Error);
  EXPECT_EQ(model_from_json(to_json(cv)).at.coefficients, cv.model().at.coefficients);
}

}  // namespace
}  // namespace lass0
