// Targets of two classes on the command line: reading, fitting, choosing and predicting.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "app/process.hpp"

namespace lass0 {
namespace {

class BinomialProgram : public ProgramTest {
 protected:
  // Who defaults? Debt and a high rate make it likely; the rest is noise.
  void SetUp() override {
    output({"simulate", "--family", "binomial", "--n", "200", "--p", "6", "--k", "2", "--rho",
            "0.3", "--snr", "6", "--seed", "4", "--truth", "truth.txt", "--output", "numbers.csv"});
    std::istringstream lines(read("numbers.csv"));
    std::string line, text;
    for (bool header = true; std::getline(lines, line); header = false) {
      const std::size_t comma = line.rfind(',');
      text += line.substr(0, comma) +
              (header                          ? ",default"
               : line.substr(comma + 1) == "1" ? ",yes"
                                               : ",no") +
              "\n";
    }
    write("loans.csv", text);
  }

  static Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static Arguments loans(const std::string& command, const Arguments& more = {}) {
    return with({command, "loans.csv", "--target", "default", "--family", "binomial"}, more);
  }

  static std::vector<double> numbers(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    std::vector<double> values;
    while (std::getline(lines, line)) values.push_back(std::stod(line));
    return values;
  }

  static int widest(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::size_t most = 0;
    while (std::getline(lines, line)) most = std::max(most, line.size());
    return static_cast<int>(most);
  }
  static void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
};

TEST_F(BinomialProgram, AFitSaysWhichClassIsOneAndSpeaksOfOdds) {
  const std::string text = output(loans("fit", {"--k", "2"}));
  expect_parts(text, {"classes    yes is 1 (", "rows), no is 0 (", "odds ratio",
                      "predicted no  predicted yes", "deviance   ",
                      "without columns:", "error rate ", "= negative log-likelihood"});
  EXPECT_EQ(text.find("RSS"), std::string::npos) << text;
  EXPECT_EQ(text.find("R^2"), std::string::npos) << text;
  EXPECT_LE(widest(text), 80) << text;
}

TEST_F(BinomialProgram, TextAndNumbersGiveTheSameModel) {
  const Json words = json(loans("fit", {"--lambda", "3"}));
  const Json numbers =
      json({"fit", "numbers.csv", "--target", "y", "--family", "binomial", "--lambda", "3"});
  EXPECT_EQ(words["coefficients"], numbers["coefficients"]);
  EXPECT_EQ(words["classes"], Json({"no", "yes"}));
  EXPECT_EQ(numbers["classes"], Json({"0", "1"}));
}

TEST_F(BinomialProgram, TheConfusionAndTheDevianceAreThoseOfThePredictions) {
  const Json fit = json(loans("fit", {"--k", "2", "--model", "model.json"}));
  const Outcome response = run({"predict", "model.json", "loans.csv"});
  const Outcome link = run({"predict", "model.json", "loans.csv", "--type", "link"});
  const Outcome classes = run({"predict", "model.json", "loans.csv", "--type", "class"});
  const std::vector<double> probability = numbers(response.out), eta = numbers(link.out);
  std::istringstream seen(read("loans.csv")), predicted(classes.out);
  std::string row, name;
  std::getline(seen, row);
  std::getline(predicted, name);
  EXPECT_EQ(name, "prediction");
  double deviance = 0, brier = 0;
  std::map<std::string, int> confusion;
  for (std::size_t i = 0; i < probability.size(); ++i) {
    ASSERT_NEAR(probability[i], 1 / (1 + std::exp(-eta[i])), 1e-12);
    std::getline(seen, row);
    std::getline(predicted, name);
    ASSERT_EQ(name, probability[i] >= 0.5 ? "yes" : "no");
    const std::string truth = row.substr(row.rfind(',') + 1);
    ++confusion[truth + name];
    const double right = truth == "yes" ? probability[i] : 1 - probability[i];
    deviance -= 2 * std::log(right);
    brier += (1 - right) * (1 - right) / 200;
  }
  ASSERT_EQ(probability.size(), 200u);
  EXPECT_NEAR(fit["deviance"], deviance, 1e-8 * deviance);
  EXPECT_NEAR(fit["loss"], deviance / 2, 1e-8 * deviance);
  EXPECT_EQ(fit["confusion"]["true_negative"], confusion["nono"]);
  EXPECT_EQ(fit["confusion"]["false_positive"], confusion["noyes"]);
  EXPECT_EQ(fit["confusion"]["false_negative"], confusion["yesno"]);
  EXPECT_EQ(fit["confusion"]["true_positive"], confusion["yesyes"]);
  // What predict says of rows that have the target
  const double rate = 0.5 * (confusion["noyes"] + confusion["yesno"]);
  char error[40], score[40];
  std::snprintf(error, sizeof error, "error rate %.1f %%", rate);
  std::snprintf(score, sizeof score, "Brier score %.4g", brier);
  expect_parts(response.err, {"note: the data contain default: deviance ", error, ", AUC 0.", score,
                              "on the 200 rows of the fit, not on new rows"});
  EXPECT_EQ(response.err, classes.err);
}

TEST_F(BinomialProgram, PredictionsAreWrittenAsJson) {
  output(loans("fit", {"--k", "1", "--model", "model.json"}));
  const Outcome outcome =
      run({"predict", "model.json", "loans.csv", "--type", "class", "--format", "json"});
  const Json predictions = Json::parse(outcome.out)["predictions"];
  ASSERT_EQ(predictions.size(), 200u);
  EXPECT_TRUE(std::ranges::all_of(predictions,
                                  [](const Json& one) { return one == "yes" || one == "no"; }));
}

TEST_F(BinomialProgram, APathHasTheLossOfEverySizeAndItsModels) {
  const Json path = json(loans("path", {"--max-k", "3"}));
  ASSERT_EQ(path["steps"].size(), 4u);
  EXPECT_NEAR(path["steps"][0]["loss"].get<double>(), path["null_deviance"].get<double>() / 2,
              1e-9);
  for (int k = 1; k <= 3; ++k)
    EXPECT_LT(path["steps"][k]["loss"].get<double>(), path["steps"][k - 1]["loss"].get<double>());
  const std::string text = output(loans("path", {"--max-k", "3"}));
  expect_parts(text, {"k  deviance", "classes    yes is 1"});
  EXPECT_LE(widest(text), 80) << text;
  write("path.json", path.dump());
  EXPECT_EQ(numbers(run({"predict", "path.json", "loans.csv", "--k", "2"}).out).size(), 200u);
}

TEST_F(BinomialProgram, CrossValidationNamesItsMeasure) {
  const std::map<std::string, std::string> heading = {{"deviance", "deviance"},
                                                      {"auc", "1 - AUC"},
                                                      {"error", "error rate"},
                                                      {"brier", "Brier score"}};
  for (const auto& [measure, name] : heading) {
    const Arguments arguments =
        loans("cv", {"--measure", measure, "--folds", "4", "--ridge", "0", "--max-k", "4"});
    const std::string text = output(arguments);
    expect_parts(text, {name, "held out   deviance ", "on held-out rows"});
    EXPECT_LE(widest(text), 80) << text;
    const Json cv = json(arguments);
    EXPECT_EQ(cv["measure"], measure);
    EXPECT_EQ(cv.contains("deviance_explained_held_out"), measure == "deviance");
    EXPECT_FALSE(cv.contains("r_squared_fit"));
    for (const Json& point : cv["curve"]) EXPECT_GE(point["mean_error"], 0);
  }
  EXPECT_EQ(json({"cv", "numbers.csv", "--target", "y", "--family", "gaussian", "--folds", "3",
                  "--ridge", "0"})["measure"],
            "mse");
}

TEST_F(BinomialProgram, CrossValidationSaysWhereNoRidgeIsWorthATry) {
  const Arguments few = {"--folds", "3", "--max-k", "4"}, none = {"--folds", "3", "--max-k", "0"};
  const std::string left_out = "none tried: with this many rows";
  EXPECT_EQ(output(loans("cv", few)).find(left_out), std::string::npos);
  EXPECT_EQ(json(loans("cv", few))["curve"][0].count("ridge"), 1u);
  expect_parts(output(loans("cv", none)), {left_out});
  EXPECT_EQ(json(loans("cv", none))["curve"][0].count("ridge"), 0u);
}

TEST_F(BinomialProgram, AModelOfCrossValidationPredictsButHasNoIntervals) {
  output(loans("cv", {"--folds", "3", "--ridge", "0", "--max-k", "3", "--model", "model.json"}));
  EXPECT_EQ(numbers(run({"predict", "model.json", "loans.csv", "--k", "1"}).out).size(), 200u);
  expect_failure(2, {"predict", "model.json", "loans.csv", "--intervals", "0.9"},
                 {"--intervals works with models of --family gaussian only"});
}

TEST_F(BinomialProgram, CriteriaUseTheDeviance) {
  const std::string text = output(loans("cv", {"--criterion", "bic", "--max-k", "4"}));
  expect_parts(text, {"k  deviance", "bic"});
  const Json json_text = json(loans("cv", {"--criterion", "bic", "--max-k", "4"}));
  EXPECT_TRUE(json_text["chosen"].contains("loss"));
}

TEST_F(BinomialProgram, AnOffsetThatIsTheLinearPredictorLeavesNothingToChoose) {
  const Json fit = json(loans("fit", {"--k", "2", "--model", "model.json"}));
  const std::vector<double> eta =
      numbers(run({"predict", "model.json", "loans.csv", "--type", "link"}).out);
  // Every digit: rounding would move the deviance.
  std::istringstream lines(read("loans.csv")),
      links(run({"predict", "model.json", "loans.csv", "--type", "link"}).out);
  std::string line, link, text;
  for (bool header = true; std::getline(lines, line) && std::getline(links, link); header = false)
    text += line + "," + (header ? "known" : link) + "\n";
  write("known.csv", text);
  const Json null = json({"fit", "known.csv", "--target", "default", "--family", "binomial", "--k",
                          "0", "--offset", "known", "--model", "null.json"});
  EXPECT_EQ(null["offset"], "known");
  EXPECT_NEAR(null["deviance"], fit["deviance"], 1e-6);
  EXPECT_NEAR(null["intercept"], 0, 1e-4);
  const std::vector<double> again =
      numbers(run({"predict", "null.json", "known.csv", "--type", "link"}).out);
  for (std::size_t i = 0; i < eta.size(); ++i) ASSERT_NEAR(again[i], eta[i], 1e-4);
  expect_failure(1, {"predict", "null.json", "loans.csv"}, {"no column 'known' for the offset"});
  expect_parts(output({"fit", "known.csv", "--target", "default", "--family", "binomial", "--k",
                       "1", "--offset", "known"}),
               {"offset     known"});
}

TEST_F(BinomialProgram, ATargetOfZerosAndOnesPointsToIt) {
  const Outcome plain = run({"fit", "numbers.csv", "--target", "y", "--k", "1"});
  EXPECT_EQ(plain.status, 0);
  expect_parts(plain.err, {"note: y is 0 or 1 in every row: --family binomial"});
  output({"fit", "numbers.csv", "--target", "y", "--k", "1", "--family", "gaussian"});
  output({"fit", "numbers.csv", "--target", "y", "--k", "1", "--family", "binomial"});
}

TEST_F(BinomialProgram, SeparationEndsTheTableAndNamesTheColumns) {
  std::string text = "a,b,c,y\n";
  for (int i = 0; i < 40; ++i) {
    const int a = i % 9 - 4, b = (i * 7) % 11 - 5, c = (i * 5) % 7 - 3;
    text += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c) + "," +
            (2 * a + b > 0 ? "yes" : "no") + "\n";
  }
  write("separated.csv", text);
  const Arguments path = {"path", "separated.csv", "--target", "y", "--family", "binomial"};
  const std::string shown = output(path);
  expect_parts(shown, {"separation the table ends at 1 column: ", "a and b together separate"});
  EXPECT_LE(widest(shown), 80) << shown;
  EXPECT_EQ(json(path)["separated_by"], Json({"a", "b"}));
  expect_failure(1, {"fit", "separated.csv", "--target", "y", "--family", "binomial", "--k", "2"},
                 {"separated.csv: columns a, b separate the two classes", "add a ridge"});
  const std::string shrunk = output(with(path, {"--ridge", "1"}));
  EXPECT_EQ(shrunk.find("separation"), std::string::npos) << shrunk;
}

TEST_F(BinomialProgram, WhatDoesNotWorkTogetherIsRefusedBeforeTheDataAreRead) {
  expect_failure(
      2, {"cv", "no.csv", "--target", "y", "--measure", "auc"},
      {"--measure auc does not work with --family gaussian: choose one of deviance, mse"});
  expect_failure(2, {"cv", "no.csv", "--target", "y", "--family", "binomial", "--measure", "mse"},
                 {"choose one of deviance, auc, error, brier"});
  expect_failure(2, {"fit", "no.csv", "--target", "y", "--k", "1", "--offset", "o"},
                 {"--offset works with --family binomial only", "subtract it from the target"});
  expect_failure(2, {"fit", "no.csv", "--target", "y", "--k", "1", "--family", "poisson"},
                 {"--family is 'poisson', but must be one of 'gaussian', 'binomial'"});
  output({"fit", "numbers.csv", "--target", "x1", "--k", "1", "--model", "squares.json"});
  expect_failure(2, {"predict", "squares.json", "numbers.csv", "--type", "class"},
                 {"--type class works with models of --family binomial only"});
  expect_failure(1,
                 {"fit", "loans.csv", "--target", "x1", "--k", "1", "--family", "binomial",
                  "--exclude", "default"},
                 {"the target 'x1' has 200 different values"});
  expect_failure(1, {"fit", "loans.csv", "--target", "default", "--k", "1"},
                 {"if it has two classes, use --family binomial"});
}

}  // namespace
}  // namespace lass0
