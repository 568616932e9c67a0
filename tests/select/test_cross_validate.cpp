// Cross-validation against its definition: split the rows, fit, look at the others.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <numeric>

#include "select/folds.hpp"
#include "support/errors.hpp"
#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

std::vector<int> random_labels(Rng& rng, const Data& data, int folds) {
  std::vector<int> labels;
  for (Index i = 0; i < data.n(); ++i)
    labels.push_back(i < 2 * folds ? static_cast<int>(i) % folds
                                   : static_cast<int>(rng.below(folds)));
  return labels;
}

Data plain_data(std::uint64_t seed, Index n = 60, Index p = 10) {
  return random_data(seed, {.n = n, .p = p, .k = 4, .rho = 0.5, .snr = 3, .mean = 2});
}

void expect_same_curve(const CrossValidation& a, const CrossValidation& b, double tolerance) {
  ASSERT_EQ(a.curve.size(), b.curve.size());
  for (std::size_t i = 0; i < a.curve.size(); ++i) {
    const CurvePoint &one = a.curve[i], &other = b.curve[i];
    EXPECT_NEAR(one.lambda, other.lambda, tolerance * one.lambda);
    EXPECT_EQ(one.k, other.k);
    EXPECT_NEAR(one.mean_error, other.mean_error, tolerance * one.mean_error);
    EXPECT_NEAR(one.se, other.se, tolerance * one.mean_error);
    EXPECT_NEAR(one.mean_size, other.mean_size, 1e-12);
  }
  EXPECT_EQ(a.chosen, b.chosen);
  EXPECT_EQ(a.model().at.support, b.model().at.support);
}

TEST(CrossValidate, ErrorsAreThoseOfTheDefinition) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Data data = random_general_data(seed, 12);
    if (data.n() < 30) continue;  // no perfect fits, of which there are many
    for (Index i = 0; i < 6 && data.w.size() > 0; ++i) data.w[i] = std::max(data.w[i], 0.5);
    Rng rng(seed);
    const OwnedProblem problem(data);
    const std::vector<int> labels = random_labels(rng, data, 3);
    SCOPED_TRACE(describe(data) + ", seed " + std::to_string(seed));
    const CrossValidation cv = cross_validate(problem, {.fold_labels = labels,
                                                        .tune = Tune::k,
                                                        .rule = Rule::min,
                                                        .max_k = 5,
                                                        .tune_ridge = false});
    ASSERT_EQ(cv.fold_errors.rows(), 3);
    for (int f = 0; f < 3; ++f) {
      const Split parts = split(data, labels, f);
      const OwnedProblem training(parts.training);
      const SupportTable table = best_supports(*training, {.max_k = 5});
      for (Index k = 0; k < std::ssize(cv.curve); ++k) {
        const double expected = error_by_definition(parts, table.at_k(k).support);
        EXPECT_NEAR(cv.fold_errors(f, k), expected, 1e-9 * expected + 1e-20) << f << " " << k;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 400);
}

TEST(CrossValidate, TheModelWithNoColumnIsTheMeanOfTheTrainingRows) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Data data = random_general_data(seed, 8);
    if (data.n() < 30) continue;
    Rng rng(seed);
    const OwnedProblem problem(data);
    const std::vector<int> labels = random_labels(rng, data, 3);
    SCOPED_TRACE(describe(data) + ", seed " + std::to_string(seed));
    const CrossValidation cv = cross_validate(problem, {.fold_labels = labels,
                                                        .tune = Tune::k,
                                                        .rule = Rule::min,
                                                        .max_k = 4,
                                                        .tune_ridge = false});
    double squares = 0, total = 0;
    for (int f = 0; f < 3; ++f) {
      double sum = 0, weight = 0;
      for (Index i = 0; i < data.n(); ++i) {
        if (labels[static_cast<std::size_t>(i)] == f) continue;
        sum += data.weight(i) * data.y[i];
        weight += data.weight(i);
      }
      const double mean = static_cast<const Problem&>(problem).intercept ? sum / weight : 0;
      for (Index i = 0; i < data.n(); ++i) {
        if (labels[static_cast<std::size_t>(i)] != f) continue;
        squares += data.weight(i) * std::pow(data.y[i] - mean, 2);
        total += data.weight(i);
      }
    }
    EXPECT_NEAR(cv.null_model.mean_error, squares / total, 1e-9 * squares / total);
    const double expected =
        cv.model().at.support.empty() ? 0 : 1 - cv.best().mean_error * total / squares;
    EXPECT_NEAR(cv.held_out_r_squared(), expected, 1e-9);
    if (data.include.empty()) {
      EXPECT_NEAR(cv.curve.front().mean_error, cv.null_model.mean_error,
                  1e-9 * cv.null_model.mean_error);
      EXPECT_NEAR(cv.curve.front().se, cv.null_model.se, 1e-7 * cv.null_model.mean_error);
    }
  }
}

TEST(CrossValidate, AtALambdaEachTrainingSetTakesItsOwnRow) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Data data = plain_data(seed, seed % 2 ? 60 : 24, seed % 2 ? 10 : 30);
    const OwnedProblem problem(data);
    Rng rng(seed);
    const std::vector<int> labels = random_labels(rng, data, 4);
    const CrossValidation cv = cross_validate(
        problem, {.fold_labels = labels, .rule = Rule::min, .lambdas = 20, .tune_ridge = false});
    std::vector<double> sizes(cv.curve.size(), 0.0);
    for (int f = 0; f < 4; ++f) {
      const Split parts = split(data, labels, f);
      const OwnedProblem training(parts.training);
      const SupportTable table = best_supports(*training);
      for (std::size_t i = 0; i < cv.curve.size(); ++i) {
        const TableRow& row = table.at_lambda(cv.curve[i].lambda);
        const double expected = error_by_definition(parts, row.support);
        EXPECT_NEAR(cv.fold_errors(f, static_cast<Index>(i)), expected, 1e-9 * expected);
        sizes[i] += static_cast<double>(row.support.size()) / 4;
        // Where the table ends, and there are more columns, its last row may not be the answer.
        if (table.max_k() < data.p()) {
          EXPECT_LT(std::ssize(row.support), table.max_k());
        }
      }
    }
    for (std::size_t i = 0; i < cv.curve.size(); ++i)
      EXPECT_NEAR(cv.curve[i].mean_size, sizes[i], 1e-12);
    EXPECT_TRUE(cv.table.at_lambda(cv.curve.front().lambda).support.empty());
    EXPECT_GT(cv.curve.size(), 1u);
  }
}

TEST(CrossValidate, TheOrderOfTheRowsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data data = plain_data(seed);
    Rng rng(seed);
    const std::vector<int> labels = random_labels(rng, data, 5);
    const std::vector<Index> order = rng.permutation(data.n());
    std::vector<int> permuted;
    for (const Index i : order) permuted.push_back(labels[i]);
    const OwnedProblem one(data), other(data.rows(order));
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      expect_same_curve(cross_validate(one, {.fold_labels = labels, .tune = tune}),
                        cross_validate(other, {.fold_labels = permuted, .tune = tune}), 1e-9);
    }
  }
}

TEST(CrossValidate, AWeightOf2IsTheRowTwiceInTheSameFold) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Data data = plain_data(seed, 50, 8);
    Rng rng(seed);
    data.w.resize(data.n());
    std::vector<Index> repeated;
    std::vector<int> each, groups;
    for (Index i = 0; i < data.n(); ++i) {
      data.w[i] = static_cast<double>(rng.below(4));
      each.push_back(static_cast<int>(i));
      for (int copy = 0; copy < data.w[i]; ++copy) {
        repeated.push_back(i);
        groups.push_back(static_cast<int>(i));
      }
    }
    Data rows = data.rows(repeated);
    rows.w.resize(0);
    const OwnedProblem weighted(data), plain(rows);
    // Sizes of the tables follow the number of rows, so they are given.
    const auto options = [&](std::span<const int> labels) {
      return CrossValidateOptions{
          .folds = 5, .groups = labels, .seed = seed, .tune = Tune::k, .max_k = 8};
    };
    expect_same_curve(cross_validate(weighted, options(each)),
                      cross_validate(plain, options(groups)), 1e-9);
  }
}

TEST(CrossValidate, TheSameFoldsGivenAsLabelsGiveTheSame) {
  const OwnedProblem problem(plain_data(3));
  const Partition partition = make_partitions(problem, {.folds = 6, .seed = 4}).front();
  const CrossValidation made =
      cross_validate(problem, {.folds = 6, .seed = 4, .rule = Rule::min, .tune_ridge = false});
  const CrossValidation given = cross_validate(
      problem, {.fold_labels = partition.labels, .rule = Rule::min, .tune_ridge = false});
  expect_same_curve(made, given, 0);
  EXPECT_EQ(made.fold_errors, given.fold_errors);
  EXPECT_EQ(made.fold_rows, std::vector<Index>(6, 10));
  EXPECT_NE(cross_validate(problem, {.folds = 6, .seed = 5, .rule = Rule::min, .tune_ridge = false})
                .fold_errors,
            made.fold_errors);
}

TEST(CrossValidate, AnyNumberOfThreadsGivesTheSameBits) {
  for (const Index p : {12, 50}) {
    Data data = plain_data(7, 50, p);
    data.include = {3};
    const OwnedProblem problem(data);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      CrossValidateOptions options{
          .folds = 5, .repeats = p == 12 ? 2 : 1, .tune = tune, .tune_ridge = p == 12};
      options.control.threads = 1;
      const CrossValidation one = cross_validate(problem, options);
      for (const int threads : {2, 4}) {
        options.control.threads = threads;
        const CrossValidation other = cross_validate(problem, options);
        EXPECT_EQ(one.fold_errors, other.fold_errors);
        EXPECT_EQ(one.model().at.coefficients, other.model().at.coefficients);
        expect_same_curve(one, other, 0);
      }
    }
  }
}

// Too many columns for a whole Gram matrix: then one fold after the other, on all threads.
// The sums of the other rows are what is left of sums that one row dominates; the errors must be
// those of a training set that never saw it.
TEST(CrossValidate, OneEnormousRowDoesNotSpoilTheFoldsWithoutIt) {
  for (const double enormous : {1e6, 1e8, 1e11}) {
    Data data = plain_data(5, 60, 4);
    data.X(7, 1) = enormous;
    std::vector<int> labels(60);
    for (int i = 0; i < 60; ++i) labels[static_cast<std::size_t>(i)] = i % 5;
    const OwnedProblem problem(data);
    CrossValidateOptions options{.rule = Rule::min, .tune_ridge = false};
    options.tune = Tune::k;
    options.fold_labels = labels;
    const CrossValidation cv = cross_validate(problem, options);
    for (int fold = 0; fold < 5; ++fold) {
      std::vector<Index> kept, held_out;
      for (Index i = 0; i < 60; ++i) (i % 5 == fold ? held_out : kept).push_back(i);
      const OwnedProblem training(data.rows(kept)), test(data.rows(held_out));
      for (Index k = 0; k < std::ssize(cv.curve); ++k) {
        const Fit fit = lass0::fit(training, {.goal = OfSize{k}});
        const double error = residual_sum_of_squares(test, fit.model.at) / 12;
        EXPECT_NEAR(cv.fold_errors(fold, k), error, 1e-8 * error) << enormous << " " << fold;
      }
    }
  }
}

// The training set without it has weights that a difference of sums would lose.
TEST(CrossValidate, OneHeavyRowDoesNotSpoilTheFoldWithoutIt) {
  for (const double heavy : {1e6, 1e12, 1e15, 1e16}) {
    Data data = plain_data(3);
    data.w = Vector::Constant(data.n(), 0.03);
    data.w[7] = heavy;
    const OwnedProblem problem(data);
    Rng rng(3);
    const std::vector<int> labels = random_labels(rng, data, 4);
    const CrossValidation cv = cross_validate(
        problem, {.fold_labels = labels, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
    EXPECT_NEAR(cv.curve.front().mean_error, cv.null_model.mean_error,
                1e-9 * cv.null_model.mean_error)
        << heavy;
    const Split parts = split(data, labels, labels[7]);
    const OwnedProblem training(parts.training);
    const double expected = error_by_definition(parts, best_supports(*training).at_k(2).support);
    EXPECT_NEAR(cv.fold_errors(labels[7], 2), expected, 1e-8 * expected) << heavy;
  }
}

TEST(CrossValidate, SoItDoesWithManyColumns) {
  const OwnedProblem problem(plain_data(8, 24, 2100));
  CrossValidateOptions options{.folds = 3};
  options.control.threads = 1;
  const CrossValidation one = cross_validate(problem, options);
  options.control.threads = 4;
  const CrossValidation other = cross_validate(problem, options);
  EXPECT_EQ(one.fold_errors, other.fold_errors);
  expect_same_curve(one, other, 0);
}

TEST(CrossValidate, LeaveOneOutWithoutSelectionIsPress) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data data = plain_data(seed, 30, 4);
    const OwnedProblem problem(data);
    const CrossValidation cv = cross_validate(
        problem, {.folds = kLeaveOneOut, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
    ASSERT_EQ(cv.curve.back().k, 4);
    Matrix A(data.n(), 5);
    A << Vector::Ones(data.n()), data.X;
    const Matrix hat = A * (A.transpose() * A).inverse() * A.transpose();
    const Vector residual = data.y - hat * data.y;
    const Vector press = residual.array() / (1 - hat.diagonal().array());
    EXPECT_NEAR(cv.curve.back().mean_error, press.squaredNorm() / 30,
                1e-9 * cv.curve.back().mean_error);
    for (Index i = 0; i < data.n(); ++i)
      EXPECT_NEAR(cv.fold_errors(i, 4), press[i] * press[i], 1e-9 * cv.curve.back().mean_error);
  }
}

TEST(CrossValidate, RepeatsAverageOverAllFolds) {
  const OwnedProblem problem(plain_data(5));
  const auto partitions = make_partitions(problem, {.folds = 4, .repeats = 3, .seed = 2});
  const CrossValidation cv = cross_validate(problem, {.folds = 4,
                                                      .repeats = 3,
                                                      .seed = 2,
                                                      .tune = Tune::k,
                                                      .rule = Rule::min,
                                                      .tune_ridge = false});
  EXPECT_EQ(cv.folds, 12);
  Index row = 0;
  for (const Partition& partition : partitions) {
    const CrossValidation one = cross_validate(
        problem,
        {.fold_labels = partition.labels, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
    const Matrix part = cv.fold_errors.middleRows(row, 4);
    const double largest = part.maxCoeff();
    EXPECT_LT((part - one.fold_errors).cwiseAbs().maxCoeff(), 1e-10 * largest);
    row += 4;
  }
  for (Index k = 0; k < std::ssize(cv.curve); ++k)
    EXPECT_NEAR(cv.curve[k].mean_error, cv.fold_errors.col(k).mean(), 1e-12);
}

// Of many rows and few columns, all partitions come from the sums of small folds that they share.
TEST(CrossValidate, RepeatsOfManyRowsAreThoseOfTheirFolds) {
  for (const bool grouped : {false, true}) {
    Data data = plain_data(6, 4200, 5);
    data.X.col(1).array() += 1e4;  // a mean that sums must not lose digits to
    const OwnedProblem problem(data);
    std::vector<int> groups;
    for (int i = 0; grouped && i < 4200; ++i) groups.push_back(i / 2);
    const CrossValidateOptions options{.folds = 4,
                                       .groups = groups,
                                       .repeats = 3,
                                       .seed = 3,
                                       .tune = Tune::k,
                                       .rule = Rule::min,
                                       .tune_ridge = false};
    const auto partitions = make_partitions(problem, options);
    ASSERT_EQ(partitions.size(), 3u);
    const CrossValidation cv = cross_validate(problem, options);
    Index row = 0;
    for (const Partition& partition : partitions) {
      ASSERT_TRUE(partition.cells);
      EXPECT_EQ(partition.cells, partitions.front().cells);
      if (&partition != &partitions.front()) {
        EXPECT_NE(partition.labels, partitions.front().labels);
      }
      std::vector<Index> rows(4, 0);
      for (std::size_t i = 0; i < 4200; ++i) {
        ++rows[static_cast<std::size_t>(partition.labels[i])];
        if (grouped) {
          EXPECT_EQ(partition.labels[i], partition.labels[i - i % 2]);
        }
      }
      for (const Index count : rows) EXPECT_NEAR(static_cast<double>(count), 1050, 40);
      const CrossValidation one = cross_validate(problem, {.fold_labels = partition.labels,
                                                           .tune = Tune::k,
                                                           .rule = Rule::min,
                                                           .tune_ridge = false});
      ASSERT_EQ(cv.fold_errors.cols(), one.fold_errors.cols());
      const Matrix part = cv.fold_errors.middleRows(row, 4);
      EXPECT_LT((part - one.fold_errors).cwiseAbs().maxCoeff(), 1e-9 * part.maxCoeff());
      row += 4;
    }
  }
}

// Sums of squares lose the digits of a residual that is 1e-8 of the target.
TEST(CrossValidate, NearlyPerfectAndNearlyDependentColumnsKeepTheirDigits) {
  for (const double noise : {0.0, 1e-9, 1e-6}) {
    Data data = plain_data(11, 60, 6);
    Rng rng(5);
    data.append(scaled_copy(data, 2, 1));
    for (Index i = 0; i < data.n(); ++i) {
      data.X(i, 6) += 1e-4 * rng.normal();
      data.y[i] = 10 + data.X(i, 0) - 2 * data.X(i, 2) + 1e3 * (data.X(i, 6) - data.X(i, 2)) +
                  noise * rng.normal();
    }
    const OwnedProblem problem(data);
    const std::vector<int> labels = random_labels(rng, data, 4);
    const CrossValidation cv = cross_validate(
        problem, {.fold_labels = labels, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
    ASSERT_GE(std::ssize(cv.curve), 4);
    EXPECT_EQ(cv.best().k, 3);
    for (int f = 0; f < 4; ++f) {
      const Split parts = split(data, labels, f);
      const double expected = error_by_definition(parts, cv.table.at_k(3).support);
      EXPECT_NEAR(cv.fold_errors(f, 3), expected, 1e-2 * expected + 1e-22);
    }
  }
}

TEST(CrossValidate, AConstantTargetOrColumnsWithoutVariationGiveTheMean) {
  Data data = plain_data(1, 12, 3);
  data.y.setConstant(0.1);
  const OwnedProblem constant(data);
  for (const Tune tune : {Tune::lambda, Tune::k}) {
    const CrossValidation cv = cross_validate(
        constant, {.folds = 3, .tune = tune, .rule = Rule::min, .tune_ridge = false});
    EXPECT_EQ(cv.curve.size(), 1u);
    EXPECT_LT(cv.best().mean_error, 1e-30);
    EXPECT_TRUE(cv.model().at.support.empty());
    EXPECT_NEAR(cv.model().at.intercept, 0.1, 1e-16);
  }
  data = plain_data(1, 12, 2);
  data.X.col(0).setConstant(3);
  data.X.col(1).setZero();
  data.X(4, 1) = 1;  // varies in one row only: constant in the training set without it
  const OwnedProblem flat(data);
  const CrossValidation cv = cross_validate(
      flat, {.folds = kLeaveOneOut, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
  EXPECT_EQ(cv.curve.size(), 1u);
}

TEST(CrossValidate, IsStoppedWithTheFoldsSoFar) {
  const OwnedProblem problem(plain_data(2, 100, 20));
  std::atomic<bool> stop{false};
  CrossValidateOptions options{
      .folds = 10, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false};
  options.control.keep_going = [&] { return !stop; };
  options.control.progress = [&](std::string_view what, double) {
    if (what.find("fold 7 of 10") != what.npos) stop = true;
  };
  const CrossValidation cv = cross_validate(problem, options);
  EXPECT_EQ(cv.status, Status::interrupted);
  EXPECT_EQ(cv.folds, 10);
  EXPECT_EQ(cv.fold_rows.size(), 6u);
  EXPECT_EQ(cv.fold_errors.rows(), 6);
  const CrossValidation whole = cross_validate(
      problem, {.folds = 10, .tune = Tune::k, .rule = Rule::min, .tune_ridge = false});
  EXPECT_EQ(whole.fold_errors.topRows(6), cv.fold_errors);
  EXPECT_EQ(std::ssize(cv.model().at.support), cv.best().k);

  options.control = {.keep_going = [] { return false; }};
  EXPECT_THROW(cross_validate(problem, options), Error);
  options.control = {.time_limit = 0};
  EXPECT_THROW(cross_validate(problem, options), Error);
}

TEST(CrossValidate, StoppedWhileALongCurveIsDrawnHasAShortOneOfAllFolds) {
  const OwnedProblem problem(plain_data(2, 100, 20));
  std::atomic<bool> stop{false};
  CrossValidateOptions options{
      .folds = 10, .rule = Rule::min, .lambdas = kMostLambdas, .tune_ridge = false};
  options.control.keep_going = [&] { return !stop; };
  options.control.progress = [&](std::string_view what, double) {
    if (what == "cross-validation: curve") stop = true;
  };
  const CrossValidation cv = cross_validate(problem, options);
  EXPECT_EQ(cv.status, Status::interrupted);
  EXPECT_EQ(cv.fold_rows.size(), 10u);
  EXPECT_EQ(cv.curve.size(), 100u);
  EXPECT_EQ(cv.fold_errors.cols(), 100);
  const CrossValidation whole =
      cross_validate(problem, {.folds = 10, .rule = Rule::min, .tune_ridge = false});
  EXPECT_EQ(whole.fold_errors, cv.fold_errors);
  EXPECT_EQ(whole.chosen, cv.chosen);
}

TEST(CrossValidate, OptionsThatMakeNoSenseAreRefused) {
  const OwnedProblem problem(plain_data(2));
  EXPECT_THROW(cross_validate(problem, {.rule = Rule::min, .lambdas = 1, .tune_ridge = false}),
               UsageError);
  EXPECT_THROW(cross_validate(
                   problem, {.rule = Rule::min, .lambdas = kMostLambdas + 1, .tune_ridge = false}),
               UsageError);
  EXPECT_THROW(cross_validate(problem, {.rule = Rule::min, .max_k = -2, .tune_ridge = false}),
               UsageError);
  EXPECT_THROW(
      cross_validate(problem,
                     {.rule = Rule::min, .start = Start::Method::empty, .tune_ridge = false}),
      UsageError);
  EXPECT_THROW(
      cross_validate(
          problem,
          {.tune = Tune::k, .rule = Rule::min, .start = Start::Method::paper, .tune_ridge = false}),
      UsageError);
  EXPECT_THROW(cross_validate(problem, {.folds = 61, .rule = Rule::min, .tune_ridge = false}),
               Error);
}

TEST(CrossValidate, LargestSizesEndTheCurve) {
  const OwnedProblem problem(plain_data(4));
  EXPECT_EQ(
      cross_validate(problem, {.tune = Tune::k, .rule = Rule::min, .max_k = 3, .tune_ridge = false})
          .curve.back()
          .k,
      3);
  const CrossValidation cv =
      cross_validate(problem, {.rule = Rule::min, .max_k = 3, .tune_ridge = false});
  EXPECT_GT(cv.curve.back().mean_size, 1);
  EXPECT_LE(cv.curve.back().mean_size, 3);
  EXPECT_LE(std::ssize(cv.table.at_lambda(cv.curve.back().lambda).support), 3);
}

// Which columns folds chose, by definition: the table of the training rows at the chosen lambda.
TEST(CrossValidate, FoldSupportsAreThoseOfTheTrainingRowsAndModelsSayHowOftenTheyChose) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Data data = random_data(seed, {.n = 60, .p = 12, .k = 4, .rho = 0.6, .snr = 1});
    const DenseDesign design(data.X);
    Problem problem{.design = &design, .y = std::span(data.y.data(), 60)};
    const std::vector<Index> include = {3};
    if (seed % 2 == 0) problem.include = include;
    std::vector<int> labels;
    for (int i = 0; i < 60; ++i) labels.push_back(i % 5);
    const CrossValidation cv =
        cross_validate(problem, {.fold_labels = labels, .rule = Rule::one_se});
    ASSERT_EQ(cv.fold_supports.size(), 5u);
    std::vector<Index> times(12, 0);
    for (int f = 0; f < 5; ++f) {
      std::vector<double> kept;
      for (const int label : labels) kept.push_back(label == f ? 0 : 1);
      Problem training = problem;
      training.weights = kept;
      training.ridge = cv.best().ridge;
      const SupportTable table = best_supports(training);
      const std::vector<Index>& support = table.at_lambda(cv.best().lambda).support;
      EXPECT_EQ(cv.fold_supports[static_cast<std::size_t>(f)], support) << seed << ' ' << f;
      for (const Index j : support) ++times[static_cast<std::size_t>(j)];
    }
    if (seed % 2 == 0) times[3] = 5;
    ASSERT_TRUE(cv.fit.chosen_in_folds);
    EXPECT_EQ(cv.fit.chosen_in_folds->folds, 5);
    const std::vector<Index>& chosen = cv.model().at.support;
    ASSERT_EQ(cv.fit.chosen_in_folds->times.size(), chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i)
      EXPECT_EQ(cv.fit.chosen_in_folds->times[i], times[static_cast<std::size_t>(chosen[i])]);
  }
}

}  // namespace
}  // namespace lass0::testing
