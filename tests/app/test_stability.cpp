// lass0 stability, as a process.
#include <chrono>
#include <csignal>

#include "app/process.hpp"

namespace lass0 {
namespace {

class StabilityProgram : public ProgramTest {
 protected:
  void make_data() {
    output({"simulate", "--n", "120", "--p", "15", "--k", "3", "--rho", "0.3", "--snr", "8",
            "--seed", "2", "--truth", "t.txt", "--output", "d.csv"});
  }
  const Arguments command_ = {"stability", "d.csv", "--target", "y", "--pairs", "12"};
  Arguments with(const Arguments& more) const {
    Arguments all = command_;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(StabilityProgram, TheJsonHasEveryColumnOnceAndTheBound) {
  make_data();
  const Json found = json(with({"--k", "3", "--threshold", "0.8", "--seed", "5"}));
  EXPECT_EQ(found["columns"].size(), 15u);
  EXPECT_EQ(found["pairs"], 12);
  EXPECT_EQ(found["pairs_done"], 12);
  EXPECT_EQ(found["threshold"], 0.8);
  EXPECT_EQ(found["k"], 3);
  EXPECT_EQ(found["seed"], 5);
  EXPECT_EQ(found["n"], 120);
  EXPECT_EQ(found["p"], 15);
  EXPECT_EQ(found["status"], "local_optimum");
  EXPECT_NEAR(found["expected_low_probability"].get<double>(), 9.0 / 15 / 0.6, 1e-12);
  double sum = 0, before = 1;
  std::size_t stable = 0;
  for (const Json& column : found["columns"]) {
    const double frequency = column["frequency"];
    EXPECT_LE(frequency, before);
    before = frequency;
    sum += frequency;
    if (frequency >= 0.8) {
      EXPECT_EQ(found["stable"][stable++], column["name"]);
    }
  }
  EXPECT_EQ(found["stable"].size(), stable);
  EXPECT_NEAR(sum, 3, 1e-9);
}

TEST_F(StabilityProgram, TheTextFitsEightyColumnsAndSaysWhatTheBoundIsNot) {
  make_data();
  for (const Arguments& options :
       {Arguments{"--k", "3"}, Arguments{"--lambda", "20"}, Arguments{}, Arguments{"--k", "0"},
        Arguments{"--k", "2", "--include", "x1,x2", "--ridge", "5", "--positive", "x3"}}) {
    const std::string text = output(with(options));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    for (const char* words :
         {"24 random halves", "12 pairs", "not a bound on false columns", "--threshold 0.9"})
      EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    EXPECT_EQ(text.find("cross-validation") != text.npos, options.empty());
    EXPECT_EQ(text.find('\x1b'), text.npos);
  }
}

TEST_F(StabilityProgram, TheTrueColumnsComeFirst) {
  make_data();
  const Json found = json(with({}));
  EXPECT_EQ(found["chosen_by"], "cross-validation");
  const std::string truth = read("t.txt");
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(truth.find(found["columns"][i]["name"].get<std::string>() + "\n"), truth.npos);
}

TEST_F(StabilityProgram, LambdaIsThatOfAllRows) {
  make_data();
  // On a half, a column that costs lambda on all rows costs half of it.
  const Json found = json(with({"--lambda", "20"}));
  const Json fit = json({"fit", "d.csv", "--target", "y", "--lambda", "20"});
  EXPECT_NEAR(found["mean_size"].get<double>(), fit["k"].get<double>(), 1.5);
  EXPECT_EQ(found["lambda"], 20);
}

TEST_F(StabilityProgram, EveryOptionHasAnEffect) {
  output({"simulate", "--n", "60", "--p", "15", "--k", "5", "--rho", "0.8", "--snr", "0.5",
          "--output", "d.csv"});
  const auto columns = [&](const Arguments& more) {
    Arguments all = {"stability", "d.csv", "--target", "y", "--k"};
    all.insert(all.end(), more.begin(), more.end());
    return json(all)["columns"];
  };
  const Json plain = columns({"3"});
  EXPECT_EQ(plain, columns({"3", "--threads", "2"}));
  EXPECT_NE(plain, columns({"4"}));
  EXPECT_NE(plain, columns({"3", "--seed", "9"}));
  EXPECT_NE(plain, columns({"3", "--pairs", "5"}));
  EXPECT_NE(plain, columns({"3", "--ridge", "500"}));
  EXPECT_NE(plain, columns({"3", "--no-intercept"}));
  EXPECT_EQ(columns({"3", "--exclude", "x4"}).size(), 14u);
  EXPECT_EQ(columns({"3", "--include", "x4,x5"}).size(), 13u);
}

TEST_F(StabilityProgram, TheReportHasTheFrequencies) {
  make_data();
  const Outcome outcome = run(with({"--k", "3", "--report", "r.html"}));
  if (outcome.err.find("not part of this build") != std::string::npos)
    GTEST_SKIP() << "built without the report";
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(read("r.html").find(R"("kind":"stability")"), std::string::npos);
}

TEST_F(StabilityProgram, MisuseIsOneLine) {
  make_data();
  expect_failure(2, with({"--k", "3", "--lambda", "1"}), {"--lambda", "--k", "exclude each other"});
  expect_failure(2, with({"--threshold", "0.5"}), {"--threshold is 0.5", "above 0.5"});
  expect_failure(2, with({"--pairs", "0"}), {"--pairs"});
  expect_failure(1, with({"--k", "16"}), {"d.csv", "k is 16", "15 columns"});
  write("few.csv", "a,y\n1,2\n2,3\n3,5\n");
  expect_failure(1, {"stability", "few.csv", "--target", "y", "--k", "1"},
                 {"few.csv", "3 rows", "at least 4"});
}

TEST_F(StabilityProgram, ControlCKeepsTheFinishedPairs) {
  output({"simulate", "--n", "300", "--p", "120", "--k", "8", "--rho", "0.7", "--output",
          "large.npy"});
  const pid_t child = start({"stability", "large.npy", "--target", "121", "--k", "8", "--threads",
                             "1", "--pairs", "1000", "--format", "json"});
  std::this_thread::sleep_for(std::chrono::seconds(3));
  kill(child, SIGINT);
  const Outcome outcome = wait(child);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json found = Json::parse(outcome.out);
  EXPECT_EQ(found["status"], "interrupted");
  EXPECT_GE(found["pairs_done"], 1);
  EXPECT_LT(found["pairs_done"], 1000);
  EXPECT_EQ(found["pairs"], 1000);
}

TEST_F(StabilityProgram, ATimeLimitKeepsTheFinishedPairsOrSaysThatThereIsNone) {
  output({"simulate", "--n", "300", "--p", "120", "--k", "8", "--rho", "0.7", "--output",
          "large.npy"});
  const Arguments command = {"stability", "large.npy", "--target", "121",     "--threads",
                             "1",         "--k",       "8",        "--pairs", "1000"};
  Arguments limited = command;
  limited.insert(limited.end(), {"--time-limit", "2"});
  const Json found = json(limited);
  EXPECT_EQ(found["status"], "time_limit");
  EXPECT_LT(found["pairs_done"], 1000);
  EXPECT_NE(output(limited).find("of 1000 pairs"), std::string::npos);
  limited.back() = "0";
  expect_failure(1, limited, {"time limit", "allow more time"});
}

}  // namespace
}  // namespace lass0
