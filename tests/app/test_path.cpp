// lass0 path, and the fits that answer from the same table.
#include <cctype>
#include <set>
#include <sstream>

#include "app/process.hpp"

namespace lass0 {
namespace {

class PathProgram : public ProgramTest {
 protected:
  PathProgram() {
    output({"simulate", "--n", "80", "--p", "12", "--k", "4", "--seed", "3", "--output", "d.csv"});
  }
};

TEST_F(PathProgram, ListsEverySizeWithItsLambdas) {
  const Json steps = json({"path", "d.csv", "--target", "y"})["steps"];
  ASSERT_EQ(steps.size(), 13U);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    EXPECT_EQ(steps[k]["k"], k);
    EXPECT_EQ(steps[k]["support"].size(), k);
    EXPECT_EQ(steps[k]["coefficients"].size(), k);
    EXPECT_EQ(steps[k]["lambda_min"].is_null() && k > 0, steps[k]["lambda_max"].is_null() && k > 0);
    if (k > 0) {
      EXPECT_LT(steps[k]["rss"], steps[k - 1]["rss"]);
    }
  }
  EXPECT_TRUE(steps[0]["lambda_max"].is_null());
  EXPECT_EQ(json({"path", "d.csv", "--target", "y", "--max-k", "3"})["steps"].size(), 4U);
}

TEST_F(PathProgram, FitByKAndByLambdaAgreeWithIt) {
  const Json steps = json({"path", "d.csv", "--target", "y"})["steps"];
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Json fit = json({"fit", "d.csv", "--target", "y", "--k", std::to_string(k)});
    EXPECT_EQ(fit["support"], steps[k]["support"]);
    for (const auto& [column, value] : fit["coefficients"].items()) {
      EXPECT_NEAR(steps[k]["coefficients"][column].get<double>(), value.get<double>(), 1e-12);
    }
    EXPECT_EQ(fit["lambda_min"], steps[k]["lambda_min"]);
    EXPECT_TRUE(fit["lambda"].is_null());
    if (k == 0 || steps[k]["lambda_min"].is_null()) continue;
    const double lambda =
        0.5 * (steps[k]["lambda_min"].get<double>() + steps[k]["lambda_max"].get<double>());
    const Json same = json({"fit", "d.csv", "--target", "y", "--lambda", std::to_string(lambda)});
    EXPECT_EQ(same["support"], steps[k]["support"]);
    EXPECT_EQ(same["start"]["method"], "table");
  }
}

TEST_F(PathProgram, ProvesEveryRowAndFitsAgree) {
  const Json path = json({"path", "d.csv", "--target", "y", "--prove"});
  EXPECT_EQ(path["status"], "proven_optimal");
  EXPECT_GT(path["nodes"], 0);
  for (const Json& step : path["steps"]) {
    EXPECT_EQ(step["proven"], true);
    EXPECT_NEAR(step["lower_bound"].get<double>(), step["rss"].get<double>(), 1e-9);
    const std::string k = std::to_string(step["k"].get<int>());
    const Json fit = json({"fit", "d.csv", "--target", "y", "--k", k, "--prove"});
    EXPECT_EQ(fit["support"], step["support"]);
    EXPECT_EQ(fit["status"], "proven_optimal");
    EXPECT_EQ(fit["gap"], 0.0);
  }
  const Json shorter = json({"path", "d.csv", "--target", "y", "--prove", "--max-k", "3"});
  ASSERT_EQ(shorter["steps"].size(), 4U);
  EXPECT_EQ(shorter["steps"][3], path["steps"][3]);
}

TEST_F(PathProgram, AProofFromAnyStartEndsAtTheSameSupport) {
  const Json table = json({"fit", "d.csv", "--target", "y", "--lambda", "1", "--prove"});
  EXPECT_EQ(table["status"], "proven_optimal");
  EXPECT_EQ(table["lower_bound"], table["objective"]);
  for (const char* start : {"paper", "empty"}) {
    const Json fit =
        json({"fit", "d.csv", "--target", "y", "--lambda", "1", "--prove", "--start", start});
    EXPECT_EQ(fit["status"], "proven_optimal");
    EXPECT_EQ(fit["support"], table["support"]);
  }
}

TEST_F(PathProgram, AProofThatRunsOutOfTimeSaysHowFarItGot) {
  output({"simulate", "--n", "260", "--p", "240", "--k", "40", "--rho", "0.8", "--snr", "0.5",
          "--seed", "4", "--output", "hard.csv"});
  // Enough for the table, which a slow machine needs longer for, but not for the proof.
  Json fit;
  for (const char* limit : {"0.5", "4", "20"}) {
    fit = json(
        {"fit", "hard.csv", "--target", "y", "--lambda", "0.2", "--prove", "--time-limit", limit});
    if (fit["status"] != "time_limit") break;
  }
  ASSERT_EQ(fit["status"], "gap");
  EXPECT_GT(fit["gap"], 0);
  EXPECT_LT(fit["gap"], 1);
  EXPECT_LT(fit["lower_bound"], fit["objective"]);
}

TEST_F(PathProgram, ALowerBoundIsNeverAboveWhatItBounds) {
  for (const char* seed : {"1", "2", "3"}) {
    output({"simulate", "--n", "30", "--p", "8", "--k", "4", "--rho", "0.5", "--snr", "inf",
            "--seed", seed, "--output", "exact.csv"});
    for (const Arguments& options :
         {Arguments{}, Arguments{"--include", "x1"}, Arguments{"--include", "x1,x6"},
          Arguments{"--include", "x1", "--ridge", "1"}}) {
      Arguments all = {"path", "exact.csv", "--target", "y", "--prove"};
      all.insert(all.end(), options.begin(), options.end());
      const Json found = json(all);
      for (const Json& step : found["steps"])
        EXPECT_LE(step["lower_bound"], step[step.contains("loss") ? "loss" : "rss"]) << step;
    }
  }
}

TEST_F(PathProgram, ATableThatWasStoppedSaysSo) {
  const auto mentions = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string stopped = output({"path", "d.csv", "--target", "y", "--time-limit", "0"});
  EXPECT_TRUE(mentions(stopped, "best of those found")) << stopped;
  EXPECT_TRUE(mentions(stopped, "\nstopped    before the table was complete:")) << stopped;
  const std::string whole = output({"path", "d.csv", "--target", "y"});
  EXPECT_TRUE(mentions(whole, "best of all")) << whole;
  EXPECT_FALSE(mentions(whole, "stopped")) << whole;
  EXPECT_TRUE(
      mentions(output({"fit", "d.csv", "--target", "y", "--lambda", "1", "--time-limit", "0"}),
               "among the sizes found so far"));
}

TEST_F(PathProgram, ASizeThatWasNotReachedInTimeSaysSo) {
  expect_failure(
      1, {"fit", "d.csv", "--target", "y", "--k", "2", "--time-limit", "0"},
      {"d.csv", "the time limit was reached before a support of 2 columns", "allow more time"});
  EXPECT_EQ(json({"fit", "d.csv", "--target", "y", "--k", "0", "--time-limit", "0"})["status"],
            "time_limit");
}

TEST_F(PathProgram, WrongUsageIsRefused) {
  const auto wrong = [&](Arguments options, const std::string& part) {
    options.insert(options.begin() + 1, {"d.csv", "--target", "y"});
    expect_failure(2, options, {part});
  };
  wrong({"fit"}, "--k");
  wrong({"fit", "--k", "2", "--lambda", "1"}, "--k");
  wrong({"fit", "--k", "-1"}, "--k");
  wrong({"fit", "--k", "13"}, "no support of 13 columns: at most 12 improve the fit");
  wrong({"fit", "--k", "2", "--start", "empty"}, "--start");
  wrong({"fit", "--k", "2", "--start", "paper"}, "--start");
  wrong({"fit", "--k", "2", "--l1-tolerance", "1e-3"}, "--l1-tolerance");
  wrong({"fit", "--lambda", "1", "--start", "empty", "--l1-tolerance", "1e-3"}, "--l1-tolerance");
  wrong({"path", "--max-k", "-2"}, "--max-k");
  wrong({"fit", "--lambda", "1", "--power", "0.5", "--prove"}, "--power");
}

TEST_F(PathProgram, BadDataAreNamed) {
  write("huge.csv", "a,y\n1,1e200\n2,1\n3,2\n");
  expect_failure(1, {"path", "huge.csv", "--target", "y"}, {"huge.csv: the target's values"});
}

TEST_F(PathProgram, MoreThreadsThanAnyoneHasAreQuiet) {
  EXPECT_EQ(json({"path", "d.csv", "--target", "y", "--threads", "100000"})["steps"],
            json({"path", "d.csv", "--target", "y", "--threads", "1"})["steps"]);
}

// The names of all columns of a size, in the text: beside its numbers or on the lines below.
std::set<std::string> listed(const std::string& text, std::size_t k) {
  std::istringstream lines(text);
  std::set<std::string> names;
  bool here = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (line.empty() || word == "k") {
      here = false;
      continue;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0]))) here = word == std::to_string(k);
    if (!here) continue;
    do {
      if (word[0] == 'x' || word.starts_with("+x")) names.insert(word.substr(word[0] == '+'));
    } while (words >> word);
  }
  return names;
}

TEST_F(PathProgram, EverySizeListsAllItsColumns) {
  output({"simulate", "--n", "120", "--p", "40", "--k", "8", "--rho", "0.9", "--seed", "3",
          "--output", "wide.csv"});
  const Arguments command = {"path", "wide.csv", "--target", "y", "--max-k", "30"};
  const Json steps = json(command)["steps"];
  for (const std::string& text : {output(command), at_terminal(command, "1", 150)}) {
    for (std::size_t k = 1; k <= 30; ++k) {
      const std::vector<std::string> names = steps[k]["support"];
      EXPECT_EQ(listed(text, k), std::set<std::string>(names.begin(), names.end())) << text;
    }
  }
}

TEST_F(PathProgram, TheTextIsAsWideAsTheTerminal) {
  const auto widest = [](const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  };
  const Arguments command = {"path", "d.csv", "--target", "y"};
  const std::size_t wide = widest(at_terminal(command, "1", 120));
  EXPECT_GT(wide, 80u);
  EXPECT_LE(wide, 120u);
  EXPECT_LE(widest(at_terminal(command, "1", 80)), 80u);
  EXPECT_EQ(at_terminal(command, "1", 80), output(command));
  EXPECT_EQ(at_terminal(command, "1", 0), output(command)) << "a terminal that does not say";
}

TEST_F(PathProgram, TheTextFitsEightyColumns) {
  std::istringstream lines(output({"path", "d.csv", "--target", "y"}) +
                           output({"path", "d.csv", "--target", "y", "--prove"}) +
                           output({"fit", "d.csv", "--target", "y", "--k", "3", "--prove"}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace
}  // namespace lass0
