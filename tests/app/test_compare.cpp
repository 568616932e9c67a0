// lass0 compare, as a process; and colours, which only a person at a terminal sees.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <csignal>

#include "app/process.hpp"

namespace lass0 {
namespace {

class CompareProgram : public ProgramTest {
 protected:
  void make_data() {
    output({"simulate", "--n", "90", "--p", "12", "--k", "3", "--rho", "0.4", "--snr", "3",
            "--seed", "4", "--truth", "t.txt", "--output", "d.csv"});
  }
};

TEST_F(CompareProgram, TheJsonHasEveryFoldAndTheMeansAreThoseOfTheFolds) {
  make_data();
  const Json found = json({"compare", "d.csv", "--target", "y", "--truth", "t.txt", "--outer", "4",
                           "--inner", "3", "--seed", "7"});
  EXPECT_EQ(found["methods"].size(), 8u);
  EXPECT_EQ(found["outer"], 4);
  EXPECT_EQ(found["outer_done"], 4);
  EXPECT_EQ(found["inner"], 3);
  EXPECT_EQ(found["seed"], 7);
  EXPECT_EQ(found["truth"].size(), 3u);
  for (const Json& method : found["methods"]) {
    for (const char* rule : {"min", "1se"}) {
      const Json& part = method[rule];
      ASSERT_EQ(part["folds"].size(), 4u);
      double nrmse = 0, size = 0, hamming = 0;
      for (const Json& fold : part["folds"]) {
        nrmse += fold["nrmse"].get<double>() / 4;
        size += fold["size"].get<double>() / 4;
        hamming += fold["hamming"].get<double>() / 4;
        EXPECT_EQ(fold["support"].size(), fold["size"]);
        EXPECT_NEAR(fold["nrmse"].get<double>(),
                    100 * fold["rmse"].get<double>() / found["deviation"].get<double>(), 1e-9);
      }
      EXPECT_NEAR(part["nrmse"]["mean"].get<double>(), nrmse, 1e-9);
      EXPECT_NEAR(part["size"]["mean"].get<double>(), size, 1e-9);
      EXPECT_NEAR(part["hamming"]["mean"].get<double>(), hamming, 1e-9);
    }
  }
}

TEST_F(CompareProgram, TheTextFitsEightyColumnsAndNamesEveryMethod) {
  make_data();
  for (const Arguments& options :
       {Arguments{}, Arguments{"--truth", "t.txt"}, Arguments{"--prove"}}) {
    Arguments arguments = {"compare", "d.csv", "--target", "y", "--outer", "3", "--inner", "3"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string text = output(arguments);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    for (const char* name : {"\nlasso ", "\nrelaxed ", "\nforward ", "\nfoba ", "\nlasso-l0 ",
                             "\nlass0-paper ", "\nlass0 ", "\nlass0-ridge ", "rule 1se"})
      EXPECT_NE(text.find(name), std::string::npos) << name;
    EXPECT_EQ(text.find("\nexact ") != text.npos, options == Arguments{"--prove"});
    EXPECT_EQ(text.find('\x1b'), text.npos);
  }
}

TEST_F(CompareProgram, MethodsAreComparedFoldByFoldWithTheBest) {
  make_data();
  const Arguments command = {"compare", "d.csv",   "--target", "y",      "--outer",
                             "5",       "--inner", "3",        "--seed", "5"};
  const Json found = json(command);
  const std::string text = output(command);
  for (const std::string rule : {"min", "1se"}) {
    const Json* best = &found["methods"][0];
    for (const Json& method : found["methods"])
      if (method[rule]["nrmse"]["mean"] < (*best)[rule]["nrmse"]["mean"]) best = &method;
    int marked = 0;
    for (const Json& method : found["methods"]) {
      SCOPED_TRACE(method["name"].get<std::string>());
      double mean = 0, squares = 0;
      std::vector<double> differ;
      for (std::size_t f = 0; f < 5; ++f)
        differ.push_back(method[rule]["folds"][f]["nrmse"].get<double>() -
                         (*best)[rule]["folds"][f]["nrmse"].get<double>());
      for (const double d : differ) mean += d / 5;
      for (const double d : differ) squares += (d - mean) * (d - mean);
      const double se = std::sqrt(squares / 4 / 5);
      const Json& to_best = method[rule]["to_best"];
      EXPECT_NEAR(to_best["mean"].get<double>(), mean, 1e-9);
      EXPECT_NEAR(to_best["se"].get<double>(), se, 1e-9);
      EXPECT_EQ(to_best["distinct"], mean > 2 * se);
      marked += mean > 2 * se ? 0 : 1;
    }
    const std::size_t from = text.find("rule " + rule), to = text.find("\n\n", from);
    const std::string table = text.substr(from, to - from);
    EXPECT_EQ(std::count(table.begin(), table.end(), '*'), marked) << table;
    if (rule == "min") {
      EXPECT_LT(marked, 8) << "these data tell some of them apart";
    }
  }
  EXPECT_NE(text.find("\n*          the best method, and those"), text.npos) << text;
}

TEST_F(CompareProgram, OnlyTheMethodsAskedFor) {
  make_data();
  const Json found = json({"compare", "d.csv", "--target", "y", "--methods", "foba,lasso",
                           "--outer", "3", "--inner", "3"});
  ASSERT_EQ(found["methods"].size(), 2u);
  EXPECT_EQ(found["methods"][0]["name"], "foba");
  EXPECT_EQ(json({"compare", "d.csv", "--target", "y", "--methods", "lass0", "--prove", "--outer",
                  "2", "--inner", "2"})["methods"][1]["name"],
            "exact");
}

TEST_F(CompareProgram, AnInterruptGivesTheFoldsThatAreDone) {
  output({"simulate", "--n", "300", "--p", "60", "--k", "8", "--seed", "1", "--output", "d.csv"});
  const auto begun = std::chrono::steady_clock::now();
  const Arguments all = {"compare",   "d.csv",   "--target", "y",       "--methods",
                         "forward",   "--outer", "100",      "--inner", "10",
                         "--threads", "1",       "--format", "json"};
  const Outcome whole = run(all);
  const auto time = std::chrono::steady_clock::now() - begun;
  ASSERT_EQ(whole.status, 0) << whole.err;
  const pid_t child = start(all);
  std::this_thread::sleep_for(time / 2);
  kill(child, SIGINT);
  const Outcome outcome = wait(child);
  if (outcome.status != 0) {  // it took longer to begin this time
    EXPECT_NE(outcome.err.find("interrupted before one outer fold"), std::string::npos);
    return;
  }
  const Json found = Json::parse(outcome.out), full = Json::parse(whole.out);
  const std::size_t done = found["outer_done"];
  EXPECT_GE(done, 1u);
  EXPECT_EQ(found["status"], done < 100 ? "interrupted" : "local_optimum");
  for (std::size_t f = 0; f < done; ++f)
    EXPECT_EQ(found["methods"][0]["min"]["folds"][f], full["methods"][0]["min"]["folds"][f]);
}

TEST_F(CompareProgram, WhatIsWrongIsSaidInOneLine) {
  make_data();
  const auto bad = [&](int status, Arguments options, const std::vector<std::string>& parts) {
    options.insert(options.begin(), {"compare", "d.csv", "--target", "y"});
    expect_failure(status, options, parts);
  };
  bad(2, {"--methods", "ols"}, {"no method ols", "lass0-paper"});
  bad(2, {"--outer", "1"}, {"--outer is 1"});
  bad(2, {"--inner", "0"}, {"--inner is 0"});
  bad(2, {"--ridge", "1"}, {"--ridge"});
  bad(1, {"--outer", "91"}, {"d.csv", "90 rows"});
  bad(1, {"--truth", "none.txt"}, {"none.txt"});
  bad(1, {"--time-limit", "0"}, {"d.csv", "the time limit was reached"});
  write("t2.txt", "x1\nz9\n");
  bad(1, {"--truth", "t2.txt"}, {"t2.txt", "z9"});
}

TEST_F(CompareProgram, ColoursAreForTerminalsThatWantThem) {
  make_data();
  for (const Arguments& command :
       {Arguments{"compare", "d.csv", "--target", "y", "--outer", "3", "--inner", "3"},
        Arguments{"path", "d.csv", "--target", "y"}, Arguments{"cv", "d.csv", "--target", "y"}}) {
    const std::string plain = at_terminal(command, "1");
    EXPECT_EQ(plain.find('\x1b'), plain.npos) << command[0];
    std::string painted = at_terminal(command, nullptr);
    EXPECT_NE(painted.find("\x1b[1m"), painted.npos) << command[0];
    if (command[0] == "compare") continue;  // it has seconds, which differ
    // Without its colours it is the same text: nothing moved.
    std::string stripped;
    for (std::size_t i = 0; i < painted.size(); ++i) {
      if (painted[i] == '\x1b')
        i = painted.find('m', i);
      else
        stripped += painted[i];
    }
    EXPECT_EQ(stripped, plain);
    EXPECT_EQ(at_terminal(command, ""), painted);  // no-color.org: an empty value is none
  }
}

}  // namespace
}  // namespace lass0
