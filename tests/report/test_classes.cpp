// Reports of a target of two classes: ROC curve, AUC and calibration by definition, and the data of
// the page from fits by definition.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/report.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/classes.hpp"
#include "support/logistic.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Rows with predictions alone: X plays no part.
struct Predicted {
  Vector y, weights, links;

  Index n() const { return y.size(); }
  Problem problem() const {
    Problem view;
    const auto all = [](const Vector& v) {
      return std::span<const double>(v.data(), static_cast<std::size_t>(v.size()));
    };
    view.y = all(y);
    view.weights = all(weights);
    view.family = Family::binomial;
    return view;
  }
  bool counts(Index i) const { return weights[i] > 0 && !std::isnan(links[i]); }
};

// With ties, rows of weight 0 and rows without a prediction.
Predicted random_predicted(std::uint64_t seed, Index n, bool whole_weights = false) {
  Rng rng(seed);
  Predicted rows{Vector(n), Vector(n), Vector(n)};
  const bool tied = seed % 2 == 0;
  for (Index i = 0; i < n; ++i) {
    const double eta = 1.5 * rng.normal();
    rows.links[i] = tied ? std::round(2 * eta) / 2 : eta;
    rows.y[i] = rng.uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0;
    rows.weights[i] = whole_weights ? std::floor(4 * rng.uniform()) : 2 * rng.uniform();
    if (seed % 3 == 0 && i % 7 == 3) rows.weights[i] = 0;
    if (seed % 5 == 0 && i % 6 == 2) rows.links[i] = kNone;
  }
  rows.y[0] = 0, rows.y[1] = 1;
  rows.weights[0] = rows.weights[1] = 1;
  return rows;
}

double auc_by_pairs(const Predicted& rows) {
  double right = 0, pairs = 0;
  for (Index i = 0; i < rows.n(); ++i) {
    for (Index j = 0; j < rows.n(); ++j) {
      if (!rows.counts(i) || !rows.counts(j) || rows.y[i] == 0 || rows.y[j] == 1) continue;
      const double both = rows.weights[i] * rows.weights[j];
      pairs += both;
      if (rows.links[i] > rows.links[j]) right += both;
      if (rows.links[i] == rows.links[j]) right += both / 2;
    }
  }
  return right / pairs;
}

// The share of a class whose linear predictor is at least `from`.
double share_from(const Predicted& rows, double y, double from) {
  double above = 0, all = 0;
  for (Index i = 0; i < rows.n(); ++i) {
    if (!rows.counts(i) || rows.y[i] != y) continue;
    all += rows.weights[i];
    if (rows.links[i] >= from) above += rows.weights[i];
  }
  return above / all;
}

double area(const std::vector<RocPoint>& points) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    sum += (points[i].false_positive - points[i - 1].false_positive) *
           (points[i].true_positive + points[i - 1].true_positive) / 2;
  return sum;
}

TEST(Roc, AucIsTheShareOfPairsInTheRightOrder) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Predicted rows = random_predicted(seed, 10 + static_cast<Index>(seed));
    const auto judged = judge_classes(rows.problem(), rows.links);
    ASSERT_TRUE(judged);
    EXPECT_NEAR(judged->auc, auc_by_pairs(rows), 1e-12);
    EXPECT_NEAR(area(judged->roc), judged->auc, 1e-12);  // few rows: nothing was thinned
  }
}

TEST(Roc, PointsAreTheSharesPredictedPositive) {
  for (const Index n : {8, 60, 1200}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(seed);
      const Predicted rows = random_predicted(seed, n);
      const auto judged = judge_classes(rows.problem(), rows.links);
      ASSERT_TRUE(judged);
      const std::vector<RocPoint>& roc = judged->roc;
      EXPECT_LE(std::ssize(roc), kMostRocPoints);
      EXPECT_EQ(roc.front().false_positive, 0);
      EXPECT_EQ(roc.front().true_positive, 0);
      EXPECT_EQ(roc.back().false_positive, 1);
      EXPECT_EQ(roc.back().true_positive, 1);
      for (std::size_t i = 0; i < roc.size(); ++i) {
        EXPECT_NEAR(roc[i].false_positive, share_from(rows, 0, roc[i].from), 1e-12);
        EXPECT_NEAR(roc[i].true_positive, share_from(rows, 1, roc[i].from), 1e-12);
        if (i > 0) {
          EXPECT_LT(roc[i].from, roc[i - 1].from);
        }
      }
      EXPECT_NEAR(area(roc), judged->auc, 2e-3);  // thinned points still draw the curve
      EXPECT_NEAR(judged->auc, auc_by_pairs(rows), 1e-10);
    }
  }
}

TEST(Calibration, BinsHaveTheRowsOfATenthOfTheWeight) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Predicted rows = random_predicted(seed, 5 + 7 * static_cast<Index>(seed));
    const auto judged = judge_classes(rows.problem(), rows.links);
    ASSERT_TRUE(judged);
    double total = 0;
    for (Index i = 0; i < rows.n(); ++i) total += rows.counts(i) ? rows.weights[i] : 0;
    // A row is in the bin of the middle of the rows that have its prediction.
    std::vector<CalibrationBin> bins(10);
    for (Index i = 0; i < rows.n(); ++i) {
      if (!rows.counts(i)) continue;
      double below = 0, equal = 0;
      for (Index j = 0; j < rows.n(); ++j) {
        if (!rows.counts(j)) continue;
        if (rows.links[j] < rows.links[i]) below += rows.weights[j];
        if (rows.links[j] == rows.links[i]) equal += rows.weights[j];
      }
      CalibrationBin& bin = bins[static_cast<std::size_t>(10 * (below + equal / 2) / total)];
      ++bin.rows;
      bin.weight += rows.weights[i];
      bin.predicted += rows.weights[i] / (1 + std::exp(-rows.links[i]));
      bin.observed += rows.weights[i] * rows.y[i];
    }
    std::erase_if(bins, [](const CalibrationBin& bin) { return bin.rows == 0; });
    ASSERT_EQ(judged->calibration.size(), bins.size());
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const CalibrationBin& bin = judged->calibration[b];
      EXPECT_EQ(bin.rows, bins[b].rows);
      EXPECT_NEAR(bin.weight, bins[b].weight, 1e-10);
      EXPECT_NEAR(bin.predicted, bins[b].predicted / bins[b].weight, 1e-10);
      EXPECT_NEAR(bin.observed, bins[b].observed / bins[b].weight, 1e-10);
      EXPECT_LE(bin.lower, bin.observed);
      EXPECT_LE(bin.observed, bin.upper);
    }
  }
}

// The ends are the shares q with |share - q| = 1.96 sqrt(q (1 - q) / n).
TEST(Calibration, WilsonIntervalsSolveTheirEquation) {
  for (const double n : {1.0, 7.0, 40.0, 1e6}) {
    for (const double share : {0.0, 0.1, 0.5, 0.8, 1.0}) {
      const ShareInterval interval = wilson_interval(share, n);
      for (const double end : {interval.lower, interval.upper}) {
        EXPECT_GE(end, 0);
        EXPECT_LE(end, 1);
        EXPECT_NEAR(std::abs(share - end), 1.959963984540054 * std::sqrt(end * (1 - end) / n),
                    1e-9);
      }
      EXPECT_LT(interval.lower, interval.upper);
    }
  }
  EXPECT_NEAR(wilson_interval(0.3, 10).lower, 0.1077913, 1e-6);
  EXPECT_NEAR(wilson_interval(0.3, 10).upper, 0.6032219, 1e-6);
}

void expect_same(const HeldOutClasses& a, const HeldOutClasses& b) {
  EXPECT_NEAR(a.auc, b.auc, 1e-12);
  ASSERT_EQ(a.roc.size(), b.roc.size());
  for (std::size_t i = 0; i < a.roc.size(); ++i) {
    EXPECT_EQ(a.roc[i].from, b.roc[i].from);
    EXPECT_NEAR(a.roc[i].true_positive, b.roc[i].true_positive, 1e-12);
  }
  ASSERT_EQ(a.calibration.size(), b.calibration.size());
  for (std::size_t i = 0; i < a.calibration.size(); ++i) {
    EXPECT_NEAR(a.calibration[i].predicted, b.calibration[i].predicted, 1e-12);
    EXPECT_NEAR(a.calibration[i].upper, b.calibration[i].upper, 1e-12);
  }
  EXPECT_NEAR(a.confusion.true_positive, b.confusion.true_positive, 1e-9);
  EXPECT_NEAR(a.confusion.false_positive, b.confusion.false_positive, 1e-9);
}

Predicted rows_of(const Predicted& rows, const std::vector<Index>& which) {
  return {rows.y(which), rows.weights(which), rows.links(which)};
}

TEST(Classes, NothingDependsOnTheOrderOfRowsAndAWeightIsARepeatedRow) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Predicted rows = random_predicted(seed, 90, true);
    const auto judged = judge_classes(rows.problem(), rows.links);
    std::vector<Index> repeated;
    Rng rng(seed);
    const std::vector<Index> shuffled = rng.permutation(rows.n());
    const Predicted other = rows_of(rows, shuffled);
    expect_same(*judged, *judge_classes(other.problem(), other.links));
    for (const Index i : shuffled) {
      for (int times = 0; times < static_cast<int>(rows.weights[i]); ++times) repeated.push_back(i);
    }
    Predicted twice = rows_of(rows, repeated);
    twice.weights.setOnes();
    expect_same(*judged, *judge_classes(twice.problem(), twice.links));
  }
}

TEST(Classes, OneClassHasNoCurve) {
  Predicted rows = random_predicted(4, 30);
  for (Index i = 0; i < rows.n(); ++i) {
    if (rows.y[i] == 1) rows.links[i] = kNone;
  }
  EXPECT_FALSE(judge_classes(rows.problem(), rows.links));
  rows.links.setConstant(kNone);
  EXPECT_FALSE(judge_classes(rows.problem(), rows.links));
}

LogisticData example(std::uint64_t seed) {
  Rng rng(seed);
  return random_logistic({.n = 150,
                          .p = 7,
                          .k = 3,
                          .weights = seed % 2 == 0,
                          .offset = seed % 3 == 0,
                          .intercept = seed % 4 != 0,
                          .ridge = seed % 5 == 0 ? 2.0 : 0.0},
                         rng);
}

double eta_of(const LogisticData& logistic, const Iterate& at, Index i) {
  double eta = at.intercept + (logistic.offset.size() > 0 ? logistic.offset[i] : 0);
  for (std::size_t l = 0; l < at.support.size(); ++l)
    eta += at.coefficients[static_cast<Index>(l)] * logistic.data.X(i, at.support[l]);
  return eta;
}

TEST(ClassReport, ModelsHaveDeviancesResidualsAndConfusionByDefinition) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const LogisticData logistic = example(seed);
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    const Path path = lass0::path(problem);
    const Json payload = Json::parse(report_json(problem, path));
    EXPECT_EQ(payload["family"], "binomial");
    EXPECT_EQ(payload["classes"][1]["name"], "1");
    EXPECT_FALSE(payload.contains("held_out"));
    EXPECT_NEAR(payload["tss"], path.problem.tss, 1e-9 * path.problem.tss);
    ASSERT_EQ(payload["models"].size(), path.models.size());
    for (std::size_t k = 0; k < path.models.size(); ++k) {
      const Json& model = payload["models"][k];
      double deviance = 0, by_cell[2][2] = {};
      for (Index i = 0; i < logistic.data.n(); ++i) {
        const double eta = eta_of(logistic, path.models[k], i), p = 1 / (1 + std::exp(-eta));
        const double w = logistic.data.weight(i), y = logistic.data.y[i];
        deviance -= 2 * w * std::log(y > 0 ? p : 1 - p);
        by_cell[y > 0 ? 1 : 0][p >= 0.5 ? 1 : 0] += w;
      }
      EXPECT_NEAR(model["rss"], deviance, 1e-9 * deviance);
      for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 2; ++column)
          EXPECT_NEAR(model["confusion"][row][column], by_cell[row][column], 1e-9);
      }
      for (std::size_t r = 0; r < payload["rows"]["number"].size(); ++r) {
        const Index i = payload["rows"]["number"][r].get<Index>() - 1;
        const double p = 1 / (1 + std::exp(-eta_of(logistic, path.models[k], i)));
        const double expected =
            logistic.data.y[i] > 0 ? std::sqrt(-2 * std::log(p)) : -std::sqrt(-2 * std::log(1 - p));
        EXPECT_EQ(payload["rows"]["observed"][r], logistic.data.y[i]);
        EXPECT_NEAR(model["residuals"][r], expected, 1e-5 * std::abs(expected));
      }
    }
  }
}

TEST(ClassReport, OfCrossValidationHasTheMeasureAndHeldOutPredictions) {
  for (const Measure measure : {Measure::deviance, Measure::auc}) {
    const LogisticData logistic = example(3);
    const DenseDesign design(logistic.data.X);
    const Problem problem = problem_of(logistic, design);
    CrossValidation cv = cross_validate(problem, {.folds = 4, .tune = Tune::k, .measure = measure});
    cv.fit.model.classes = {"no", "yes"};
    const Json payload = Json::parse(report_json(problem, cv));
    EXPECT_EQ(payload["classes"][1]["name"], "yes");
    EXPECT_EQ(payload["curve"]["measure"]["name"], std::string(to_string(measure)));
    EXPECT_EQ(payload["shown"], cv.fit.k());
    const auto judged = judge_classes(problem, cv.held_out_links);
    ASSERT_TRUE(judged);
    EXPECT_EQ(payload["held_out"]["auc"], judged->auc);
    EXPECT_EQ(payload["held_out"]["rows"], judged->rows);
    EXPECT_EQ(payload["held_out"]["roc"].size(), judged->roc.size());
    EXPECT_TRUE(payload["held_out"]["roc"][0][2].is_null());
    EXPECT_EQ(payload["held_out"]["calibration"].size(), judged->calibration.size());
    EXPECT_EQ(payload["held_out"]["confusion"][1][0], judged->confusion.false_negative);
    const Json& shown = payload["models"][payload["shown"].get<std::size_t>()];
    EXPECT_NEAR(shown["rss"], cv.fit.rss, 1e-8 * cv.fit.rss);
    EXPECT_NEAR(shown["confusion"][0][1], cv.fit.confusion->false_positive, 1e-9);
    EXPECT_TRUE(shown["cancelling"].empty());
  }
}

TEST(ClassReport, OfACriterionHasNoHeldOutRows) {
  const LogisticData logistic = example(1);
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const CriterionSelection bic = select_by_criterion(problem);
  const Json payload = Json::parse(report_json(problem, bic));
  EXPECT_EQ(payload["family"], "binomial");
  EXPECT_EQ(payload["shown"], bic.chosen);
  EXPECT_FALSE(payload.contains("held_out"));
}

TEST(ClassReport, OfAFitHasItsModel) {
  const LogisticData logistic = example(2);
  const DenseDesign design(logistic.data.X);
  const Problem problem = problem_of(logistic, design);
  const Fit fit = lass0::fit(problem, {.goal = OfSize{2}});
  const Json payload = Json::parse(report_json(problem, fit));
  const Json& shown = payload["models"][payload["shown"].get<std::size_t>()];
  EXPECT_EQ(shown["k"], 2);
  EXPECT_NEAR(shown["rss"], fit.rss, 1e-8 * fit.rss);
}

TEST(ClassReport, OfSquaresHasNoneOfThis) {
  const OwnedProblem problem(random_data(1, 8));
  const Json payload = Json::parse(report_json(problem, cross_validate(problem, {.folds = 3})));
  EXPECT_FALSE(payload.contains("family"));
  EXPECT_FALSE(payload.contains("held_out"));
  EXPECT_FALSE(payload["curve"].contains("measure"));
  EXPECT_FALSE(payload["models"][0].contains("confusion"));
}

}  // namespace
}  // namespace lass0::testing
