// lass0 moments, as a process: what the other commands say of its files is what they say of the
// data.
#include <fmt/format.h>

#include "app/process.hpp"

namespace lass0 {
namespace {

class MomentsProgram : public ProgramTest {
 protected:
  void simulate(const std::string& name, int n = 300) const {
    output({"simulate", "--n", std::to_string(n), "--p", "12", "--k", "4", "--rho", "0.5", "--snr",
            "2", "--seed", "3", "--output", name});
  }

  // Lines first .. last - 1 of the data, with the names.
  void write_part(const std::string& from, const std::string& to, int first, int last) const {
    std::istringstream lines(read(from));
    std::string text, line;
    for (int i = -1; std::getline(lines, line); ++i)
      if (i < 0 || (i >= first && i < last)) text += line + "\n";
    write(to, text);
  }

  Json of(Arguments command, const std::string& data, const Arguments& options) const {
    command.push_back(data);
    command.insert(command.end(), options.begin(), options.end());
    return json(command);
  }

  void expect_same_curve(const Json& a, const Json& b) const {
    ASSERT_EQ(a["curve"].size(), b["curve"].size());
    for (std::size_t i = 0; i < a["curve"].size(); ++i) {
      const double error = a["curve"][i]["mean_error"];
      EXPECT_NEAR(error, b["curve"][i]["mean_error"].get<double>(), 1e-9 * error);
      EXPECT_EQ(a["curve"][i]["mean_size"], b["curve"][i]["mean_size"]);
    }
    EXPECT_EQ(a["model"]["support"], b["model"]["support"]);
    EXPECT_EQ(a["model"]["n"], b["model"]["n"]);
    EXPECT_NEAR(a["model"]["rss"].get<double>(), b["model"]["rss"].get<double>(),
                1e-9 * a["model"]["rss"].get<double>());
  }
};

TEST_F(MomentsProgram, AnswersAsTheDataDo) {
  simulate("d.csv");
  EXPECT_EQ(output({"moments", "d.csv", "--target", "y", "--output", "d.moments"}),
            "d.moments: 300 rows, 12 columns, target y, 10 random folds, seed 1\n"
            "the next part needs --first-row 301\n");
  expect_same_curve(of({"cv"}, "d.csv", {"--target", "y"}), of({"cv"}, "d.moments", {}));
  const Json by_rows = of({"path"}, "d.csv", {"--target", "y"}),
             by_sums = of({"path"}, "d.moments", {});
  ASSERT_EQ(by_rows["steps"].size(), by_sums["steps"].size());
  for (std::size_t k = 0; k < by_rows["steps"].size(); ++k)
    EXPECT_EQ(by_rows["steps"][k]["support"], by_sums["steps"][k]["support"]);
  const Json fit_rows = of({"fit"}, "d.csv", {"--target", "y", "--k", "3"}),
             fit_sums = of({"fit"}, "d.moments", {"--k", "3", "--model", "m.json"});
  for (const auto& [key, value] : fit_rows.items()) EXPECT_TRUE(fit_sums.contains(key)) << key;
  EXPECT_EQ(fit_rows["support"], fit_sums["support"]);
  EXPECT_NEAR(fit_rows["r_squared"].get<double>(), fit_sums["r_squared"].get<double>(), 1e-10);
  output({"fit", "d.csv", "--target", "y", "--k", "3", "--model", "rows.json"});
  const auto predictions = [&](const std::string& model) {
    std::istringstream lines(run({"predict", model, "d.csv"}).out);
    std::string name;
    std::getline(lines, name);
    std::vector<double> values;
    for (double value = 0; lines >> value;) values.push_back(value);
    EXPECT_EQ(values.size(), 300u);
    return values;
  };
  const std::vector<double> a = predictions("m.json"), b = predictions("rows.json");
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) EXPECT_NEAR(a[i], b[i], 1e-10);
  EXPECT_EQ(of({"compare"}, "d.moments", {"--methods", "lasso,lass0"})["inner"], 9);
  EXPECT_EQ(of({"stability"}, "d.moments", {"--k", "3", "--pairs", "5"})["n"], 300);
}

TEST_F(MomentsProgram, PartsMadeOnTheirOwnAreTheWhole) {
  simulate("d.csv");
  write_part("d.csv", "a.csv", 0, 121);
  write_part("d.csv", "b.csv", 121, 300);
  output({"moments", "d.csv", "--target", "y", "--output", "whole", "--seed", "4"});
  output({"moments", "a.csv", "b.csv", "--target", "y", "--output", "both", "--seed", "4"});
  output({"moments", "a.csv", "--target", "y", "--output", "a", "--seed", "4"});
  const Json b = json(
      {"moments", "b.csv", "--target", "y", "--output", "b", "--seed", "4", "--first-row", "122"});
  EXPECT_EQ(b["next_row"], 301);
  output({"moments", "b", "a", "--output", "merged"});
  EXPECT_EQ(read("whole"), read("both"));
  const Json whole = json({"cv", "whole"});
  expect_same_curve(whole, json({"cv", "merged"}));
  expect_same_curve(whole, json({"cv", "d.csv", "--target", "y", "--seed", "4"}));
}

TEST_F(MomentsProgram, LeavesOutRowsAsTheDataDo) {
  simulate("raw.csv");
  std::istringstream lines(read("raw.csv"));
  std::string text, line;
  for (int i = -1; std::getline(lines, line); ++i) {
    const char* colour[] = {"red", "green", "blue, \"dark\"\nor so", ""};
    if (i % 11 == 5) line.replace(0, line.find(','), "NA");
    std::string quoted = colour[i < 0 ? 0 : i % 23 == 7 ? 3 : i % 3];
    for (std::size_t at = 0; (at = quoted.find('"', at)) != quoted.npos; at += 2)
      quoted.insert(at, "\"");
    text += i < 0 ? line + ",colour,w\n"
                  : fmt::format("{},\"{}\",{}\n", line, quoted, i % 5 == 2 ? 0 : 1 + i % 2);
  }
  write("d.csv", text);
  const Arguments options = {"--target",  "y",    "--one-hot", "colour",
                             "--missing", "drop", "--weights", "w"};
  Arguments make = {"moments", "d.csv", "--output", "m"};
  make.insert(make.end(), options.begin(), options.end());
  output(make);
  expect_same_curve(of({"cv"}, "d.csv", options), json({"cv", "m"}));
  write("levels", "colour=blue, \"dark\"\n");  // a level with a line end can't be listed
  make.insert(make.end(), {"--levels", "levels"});
  const Outcome outcome = run(make);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("d.csv: row 1, column 'colour': 'red' is not among the known levels"),
            std::string::npos)
      << outcome.err;
}

TEST_F(MomentsProgram, TakesAFoldColumnAndAZippedFileFromStandardInput) {
  simulate("raw.csv");
  std::istringstream lines(read("raw.csv"));
  std::string text, line;
  for (int i = -1; std::getline(lines, line); ++i)
    text += line + (i < 0 ? ",site" : fmt::format(",s{}", i * i % 7)) + "\n";
  write("d.csv", text);
  ASSERT_EQ(std::system(("gzip -k " + path("d.csv").string()).c_str()), 0);
  const Outcome made =
      run({"moments", "-", "--target", "y", "--fold-column", "site", "--output", "m"}, "d.csv.gz");
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, "m: 300 rows, 12 columns, target y, 4 folds by site\n");
  expect_same_curve(json({"cv", "d.csv", "--target", "y", "--fold-column", "site"}),
                    json({"cv", "m"}));
}

TEST_F(MomentsProgram, SaysInOneLineWhatItCantDo) {
  simulate("d.csv", 60);
  output({"moments", "d.csv", "--target", "y", "--output", "m"});
  const auto refused = [&](Arguments arguments, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.status, 0);
    EXPECT_EQ(outcome.err, fmt::format("lass0 {}: {}\n", arguments.front(), message));
  };
  refused({"cv", "m", "--folds", "5"},
          "--folds is 5, but m has the sums of 10 random folds: other folds need the rows of the "
          "data");
  refused({"cv", "m", "--seed", "5"},
          "--seed is 5, but m has the sums of 10 random folds of the seed 1: other folds need the "
          "rows of the data");
  refused({"cv", "m", "--repeats", "3"},
          "repeating with other random folds needs the rows of the data, but a file of moments has "
          "their sums only: use the data instead");
  refused({"cv", "m", "--inference", "splits"},
          "a split-sample p-value needs the rows of the data, but a file of moments has their sums "
          "only: use the data instead");
  refused({"cv", "m", "--family", "binomial"},
          "m: the family binomial needs rows, but a file of moments has only the sums of its rows");
  refused(
      {"moments", "m", "d.csv", "--output", "n"},
      "some of the files are data and others have moments: make moments of the data first, then "
      "merge them");
  refused({"moments", "m", "--target", "y", "--output", "n"},
          "--target is for data files: moments are merged as they are");
  refused({"moments", "m", "m", "--output", "n"},
          "m and m: both have the rows 1 to 60: if these are other rows, make one of the files "
          "again with --first-row 61");
  refused({"moments", "d.csv", "--target", "y", "--missing", "mean", "--output", "n"},
          "--missing is 'mean', but must be one of 'error', 'drop'");
  write("names.csv", "a,y\n");
  refused({"moments", "d.csv", "names.csv", "--target", "y", "--output", "n"},
          "names.csv: there are no data rows");
  write("other.csv", "a,y\n1,2\n");
  refused({"moments", "d.csv", "other.csv", "--target", "y", "--output", "n"},
          "other.csv: there are 1 columns of X, but 12 in d.csv");
  EXPECT_EQ(run({"cv", "m", "--folds", "10", "--seed", "1"}).status, 0);
  output({"cv", "m", "--model", "model.json"});
  EXPECT_EQ(run({"predict", "model.json", "m"}).status, 2);
  EXPECT_FALSE(exists("n"));
}

TEST_F(MomentsProgram, NamesTheRowOfTheFileInWhicheverPieceItIs) {
  std::string text = "a,b,y\n";
  const int rows = 700000;  // more than two pieces
  for (int i = 0; i < rows; ++i)
    text += i == rows - 3 ? "1,x,3\n" : fmt::format("{},{},1\n", i % 97, i % 89);
  write("d.csv", text);
  const Outcome outcome = run({"moments", "d.csv", "--target", "y", "--output", "m"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            fmt::format("lass0 moments: d.csv: row {} (line {}), column 'b': 'x' is not a number\n",
                        rows - 2, rows - 1));
}

}  // namespace
}  // namespace lass0
