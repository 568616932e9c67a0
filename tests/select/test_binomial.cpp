// Cross-validation, criteria and stability of a target of two classes, against fits by definition.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/error.hpp>
#include <lass0/path.hpp>
#include <lass0/stability.hpp>

#include "select/folds.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

template <class Call>
void expect_error(const Call& call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

LogisticData rows_of(const LogisticData& logistic, const std::vector<Index>& rows) {
  LogisticData some{logistic.data.rows(rows), {}};
  if (logistic.offset.size() > 0) some.offset = logistic.offset(rows);
  return some;
}

LogisticData example(std::uint64_t seed, const LogisticSpec& spec = {}) {
  Rng rng(seed);
  return random_logistic(spec, rng);
}

double eta_of(const LogisticData& logistic, const Iterate& at, Index i) {
  double eta = at.intercept + (logistic.offset.size() > 0 ? logistic.offset[i] : 0);
  for (std::size_t l = 0; l < at.support.size(); ++l)
    eta += at.coefficients[static_cast<Index>(l)] * logistic.data.X(i, at.support[l]);
  return eta;
}

// The weight of all rows times their mean measure, from the definitions.
double measured_by_definition(Measure measure, const LogisticData& rows, const Iterate& at) {
  double sum = 0, weight = 0, pairs = 0, wrong = 0;
  for (Index i = 0; i < rows.data.n(); ++i) {
    const double w = rows.data.weight(i), eta = eta_of(rows, at, i), y = rows.data.y[i];
    const double p = 1 / (1 + std::exp(-eta));
    weight += w;
    if (measure == Measure::deviance) sum -= 2 * w * std::log(y > 0 ? p : 1 - p);
    if (measure == Measure::error) sum += w * ((p >= 0.5) != (y > 0));
    if (measure == Measure::brier) sum += w * (y - p) * (y - p);
    for (Index j = 0; j < rows.data.n(); ++j) {
      if (!(y > 0) || rows.data.y[j] > 0) continue;
      const double both = w * rows.data.weight(j), other = eta_of(rows, at, j);
      pairs += both;
      wrong += both * (other > eta ? 1 : other == eta ? 0.5 : 0);
    }
  }
  return measure == Measure::auc ? weight * wrong / pairs : sum;
}

// Every training set a problem of its own rows, and every measure by its definition.
TEST(BinomialCrossValidation, ErrorsAreThoseOfFitsOnTheOtherRows) {
  const std::vector<LogisticSpec> specs = {
      {.n = 120, .p = 6, .k = 2},
      {.n = 150, .p = 6, .k = 2, .weights = true, .offset = true},
      {.n = 120, .p = 6, .k = 2, .intercept = false, .standardize = false, .ridge = 2}};
  for (const LogisticSpec& spec : specs) {
    const LogisticData logistic = example(3, spec);
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    std::vector<int> labels;
    for (Index i = 0; i < spec.n; ++i) labels.push_back(static_cast<int>(i % 4));
    for (const Measure measure :
         {Measure::deviance, Measure::auc, Measure::error, Measure::brier}) {
      SCOPED_TRACE(to_string(measure));
      const CrossValidation cv = cross_validate(problem, {.fold_labels = labels,
                                                          .tune = Tune::k,
                                                          .measure = measure,
                                                          .max_k = 3,
                                                          .tune_ridge = false});
      ASSERT_EQ(cv.curve.size(), 4u);
      EXPECT_EQ(cv.measure, measure);
      for (int f = 0; f < 4; ++f) {
        std::vector<Index> kept, held_out;
        for (Index i = 0; i < spec.n; ++i) (i % 4 == f ? held_out : kept).push_back(i);
        const LogisticData training = rows_of(logistic, kept), test = rows_of(logistic, held_out);
        const DenseDesign own(training.data.X);
        const Path path = lass0::path(problem_of(training, own), {.max_k = 3});
        for (std::size_t k = 0; k <= 3; ++k) {
          const auto exact = logistic_by_definition(training, path.table.rows[k].support);
          ASSERT_TRUE(exact);
          const double error = measured_by_definition(measure, test, exact->at);
          const double weight = cv.fold_weights[static_cast<std::size_t>(f)];
          // Quick tables end their fits a little early: newton.hpp, kNearlySettledFit.
          EXPECT_NEAR(cv.fold_errors(f, static_cast<Index>(k)), error / weight, 1e-4);
        }
      }
    }
  }
}

TEST(BinomialCrossValidation, LinksOfHeldOutRowsAreThoseOfTheFoldModels) {
  const LogisticData logistic = example(5, {.n = 120, .p = 6, .k = 2, .offset = true});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const CrossValidateOptions options{.folds = 4, .tune = Tune::k, .max_k = 3, .tune_ridge = false};
  const CrossValidation cv = cross_validate(problem, options);
  const Partition folds = make_partitions(problem, options).front();
  ASSERT_EQ(cv.held_out_links.size(), 120);
  for (int f = 0; f < 4; ++f) {
    std::vector<Index> kept;
    for (Index i = 0; i < 120; ++i) {
      if (folds.labels[static_cast<std::size_t>(i)] != f) kept.push_back(i);
    }
    const auto exact = logistic_by_definition(rows_of(logistic, kept),
                                              cv.fold_supports[static_cast<std::size_t>(f)]);
    for (Index i = 0; i < 120; ++i) {
      if (folds.labels[static_cast<std::size_t>(i)] != f) continue;
      EXPECT_NEAR(cv.held_out_links[i], eta_of(logistic, exact->at, i), 1e-6);
    }
  }
}

TEST(BinomialCrossValidation, FoldsHaveTheSameShareOfBothClasses) {
  LogisticData logistic = example(7, {.n = 103, .p = 3, .k = 1});
  for (Index i = 0; i < 103; ++i) logistic.data.y[i] = i % 9 == 0 ? 1 : 0;  // 12 ones
  const DenseDesign design(logistic.data.X);
  const Partition folds = make_partitions(problem_of(logistic, design), {.folds = 5}).front();
  std::vector<int> ones(5, 0), all(5, 0);
  for (std::size_t i = 0; i < 103; ++i) {
    ++all[static_cast<std::size_t>(folds.labels[i])];
    if (logistic.data.y[static_cast<Index>(i)] > 0)
      ++ones[static_cast<std::size_t>(folds.labels[i])];
  }
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_TRUE(ones[f] == 2 || ones[f] == 3);
    EXPECT_TRUE(all[f] == 20 || all[f] == 21);
  }
}

TEST(BinomialCrossValidation, AClassThatIsMissingIsNamed) {
  LogisticData logistic = example(9, {.n = 60, .p = 3, .k = 1});
  logistic.data.y.setZero();
  const DenseDesign design(logistic.data.X);
  expect_error([&] { cross_validate(problem_of(logistic, design), {}); },
               "every target is 0: the family binomial needs rows of both classes");
  logistic.data.y[7] = 1;
  expect_error([&] { cross_validate(problem_of(logistic, design), {.folds = 5}); },
               "on the other rows every target is 0");
}

TEST(BinomialCrossValidation, AMeasureOfAnotherFamilyIsRefused) {
  const LogisticData logistic = example(9, {.n = 60, .p = 3, .k = 1});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  expect_error([&] { cross_validate(problem, {.measure = Measure::mse}); },
               "the measure mse does not work with the family binomial: use one of deviance, auc");
}

// A ridge is chosen too, threads change nothing, and the chosen model is that of `fit` there.
TEST(BinomialCrossValidation, TheModelIsThatOfFitAtWhatWasChosen) {
  const LogisticData logistic = example(11, {.n = 200, .p = 12, .k = 3, .rho = 0.3});
  const DenseDesign design(logistic.data.X);
  Problem problem = problem_of(logistic, design);
  CrossValidateOptions options{.folds = 5, .tune = Tune::k, .max_k = 6};
  const CrossValidation cv = cross_validate(problem, options);
  EXPECT_GT(cv.ridges.size(), 1u);
  EXPECT_LE(cv.best().mean_error, cv.null_model.mean_error);
  EXPECT_EQ(cv.model().family, Family::binomial);
  problem.ridge = cv.best().ridge;
  const Fit alone = fit(problem, {.goal = OfSize{*cv.best().k}});
  EXPECT_EQ(alone.model.at.support, cv.model().at.support);
  for (const int threads : {2, 3}) {
    options.control.threads = threads;
    const CrossValidation other = cross_validate(problem_of(logistic, design), options);
    EXPECT_EQ(other.chosen, cv.chosen);
    EXPECT_EQ(other.fold_errors, cv.fold_errors);
  }
}

// With very many rows for each column a ridge could save next to nothing, so none is tried.
TEST(BinomialCrossValidation, RidgesAreTriedWhereTheyMaySaveSomething) {
  const LogisticData logistic = example(12, {.n = 3000, .p = 12, .k = 2, .rho = 0.9, .signal = 1});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const auto tried = [](const Problem& of, Index max_k) {
    const CrossValidation cv = cross_validate(of, {.folds = 3, .max_k = max_k});
    EXPECT_EQ(cv.ridges_left_out, cv.ridges.size() == 1 && of.ridge == 0);
    return cv.ridges.size();
  };
  EXPECT_EQ(tried(problem, 2), 1u);
  EXPECT_EQ(tried(problem, 12), 4u);
  Problem with_ridge = problem;
  with_ridge.ridge = 3;
  EXPECT_EQ(cross_validate(with_ridge, {.folds = 3, .max_k = 2}).ridges, std::vector<double>{3});

  // Columns that there are none of cost nothing; included ones do.
  const Matrix first = logistic.data.X.leftCols(5);
  const DenseDesign five(first);
  Problem narrow = problem;
  narrow.design = &five;
  EXPECT_EQ(tried(narrow, 20), 1u);
  const std::vector<Index> two = {0, 1}, ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  Problem with_included = problem;
  with_included.include = ten;
  EXPECT_EQ(tried(with_included, 1), 4u);
  with_included.include = two;
  EXPECT_EQ(tried(with_included, 1), 1u);
  // The scale of the weights is not how many rows there are.
  const std::vector<double> heavy(3000, 1000);
  Problem weighted = problem;
  weighted.weights = heavy;
  EXPECT_EQ(tried(weighted, 2), 1u);
  EXPECT_EQ(tried(weighted, 12), 4u);
}

TEST(BinomialCrossValidation, SplitsAndRepeatsWork) {
  const LogisticData logistic = example(13, {.n = 100, .p = 5, .k = 2});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const CrossValidation repeated =
      cross_validate(problem, {.folds = 3, .repeats = 2, .tune_ridge = false});
  EXPECT_EQ(repeated.fold_errors.rows(), 6);
  EXPECT_TRUE(repeated.held_out_links.allFinite());
  std::vector<lass0::Split> splits(2);
  for (Index i = 0; i < 100; ++i) {
    if (i % 3 != 0) splits[0].train.push_back(i);
    if (i % 3 == 0) splits[0].test.push_back(i);
    if (i % 2 != 0) splits[1].train.push_back(i);
    if (i % 4 == 0) splits[1].test.push_back(i);
  }
  const CrossValidation given = cross_validate(problem, {.splits = splits, .tune_ridge = false});
  EXPECT_EQ(given.fold_errors.rows(), 2);
  EXPECT_TRUE(std::isnan(given.held_out_links[2]));
  EXPECT_TRUE(std::isfinite(given.held_out_links[4]));
}

// Two columns tell the classes apart: a table ends before them, and cross-validation goes by that,
// but a fit that asks for them is an error that names them.
TEST(BinomialCrossValidation, GoesByTablesThatEndBeforeASeparation) {
  LogisticData logistic = example(19, {.n = 120, .p = 5, .k = 2, .rho = 0});
  for (Index i = 0; i < 120; ++i)
    logistic.data.y[i] = logistic.data.X(i, 1) + logistic.data.X(i, 3) > 0.2 ? 1 : 0;
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  for (const Start::Method start : {Start::Method::table, Start::Method::paper}) {
    const CrossValidation cv =
        cross_validate(problem, {.folds = 5, .start = start, .tune_ridge = false});
    EXPECT_LE(cv.fit.k(), 1);
    EXPECT_TRUE(std::isfinite(cv.fit.objective));
  }
  const SupportTable table = lass0::path(problem).table;
  EXPECT_EQ(table.max_k(), 1);
  EXPECT_EQ(table.separated_by, (std::vector<Index>{1, 3}));
  const std::string named = "columns x2, x4 separate the two classes";
  expect_error([&] { fit(problem, {.goal = OfSize{2}}); }, named);
  expect_error([&] { fit(problem, {.goal = AtLambda{0.5}}); }, named);
  expect_error([&] { fit(problem, {.goal = AtLambda{.penalty = {0.5}, .start = Start::paper()}}); },
               "separate");
  Problem with_ridge = problem;
  with_ridge.ridge = 1;
  EXPECT_EQ(fit(with_ridge, {.goal = OfSize{2}}).model.at.support, (std::vector<Index>{1, 3}));
}

// A rare event that only rows of class 1 have: there is no finite model with it, and all others are
// fine. Its columns are in no model, whatever the rule chooses.
TEST(BinomialCrossValidation, ARareColumnOfOneClassIsInNoModel) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    LogisticData logistic = example(seed, {.n = 3000, .p = 5, .k = 2, .rho = 0});
    logistic.data.X.col(4).setZero();
    Index rare = 0;
    for (Index i = 0; i < 3000 && rare < 12; ++i) {
      if (logistic.data.y[i] == 1) logistic.data.X(i, 4) = static_cast<double>(++rare > 0);
    }
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    for (const Tune tune : {Tune::lambda, Tune::k}) {
      const CrossValidation cv =
          cross_validate(problem, {.folds = 5, .tune = tune, .tune_ridge = false});
      EXPECT_EQ(std::ranges::count(cv.fit.model.at.support, 4), 0);
      EXPECT_LT(cv.fit.model.at.coefficients.cwiseAbs().maxCoeff(), 10);
    }
    EXPECT_EQ(std::ranges::count(lass0::path(problem).table.separated_by, 4), 1);
  }
}

// At every lambda, and from the paper's start: never above it.
TEST(BinomialFit, AtALambdaIsNeverAboveThePapersStart) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const LogisticData logistic = example(100 + seed, {.n = 100, .p = 12, .k = 4, .rho = 0.7});
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    for (const double lambda : {0.5, 1.5, 4.0}) {
      const Fit ours = fit(problem, {.goal = AtLambda{lambda}});
      const Fit papers =
          fit(problem, {.goal = AtLambda{.penalty = {lambda}, .start = Start::paper()}});
      EXPECT_LE(ours.objective, papers.objective * (1 + 1e-9));
      const auto exact = logistic_by_definition(logistic, ours.model.at.support);
      ASSERT_TRUE(exact);
      EXPECT_NEAR(ours.objective, 0.5 * exact->loss + lambda * static_cast<double>(ours.k()), 1e-7);
      EXPECT_NEAR(ours.objective, objective(problem, {lambda}, ours.model.at), 1e-7);
      const Fit proven = fit(problem, {.goal = AtLambda{lambda}, .prove = true});
      EXPECT_EQ(proven.status, Status::proven_optimal);
      EXPECT_LE(proven.objective, ours.objective * (1 + 1e-9));
    }
  }
}

TEST(BinomialCriterion, ValuesAreThoseOfTheLikelihood) {
  const LogisticData logistic = example(15, {.n = 120, .p = 7, .k = 2, .weights = true});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  double n = 0;
  for (Index i = 0; i < 120; ++i) n += logistic.data.weight(i);
  const CriterionSelection bic = select_by_criterion(problem, {.criterion = Criterion::bic});
  for (const CriterionPoint& point : bic.curve) {
    const auto exact =
        logistic_by_definition(logistic, bic.table.rows[static_cast<std::size_t>(point.k)].support);
    EXPECT_NEAR(point.value, exact->loss + static_cast<double>(point.k) * std::log(n), 1e-6);
  }
  EXPECT_EQ(bic.fit.k(), bic.chosen);
  expect_error([&] { select_by_criterion(problem, {.criterion = Criterion::cp}); },
               "cp works with the family gaussian only");
}

TEST(BinomialStability, FrequenciesAreThoseOfTablesOnHalves) {
  const LogisticData logistic = example(17, {.n = 160, .p = 8, .k = 2, .signal = 2.5});
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const Stability found = stability(problem, {.k = 2, .pairs = 6});
  EXPECT_EQ(found.pairs_done, 6);
  EXPECT_DOUBLE_EQ(found.mean_size, 2);
  EXPECT_GT(found.columns.front().frequency, 0.7);
}

}  // namespace
}  // namespace lass0::testing
