// lass0 fit, as a process.
#include <cmath>

#include "app/fit_program.hpp"

namespace lass0 {
namespace {

Json without_seconds(Json json) {
  json.erase("seconds");
  return json;
}

TEST_F(FitProgram, JsonHasWhatTheDesignPromises) {
  write_plane();
  const Json fit = json(plane({"--start", "paper"}));
  EXPECT_EQ(fit["lambda"], 0.5);
  EXPECT_EQ(fit["k"], 2);
  EXPECT_EQ(fit["n"], 40);
  EXPECT_EQ(fit["p"], 3);
  EXPECT_EQ(fit["target"], "y");
  EXPECT_EQ(fit["support"], (Json{"a", "b"}));
  EXPECT_NEAR(fit["intercept"].get<double>(), 3, 0.05);
  EXPECT_NEAR(fit["coefficients"]["a"].get<double>(), 2, 0.01);
  EXPECT_NEAR(fit["coefficients"]["b"].get<double>(), -1, 0.01);
  EXPECT_EQ(fit["coefficients"].size(), 2u);
  EXPECT_NEAR(fit["objective"].get<double>(), fit["rss"].get<double>() / 2 + 0.5 * 2, 1e-12);
  EXPECT_GT(fit["r_squared"].get<double>(), 0.999);
  EXPECT_EQ(fit["status"], "local_optimum");
  EXPECT_EQ(fit["start"]["method"], "paper");
  EXPECT_EQ(fit["start"]["lambda1"], 0.5);
  EXPECT_TRUE(fit["start"]["support"].is_array());
  EXPECT_EQ(fit["moves"], fit["trace"].size());
  EXPECT_TRUE(fit["improving_swap"].is_null());
  EXPECT_EQ(fit["lasso"]["converged"], true);
  EXPECT_LE(fit["lasso"]["relative_gap"].get<double>(), 1e-7);
  EXPECT_EQ(fit["aliased"], Json::array());
  EXPECT_EQ(fit["constant"], Json::array());
  EXPECT_GE(fit["seconds"].get<double>(), 0);
}

TEST_F(FitProgram, TheTraceLeadsFromTheStartToTheSupport) {
  output({"simulate", "--n", "80", "--p", "30", "--k", "6", "--seed", "5", "--output", "d.csv"});
  for (const std::string start : {"paper", "empty", "table"}) {
    const Json fit = json({"fit", "d.csv", "--target", "y", "--lambda", "1", "--start", start});
    std::vector<std::string> support = fit["start"]["support"];
    double before = fit["trace"].empty() ? fit["objective"].get<double>() : INFINITY;
    for (const Json& move : fit["trace"]) {
      if (move["move"] == "add")
        support.push_back(move["column"]);
      else
        std::erase(support, move["column"].get<std::string>());
      EXPECT_GT(move["gain"].get<double>(), 0);
      EXPECT_LT(move["objective"].get<double>(), before);
      before = move["objective"];
    }
    std::vector<std::string> expected = fit["support"];
    std::sort(support.begin(), support.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(support, expected) << start;
    EXPECT_NEAR(before, fit["objective"].get<double>(), 1e-9 * before);
  }
}

TEST_F(FitProgram, EveryStartCanBeGiven) {
  write_plane();
  write("start.txt", "# a comment\nc\n\nb\n");
  const Json table = json(plane());
  EXPECT_EQ(table["start"]["method"], "table");
  EXPECT_TRUE(table["start"]["lambda1"].is_null());
  EXPECT_EQ(table["start"]["support"], (Json{"a", "b"}));
  EXPECT_EQ(table["moves"], 0);
  EXPECT_FALSE(table.contains("lasso"));
  EXPECT_LT(table["lambda_min"], 0.5);
  EXPECT_GT(table["lambda_max"], 0.5);
  EXPECT_EQ(json(plane({"--start", "table"}))["coefficients"], table["coefficients"]);
  const Json empty = json(plane({"--start", "empty"}));
  EXPECT_EQ(empty["start"]["method"], "empty");
  EXPECT_TRUE(empty["start"]["lambda1"].is_null());
  EXPECT_EQ(empty["start"]["support"], Json::array());
  EXPECT_EQ(empty["moves"], 2);
  const Json given = json(plane({"--start", "start.txt"}));
  EXPECT_EQ(given["start"]["method"], "support");
  EXPECT_EQ(given["start"]["support"], (Json{"b", "c"}));
  EXPECT_EQ(given["support"], (Json{"a", "b"}));
  write("bad.txt", "a\nzzz\n");
  expect_failure(1, plane({"--start", "bad.txt"}), {"bad.txt", "zzz"});
  expect_failure(1, plane({"--start", "none.txt"}), {"none.txt"});
}

TEST_F(FitProgram, OptionsReachTheFit) {
  write_plane();
  EXPECT_EQ(json(plane({"--power", "0.5"}))["power"], 0.5);
  EXPECT_EQ(json(plane({"--exclude", "a"}))["p"], 2);
  EXPECT_EQ(json(plane({"--exclude", "a,c"}))["p"], 1);
  EXPECT_EQ(json(plane({"--no-intercept"}))["intercept"], 0.0);
  EXPECT_NE(json(plane({"--start", "paper", "--no-standardize"}))["lasso"]["objective"],
            json(plane({"--start", "paper"}))["lasso"]["objective"]);
  EXPECT_EQ(json({"fit", "plane.csv", "--target", "4", "--lambda", "0.5"})["target"], "y");
  EXPECT_EQ(json({"fit", "plane.csv", "--target", "y", "--lambda", "1e9"})["k"], 0);
}

TEST_F(FitProgram, IncludedColumnsAreInTheModelAndNotCounted) {
  write_plane();
  const Json plain = json(plane());
  const Json fit = json(plane({"--include", "c", "--model", "m.json"}));
  EXPECT_EQ(fit["include"], Json{"c"});
  EXPECT_EQ(fit["k"], 2);
  EXPECT_EQ(fit["support"], (Json{"a", "b", "c"}));
  EXPECT_EQ(fit["coefficients"].size(), 3u);
  EXPECT_LT(fit["rss"], plain["rss"]);
  EXPECT_NEAR(fit["objective"].get<double>(), fit["rss"].get<double>() / 2 + 0.5 * 2, 1e-12);
  EXPECT_EQ(fit["start"]["support"], (Json{"a", "b"}));
  EXPECT_FALSE(plain.contains("include"));
  EXPECT_NE(output(plane({"--include", "1,c"})).find("1 of 3 columns, and 2 included: a c"),
            std::string::npos);
  const Outcome predicted = run({"predict", "m.json", "plane.csv"});
  EXPECT_EQ(predicted.status, 0);
  EXPECT_NE(predicted.err.find("RMSE 0.02"), std::string::npos) << predicted.err;

  const Json steps = json({"path", "plane.csv", "--target", "y", "--include", "c"})["steps"];
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0]["k"], 0);
  EXPECT_EQ(steps[0]["support"], Json{"c"});
  EXPECT_EQ(steps[2]["support"], (Json{"a", "b", "c"}));
  EXPECT_EQ(json({"path", "plane.csv", "--target", "y", "--include", "c"})["include"], Json{"c"});
  EXPECT_NE(output({"path", "plane.csv", "--target", "y", "--include", "c"}).find("included   c"),
            std::string::npos);
}

TEST_F(FitProgram, AStartMayNameIncludedColumns) {
  write_plane();
  write("start.txt", "c\nb\n");
  const Json fit = json(plane({"--include", "b", "--start", "start.txt"}));
  EXPECT_EQ(fit["start"]["support"], Json{"c"});
  EXPECT_EQ(fit["support"], (Json{"a", "b"}));
  EXPECT_EQ(fit["k"], 1);
}

TEST_F(FitProgram, AnIncludedTextColumnIsAllItsLevels) {
  write("d.csv",
        "colour,a,y\nred,1,11\nblue,2,2.1\ngreen,3,23\nred,7,12.5\nblue,5,5\ngreen,6,26.2\n");
  const Json fit = json({"fit", "d.csv", "--target", "y", "--lambda", "1e6", "--one-hot", "colour",
                         "--include", "colour"});
  EXPECT_EQ(fit["support"], (Json{"colour=green", "colour=red"}));
  EXPECT_EQ(fit["k"], 0);
}

TEST_F(FitProgram, ARidgeShrinksAndIsReported) {
  write_plane();
  const Json plain = json(plane()), fit = json(plane({"--ridge", "10"}));
  EXPECT_EQ(fit["ridge"], 10.0);
  EXPECT_FALSE(plain.contains("ridge"));
  EXPECT_LT(fit["coefficients"]["a"], plain["coefficients"]["a"]);
  EXPECT_GT(fit["rss"], plain["rss"]);
  // Deviations with 1/n, by hand.
  const auto variance = [](auto value) {
    double sum = 0, square = 0;
    for (int i = 0; i < 40; ++i) sum += value(i), square += value(i) * value(i);
    return square / 40 - sum * sum / 1600;
  };
  const double a = fit["coefficients"]["a"], b = fit["coefficients"]["b"];
  const double ridge = 10 * (a * a * variance([](int i) { return i % 7; }) +
                             b * b * variance([](int i) { return i % 5; }));
  EXPECT_NEAR(fit["objective"].get<double>(), (fit["rss"].get<double>() + ridge) / 2 + 0.5 * 2,
              1e-9);
  EXPECT_NE(output(plane({"--ridge", "10"})).find(" + ridge term "), std::string::npos);

  const Json path = json({"path", "plane.csv", "--target", "y", "--ridge", "10"});
  EXPECT_EQ(path["ridge"], 10.0);
  for (const char* column : {"a", "b"}) {
    EXPECT_NEAR(path["steps"][2]["coefficients"][column].get<double>(),
                fit["coefficients"][column].get<double>(), 1e-12);
  }
  EXPECT_NEAR(path["steps"][2]["rss"].get<double>(), fit["rss"].get<double>(), 1e-9);
  EXPECT_NEAR(path["steps"][2]["loss"].get<double>(), fit["rss"].get<double>() + ridge, 1e-8);
  EXPECT_FALSE(json({"path", "plane.csv", "--target", "y"})["steps"][2].contains("loss"));
  EXPECT_NE(output({"path", "plane.csv", "--target", "y", "--ridge", "10"}).find("loss"),
            std::string::npos);
}

TEST_F(FitProgram, AWeightOf2EqualsTheRowTwice) {
  write("weighted.csv", "a,w,y\n1,1,1\n2,2,3\n3,1,3\n4,0,100\n5,1,7\n");
  write("repeated.csv", "a,y\n1,1\n2,3\n2,3\n3,3\n5,7\n");
  const Json weighted =
      json({"fit", "weighted.csv", "--target", "y", "--weights", "w", "--lambda", "0.1"});
  const Json repeated = json({"fit", "repeated.csv", "--target", "y", "--lambda", "0.1"});
  EXPECT_EQ(weighted["n"], 4);
  EXPECT_EQ(weighted["p"], 1);
  EXPECT_NEAR(weighted["coefficients"]["a"].get<double>(),
              repeated["coefficients"]["a"].get<double>(), 1e-12);
  EXPECT_NEAR(weighted["objective"].get<double>(), repeated["objective"].get<double>(), 1e-12);
}

TEST_F(FitProgram, TheTimeLimitStillGivesAResult) {
  write_plane();
  const Json fit = json(plane({"--time-limit", "0"}));
  EXPECT_EQ(fit["status"], "time_limit");
}

TEST_F(FitProgram, TheModelFileIsTheJson) {
  write_plane();
  output(plane({"--model", "model.json"}));
  EXPECT_EQ(without_seconds(Json::parse(read("model.json"))), without_seconds(json(plane())));
  EXPECT_EQ(files(), (std::vector<std::string>{"model.json", "plane.csv"}));
  expect_failure(1, plane({"--model", "no/such/folder/model.json"}), {"no/such/folder"});
}

TEST_F(FitProgram, AFailedFitLeavesTheOldModelAlone) {
  write("model.json", "old");
  write("bad.csv", "a,y\n1,2\nx,3\n");
  expect_failure(1, {"fit", "bad.csv", "--target", "y", "--lambda", "1", "--model", "model.json"},
                 {"bad.csv"});
  EXPECT_EQ(read("model.json"), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"bad.csv", "model.json"}));
}

TEST_F(FitProgram, TheNumberOfThreadsDoesNotChangeABit) {
  output({"simulate", "--n", "300", "--p", "700", "--k", "15", "--seed", "3", "--output", "d.csv"});
  const auto fit = [&](const std::string& threads) {
    return without_seconds(
               json({"fit", "d.csv", "--target", "y", "--lambda", "2", "--threads", threads}))
        .dump();
  };
  const std::string one = fit("1");
  EXPECT_EQ(fit("2"), one);
  EXPECT_EQ(fit("3"), one);
  EXPECT_EQ(fit("0"), one);
}

TEST_F(FitProgram, StandardInputIsData) {
  write_plane();
  const Outcome outcome =
      run({"fit", "-", "--target", "y", "--lambda", "0.5", "--format", "json"}, "plane.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(without_seconds(Json::parse(outcome.out)), without_seconds(json(plane())));
}

TEST_F(FitProgram, AnEmptyModelAndAConstantTargetAreFine) {
  write("flat.csv", "a,b,y\n1,2,5\n2,2,5\n3,2,5\n");
  const Json fit = json({"fit", "flat.csv", "--target", "y", "--lambda", "1"});
  EXPECT_EQ(fit["k"], 0);
  EXPECT_EQ(fit["coefficients"], Json::object());
  EXPECT_EQ(fit["intercept"], 5.0);
  EXPECT_EQ(fit["r_squared"], 0.0);
  EXPECT_EQ(fit["constant"], Json{"b"});
  EXPECT_NE(output({"fit", "flat.csv", "--target", "y", "--lambda", "1"}).find("0 of 2 columns"),
            std::string::npos);
}

TEST_F(FitProgram, MissingValuesAreCountedDroppedOrReplaced) {
  write("gaps.csv",
        "a,b,y\n1,5,1\n2,,2.5\n,3,3\n4,2,4\n5,1,5.5\n6,9,6\n7,1,7\n8,2,9\n9,1,9\n10,4,9.5\n");
  const Arguments fit = {"fit", "gaps.csv", "--target", "y", "--lambda", "0.01"};
  expect_failure(1, fit, {"gaps.csv", "a", "b", "--missing"});
  Arguments dropped = fit, mean = fit;
  dropped.insert(dropped.end(), {"--missing", "drop"});
  mean.insert(mean.end(), {"--missing", "mean"});
  EXPECT_EQ(json(dropped)["n"], 8);
  EXPECT_NE(output(dropped).find("2 rows"), std::string::npos);
  EXPECT_EQ(json(mean)["n"], 10);
  EXPECT_NEAR(json(mean)["imputed"]["a"].get<double>(), 52.0 / 9, 1e-12);
}

// Waits until the program has taken over SIGINT, so that the signal can't come too early.
bool wait_for_handler(pid_t child) {
  for (int i = 0; i < 10000; ++i) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    if (!status) return false;
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("SigCgt:", 0) == 0 &&
          std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1)
        return true;
      if (line.rfind("State:\tZ", 0) == 0) return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST_F(FitProgram, CtrlCGivesTheResultSoFar) {
  output({"simulate", "--n", "1000", "--p", "2000", "--k", "500", "--output", "d.npy"});
  Outcome outcome;
  // Once the sums over the rows are there, which a slow machine needs longer for.
  for (const int wait_ms : {0, 50, 200, 1000, 5000}) {
    const pid_t child = start({"fit", "d.npy", "--target", "2001", "--lambda", "1e-6", "--threads",
                               "1", "--format", "json"});
    if (!wait_for_handler(child)) {
      wait(child);
      GTEST_SKIP() << "the fit was over before it could be interrupted";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    kill(child, SIGINT);
    outcome = wait(child);
    if (outcome.err.find("interrupted before the sums over the rows") == std::string::npos) break;
    EXPECT_EQ(outcome.status, 1);
  }
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json fit = Json::parse(outcome.out);
  EXPECT_EQ(fit["status"], "interrupted");
  EXPECT_TRUE(fit["coefficients"].is_object());
}

}  // namespace
}  // namespace lass0
