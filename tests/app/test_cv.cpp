// lass0 cv, as a process: its curve is what a loop over `lass0 fit` and `lass0 predict` on split
// files gives.
#include <fmt/format.h>

#include <cmath>
#include <csignal>

#include "app/process.hpp"

namespace lass0 {
namespace {

class CvProgram : public ProgramTest {
 protected:
  // d.csv has the columns x1 .. xP, y, w (0, 0.5, 1 or 2) and f (folds a, b, c, d of unequal size).
  void make_data(int n, int p, int seed) {
    output({"simulate", "--n", std::to_string(n), "--p", std::to_string(p), "--k", "4", "--rho",
            "0.6", "--snr", "2", "--seed", std::to_string(seed), "--output", "raw.csv"});
    std::istringstream lines(read("raw.csv"));
    std::getline(lines, header_);
    header_ += ",w,f";
    rows_.clear();
    folds_.clear();
    targets_.clear();
    weights_.clear();
    int i = 0;
    for (std::string line; std::getline(lines, line); ++i) {
      const double w[] = {1, 0.5, 2, 1, 0, 1.5, 1};
      weights_.push_back(w[i % 7]);
      folds_.push_back(std::string(1, "abcdbca"[(i * 5 + i / 7) % 7]));
      targets_.push_back(std::stod(line.substr(line.rfind(',') + 1)));
      rows_.push_back(fmt::format("{},{},{}", line, weights_.back(), folds_.back()));
    }
    write("d.csv", file([](std::size_t) { return true; }));
  }

  template <class Wanted>
  std::string file(const Wanted& wanted) const {
    std::string text = header_ + "\n";
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (wanted(i)) text += rows_[i] + "\n";
    return text;
  }

  struct Point {
    double mean_error = 0, se = 0, mean_size = 0;
  };

  // By hand: split, fit, predict.
  Point by_hand(const Arguments& fit_options, bool weighted) const {
    std::vector<double> errors, weights;
    double sizes = 0;
    for (const std::string fold : {"a", "b", "c", "d"}) {
      write("train.csv", file([&](std::size_t i) { return folds_[i] != fold; }));
      write("test.csv", file([&](std::size_t i) { return folds_[i] == fold; }));
      Arguments fit = {"fit",     "train.csv", "--target", "y", "--exclude", weighted ? "f" : "f,w",
                       "--model", "m.json"};
      if (weighted) fit.insert(fit.end(), {"--weights", "w"});
      fit.insert(fit.end(), fit_options.begin(), fit_options.end());
      sizes += json(fit)["k"].get<double>();
      const Outcome predicted = run({"predict", "m.json", "test.csv", "--format", "json"});
      EXPECT_EQ(predicted.status, 0) << predicted.err;
      const Json predictions = Json::parse(predicted.out)["predictions"];
      double sum = 0, total = 0;
      for (std::size_t i = 0, row = 0; i < rows_.size(); ++i) {
        if (folds_[i] != fold) continue;
        const double w = weighted ? weights_[i] : 1;
        sum += w * std::pow(targets_[i] - predictions[row++].get<double>(), 2);
        total += w;
      }
      errors.push_back(sum / total);
      weights.push_back(total);
    }
    Point point;
    double total = 0, squares = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      point.mean_error += weights[f] * errors[f];
      total += weights[f];
    }
    point.mean_error /= total;
    for (std::size_t f = 0; f < 4; ++f)
      squares += weights[f] * std::pow(errors[f] - point.mean_error, 2);
    point.se = std::sqrt(squares / total / 3);
    point.mean_size = sizes / 4;
    return point;
  }

  void expect_by_hand(const Arguments& options, bool weighted, const Arguments& tune) {
    SCOPED_TRACE(testing::PrintToString(options) + testing::PrintToString(tune));
    Arguments cv = {"cv", "d.csv", "--target", "y", "--fold-column", "f", "--rule", "min"};
    cv.insert(cv.end(), options.begin(), options.end());
    if (std::find(options.begin(), options.end(), "--ridge") == options.end())
      cv.insert(cv.end(), {"--ridge", "0"});
    cv.insert(cv.end(), tune.begin(), tune.end());
    const auto add = weighted ? Arguments{"--weights", "w"} : Arguments{"--exclude", "w"};
    cv.insert(cv.end(), add.begin(), add.end());
    const Json found = json(cv);
    ASSERT_GE(found["curve"].size(), 4u);
    std::size_t best = 0;
    for (std::size_t i = 0; i < found["curve"].size(); ++i) {
      const Json& point = found["curve"][i];
      const bool sizes = point.contains("k");
      Arguments fit = options;
      if (std::find(tune.begin(), tune.end(), "paper") != tune.end())
        fit.insert(fit.end(), {"--start", "paper"});
      fit.insert(fit.end(), {sizes ? "--k" : "--lambda", point[sizes ? "k" : "lambda"].dump()});
      const Point expected = by_hand(fit, weighted);
      EXPECT_NEAR(point["mean_error"].get<double>(), expected.mean_error,
                  1e-9 * expected.mean_error);
      EXPECT_NEAR(point["se"].get<double>(), expected.se, 1e-9 * expected.mean_error);
      EXPECT_NEAR(point["mean_size"].get<double>(), expected.mean_size, 1e-12);
      if (point["mean_error"] < found["curve"][best]["mean_error"]) best = i;
    }
    EXPECT_EQ(found["minimum"], found["curve"][best]);
    EXPECT_EQ(found["rule"], "min");
    for (const auto& [key, value] : found["minimum"].items())
      EXPECT_EQ(found["chosen"][key], value) << key;
  }

  static void expect_80_columns(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }

  std::string header_;
  std::vector<std::string> rows_, folds_;
  std::vector<double> targets_, weights_;
};

const Arguments kLambdas = {"--lambdas", "6"};
const Arguments kSizes = {"--tune", "k", "--max-k", "5"};

TEST_F(CvProgram, TheCurveIsThatOfALoopOverFitAndPredict) {
  make_data(70, 9, 3);
  for (const Arguments& tune : {kLambdas, kSizes}) {
    expect_by_hand({}, false, tune);
    expect_by_hand({}, true, tune);
    expect_by_hand({"--no-standardize", "--no-intercept"}, false, tune);
    expect_by_hand({"--include", "x2,x5", "--ridge", "3.5"}, true, tune);
    expect_by_hand({"--ridge", "40", "--no-standardize"}, false, tune);
  }
}

TEST_F(CvProgram, SoItIsWithMoreColumnsThanRows) {
  make_data(36, 50, 4);
  expect_by_hand({}, false, {"--lambdas", "5"});
  expect_by_hand({}, true, {"--tune", "k", "--max-k", "8"});
}

TEST_F(CvProgram, SoItIsWithManyColumnsByQuickSearches) {
  make_data(60, 150, 3);
  expect_by_hand({"--effort", "quick"}, true, {"--lambdas", "6"});
  make_data(60, 1030, 4);
  expect_by_hand({"--effort", "quick"}, false, {"--lambdas", "4"});
  expect_by_hand({"--effort", "quick", "--include", "x7", "--ridge", "2"}, true,
                 {"--tune", "k", "--max-k", "4"});
}

TEST_F(CvProgram, FoldsOfManyColumnsAreSearchedQuicklyAndTheModelIsComparedWithAll) {
  make_data(60, 1030, 5);
  const Arguments common = {"d.csv", "--target", "y", "--exclude", "w,f"};
  const auto with = [&](Arguments command, const Arguments& more) {
    command.insert(command.end(), common.begin(), common.end());
    command.insert(command.end(), more.begin(), more.end());
    return command;
  };
  const Json quick = json(with({"cv"}, {"--folds", "4"}));
  EXPECT_EQ(quick["effort"], "quick");
  EXPECT_EQ(quick["model"]["status"], "local_optimum");
  EXPECT_EQ(json(with({"cv"}, {"--folds", "4", "--effort", "full"}))["effort"], "full");
  const std::string text = output(with({"cv"}, {"--folds", "4"}));
  EXPECT_NE(text.find("search     quick: each fold searched a short list"), text.npos) << text;
  expect_80_columns(text);
  const Json fit = json(with({"fit"}, {"--k", "3", "--effort", "quick"}));
  EXPECT_EQ(fit["status"], "unchecked");
  EXPECT_EQ(json(with({"fit"}, {"--k", "3"}))["status"], "local_optimum");
  const std::string table = output(with({"path"}, {"--max-k", "3", "--effort", "quick"}));
  EXPECT_NE(table.find("status     unchecked: "), table.npos) << table;
  expect_80_columns(table);
  // Fewer columns are all looked at.
  make_data(40, 6, 5);
  EXPECT_EQ(output(with({"cv"}, {})).find("\nsearch "), std::string::npos);
  EXPECT_EQ(json(with({"fit"}, {"--k", "3", "--effort", "quick"}))["status"], "local_optimum");
}

TEST_F(CvProgram, SoItIsFromThePapersStart) {
  make_data(70, 9, 5);
  expect_by_hand({}, false, {"--lambdas", "6", "--start", "paper"});
  expect_by_hand({"--include", "x3"}, true, {"--lambdas", "4", "--start", "paper"});
}

TEST_F(CvProgram, TheModelIsThatOfFitAtWhatWasChosen) {
  make_data(80, 10, 6);
  const Json by_lambda = json({"cv", "d.csv", "--target", "y", "--exclude", "w,f", "--model", "m"});
  Json fit =
      json({"fit", "d.csv", "--target", "y", "--exclude", "w,f", "--lambda",
            by_lambda["chosen"]["lambda"].dump(), "--ridge", by_lambda["chosen"]["ridge"].dump()});
  for (const char* key : {"coefficients", "support", "objective", "lambda", "status", "target"})
    EXPECT_EQ(by_lambda["model"][key], fit[key]) << key;
  EXPECT_EQ(Json::parse(read("m"))["coefficients"], fit["coefficients"]);
  EXPECT_EQ(run({"predict", "m", "d.csv"}).status, 0);

  const Json by_size =
      json({"cv", "d.csv", "--target", "y", "--exclude", "w,f", "--tune", "k", "--rule", "1se"});
  fit = json({"fit", "d.csv", "--target", "y", "--exclude", "w,f", "--k",
              by_size["chosen"]["k"].dump(), "--ridge", by_size["chosen"]["ridge"].dump()});
  EXPECT_EQ(by_size["model"]["coefficients"], fit["coefficients"]);
  EXPECT_EQ(by_size["chosen"]["size"], by_size["chosen"]["k"]);
  EXPECT_LE(by_size["chosen"]["k"], by_size["minimum"]["k"]);
}

TEST_F(CvProgram, PValuesComeOnRequest) {
  make_data(120, 10, 6);
  const Arguments command = {"cv",        "d.csv", "--target",    "y",
                             "--exclude", "w,f",   "--inference", "splits"};
  const Json result = json(command);
  EXPECT_EQ(result["inference"]["splits_done"], 50);
  double before = 0;
  for (const Json& column : result["inference"]["columns"]) {
    EXPECT_GE(column["p_value"].get<double>(), before);
    before = column["p_value"];
    EXPECT_LE(column["selected"].get<double>(), 1);
  }
  EXPECT_GE(result["inference"]["columns"].size(), result["model"]["support"].size());
  const std::string text = output(command);
  EXPECT_NE(text.find("p-value"), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  Arguments grouped = command;
  grouped.insert(grouped.end(), {"--blocks"});
  expect_failure(2, grouped, {"--inference splits does not work with --blocks"});
  expect_failure(2,
                 {"cv", "d.csv", "--target", "y", "--inference", "splits", "--group-column", "f"},
                 {"--inference splits does not work with --group-column"});
}

TEST_F(CvProgram, SeedsGiveOtherFoldsAndThreadsTheSame) {
  make_data(80, 10, 7);
  const auto curve = [&](Arguments options) {
    options.insert(options.begin(), {"cv", "d.csv", "--target", "y", "--exclude", "w,f"});
    return json(options)["curve"];
  };
  const Json one = curve({"--threads", "1"});
  EXPECT_EQ(curve({"--threads", "2"}), one);
  EXPECT_EQ(curve({"--threads", "4"}), one);
  EXPECT_EQ(curve({"--seed", "1", "--folds", "10"}), one);
  EXPECT_NE(curve({"--seed", "2"}), one);
  EXPECT_NE(curve({"--repeats", "2"}), one);
  EXPECT_NE(curve({"--blocks"}), one);
  EXPECT_EQ(curve({"--folds", "n"}), curve({"--folds", "80"}));
}

TEST_F(CvProgram, LabelsMayBeTextsAndAreNoFeatures) {
  write("d.csv", "g,a,b,y\nu,1,2,1.1\nu,2,1,2.2\nv,3,5,2.9\nv,4,4,4.3\nw,5,1,5.2\nw,7,3,6.8\n");
  const Json groups = json({"cv", "d.csv", "--target", "y", "--group-column", "g", "--folds", "n"});
  EXPECT_EQ(groups["fold_sizes"], Json({2, 2, 2}));
  EXPECT_EQ(groups["model"]["p"], 2);
  const Json folds = json({"cv", "d.csv", "--target", "y", "--fold-column", "1"});
  EXPECT_EQ(folds["curve"], groups["curve"]);
  EXPECT_EQ(
      json({"cv", "d.csv", "--target", "y", "--exclude", "g", "--blocks", "--folds", "3"})["curve"],
      groups["curve"]);
}

TEST_F(CvProgram, TheTextFitsEightyColumnsAndMarksTheChoices) {
  make_data(80, 12, 8);
  for (const Arguments& tune : {Arguments{}, Arguments{"--tune", "k"}, Arguments{"--rule", "1se"},
                                Arguments{"--ridge", "auto"}, Arguments{"--repeats", "3"},
                                Arguments{"--criterion", "bic"}}) {
    Arguments arguments = {"cv", "d.csv", "--target", "y", "--exclude", "w,f"};
    arguments.insert(arguments.end(), tune.begin(), tune.end());
    const std::string text = output(arguments);
    expect_80_columns(text);
    EXPECT_NE(text.find("(intercept)"), std::string::npos);
    EXPECT_NE(text.find("*"), std::string::npos);
    EXPECT_NE(text.find("\nchosen "), std::string::npos);
  }
}

TEST_F(CvProgram, ARidgeIsChosenWhereThereIsMuchNoise) {
  output({"simulate", "--n", "60", "--p", "20", "--k", "10", "--rho", "0.5", "--snr", "0.3",
          "--seed", "2", "--output", "d.csv"});
  const Json found =
      json({"cv", "d.csv", "--target", "y", "--rule", "min", "--tune", "k", "--repeats", "3"});
  EXPECT_GT(found["chosen"]["ridge"], 0);
  EXPECT_EQ(found["model"]["ridge"], found["chosen"]["ridge"]);
  // Each ridge's part of the curve is that of this ridge alone.
  std::map<double, Json> parts;
  for (Json point : found["curve"]) {
    const double ridge = point["ridge"];
    point.erase("ridge");
    parts[ridge].push_back(point);
  }
  EXPECT_EQ(parts.size(), 7u);
  EXPECT_EQ(parts.begin()->first, 0);
  EXPECT_DOUBLE_EQ(parts.rbegin()->first, 180);
  const Json alone = json(
      {"cv", "d.csv", "--target", "y", "--ridge", "60", "--tune", "k", "--repeats", "3"})["curve"];
  ASSERT_EQ(alone.size(), parts[60].size());
  for (std::size_t i = 0; i < alone.size(); ++i)
    EXPECT_NEAR(alone[i]["mean_error"].get<double>(), parts[60][i]["mean_error"].get<double>(),
                1e-12);
}

TEST_F(CvProgram, CriteriaChooseFromTheTable) {
  make_data(80, 10, 9);
  const Json path = json({"path", "d.csv", "--target", "y", "--exclude", "w,f"})["steps"];
  const Json found =
      json({"cv", "d.csv", "--target", "y", "--exclude", "w,f", "--criterion", "bic"});
  ASSERT_EQ(found["curve"].size(), path.size());
  std::size_t best = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double rss = path[k]["rss"];
    const double bic = 80 * std::log(rss / 80) + static_cast<double>(k) * std::log(80.0);
    EXPECT_NEAR(found["curve"][k]["value"].get<double>(), bic, 1e-8);
    if (found["curve"][k]["value"] < found["curve"][best]["value"]) best = k;
  }
  EXPECT_EQ(found["chosen"]["k"], best);
  EXPECT_EQ(found["model"]["support"], path[best]["support"]);
}

TEST_F(CvProgram, WhatCanNotBeDoneIsSaidInOneLine) {
  make_data(20, 5, 10);
  const auto wrong = [&](int status, Arguments options, const std::vector<std::string>& parts) {
    options.insert(options.begin(), {"cv", "d.csv", "--target", "y"});
    expect_failure(status, options, parts);
  };
  const auto usage = [&](const Arguments& options, const std::string& part) {
    Arguments all = options;
    all.insert(all.end(), {"--exclude", "w"});
    wrong(2, all, {"lass0 cv: ", part});
  };
  usage({"--folds", "1"}, "--folds");
  usage({"--folds", "0"}, "--folds");
  usage({"--folds", "x"}, "--folds");
  usage({"--folds", "5", "--fold-column", "f"}, "--fold-column");
  usage({"--group-column", "f", "--blocks"}, "--group-column");
  usage({"--repeats", "0"}, "--repeats");
  usage({"--repeats", "2", "--folds", "n"}, "--repeats");
  usage({"--repeats", "2", "--blocks"}, "--repeats");
  usage({"--seed", "2", "--folds", "n"}, "--seed");
  usage({"--seed", "2", "--blocks"}, "--seed");
  usage({"--seed", "2", "--fold-column", "f"}, "--seed");
  usage({"--lambdas", "1"}, "--lambdas");
  usage({"--lambdas", "5", "--tune", "k"}, "--lambdas");
  usage({"--max-k", "-3"}, "--max-k");
  usage({"--tune", "size"}, "--tune");
  usage({"--rule", "2se"}, "--rule");
  usage({"--start", "paper", "--tune", "k"}, "--start");
  usage({"--ridge", "automatic"}, "--ridge");
  usage({"--ridge", "-1"}, "--ridge");
  usage({"--criterion", "dic"}, "--criterion");
  usage({"--criterion", "bic", "--folds", "5"}, "--folds");
  usage({"--criterion", "bic", "--effort", "quick"}, "--effort");
  usage({"--effort", "little"}, "--effort");
  usage({"--criterion", "bic", "--ridge", "1"}, "--ridge");
  usage({"--model", "-"}, "--model");
  usage({"--lambdas", "10000000"}, "--lambdas is 10000000, but must be from 2 to 100000");
  wrong(1, {"--exclude", "w,f", "--folds", "21"},
        {"d.csv", "20 rows", "21 folds", "at most 20", "one row at a time"});
  wrong(1, {"--weights", "w", "--exclude", "f", "--folds", "20"}, {"d.csv", "17 rows"});
  wrong(1, {"--exclude", "w", "--group-column", "f"},
        {"d.csv", "4 groups", "10 folds", "at most 4", "one group"});
  wrong(1, {"--exclude", "w", "--fold-column", "g"}, {"d.csv", "'g'", "folds"});
  wrong(1, {"--exclude", "w,f", "--fold-column", "f"}, {"d.csv", "'f'", "excluded"});
  wrong(1, {"--exclude", "w,f", "--time-limit", "0"}, {"d.csv", "time", "folds"});
  write("row.csv", "a,y\n1,2\n");
  expect_failure(1, {"cv", "row.csv", "--target", "y"}, {"1 row", "at least 2"});
  wrong(1, {"--exclude", "w,f", "--repeats", "1000000000000"}, {"d.csv", "memory", "repeats"});
  write("one.csv", "f,a,y\n1,2,3\n1,3,4\n1,1,7\n");
  expect_failure(1, {"cv", "one.csv", "--target", "y", "--fold-column", "f"},
                 {"one.csv", "same fold", "2 folds"});
  write("gap.csv", "f,a,y\n1,2,3\n,3,4\n2,1,7\n2,4,8\n1,5,5\n");
  expect_failure(1, {"cv", "gap.csv", "--target", "y", "--fold-column", "f"},
                 {"gap.csv", "missing", "f (1, first in row 2)"});
  EXPECT_EQ(json({"cv", "gap.csv", "--target", "y", "--fold-column", "f", "--missing",
                  "mean"})["fold_sizes"],
            Json({2, 2}));
}

TEST_F(CvProgram, WithoutMemoryTheCurveIsTheSameAndVerboseSaysHow) {
  make_data(60, 12, 4);
  const auto cv = [&](Arguments options, const std::string& plan) {
    options.insert(options.begin(), {"cv", "d.csv", "--target", "y", "--exclude", "w,f", "--tune",
                                     "k", "--verbose", "--threads", "1", "--format", "json"});
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("plan: " + plan, 0), 0U) << outcome.err;
    EXPECT_NE(outcome.err.find("passes over X, 1 thread\n"), std::string::npos) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json plain = cv({}, "full Gram matrix: all 12 columns");
  for (const char* size : {"0.5K", "1.5KiB", "20kb"}) {
    const Json other = cv({"--memory", size},
                          std::string(size) == "20kb" ? "cached columns" : "recomputed columns");
    EXPECT_EQ(other["model"]["support"], plain["model"]["support"]);
    ASSERT_EQ(other["curve"].size(), plain["curve"].size());
    for (std::size_t i = 0; i < plain["curve"].size(); ++i) {
      const double error = plain["curve"][i]["mean_error"];
      EXPECT_NEAR(other["curve"][i]["mean_error"].get<double>(), error, 1e-9 * error);
    }
  }
  for (Arguments command : {Arguments{"cv", "--criterion", "bic"}, {"fit", "--k", "2"}, {"path"}}) {
    command.insert(command.end(), {"d.csv", "--target", "y", "--exclude", "w,f", "--verbose"});
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.err.rfind("plan: full", 0), 0U) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  }
}

TEST_F(CvProgram, CtrlCGivesTheFoldsSoFarOrOneLine) {
  output({"simulate", "--n", "600", "--p", "150", "--k", "20", "--seed", "1", "--output", "d.csv"});
  const pid_t child = start({"cv", "d.csv", "--target", "y", "--folds", "n", "--format", "json"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGINT);
  const Outcome outcome = wait(child);
  if (outcome.status == 0) {
    const Json found = Json::parse(outcome.out);
    EXPECT_LE(found["folds_done"], 600);
    EXPECT_EQ(found["status"], found["folds_done"] < 600 ? "interrupted" : "local_optimum");
    EXPECT_EQ(found["fold_sizes"].size(), found["folds_done"]);
  } else {
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace lass0
