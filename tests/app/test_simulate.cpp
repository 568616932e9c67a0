// lass0 simulate and lass0 demo, as processes.
#include "app/process.hpp"

namespace lass0 {
namespace {

using SimulateProgram = ProgramTest;

TEST_F(SimulateProgram, WritesTheTableAndTheTruth) {
  output({"simulate", "--n", "30", "--p", "12", "--k", "4", "--rho", "0.5", "--snr", "3", "--seed",
          "2", "--truth", "truth.txt", "--output", "d.csv"});
  const std::string data = read("d.csv"), truth = read("truth.txt");
  EXPECT_EQ(data.rfind("x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12,y\n", 0), 0u);
  EXPECT_EQ(std::count(data.begin(), data.end(), '\n'), 31);
  EXPECT_EQ(std::count(truth.begin(), truth.end(), '\n'), 4);
  EXPECT_EQ(files(), (std::vector<std::string>{"d.csv", "truth.txt"}));
}

TEST_F(SimulateProgram, TheSeedDecidesTheData) {
  const auto data = [&](const std::string& seed) {
    return output({"simulate", "--n", "10", "--p", "3", "--k", "1", "--seed", seed});
  };
  EXPECT_EQ(data("1"), data("1"));
  EXPECT_NE(data("1"), data("2"));
  EXPECT_NE(data("18446744073709551615"), "");
}

TEST_F(SimulateProgram, EveryFormatHoldsTheSameData) {
  const auto fit = [&](const std::string& file) {
    output({"simulate", "--n", "40", "--p", "6", "--k", "2", "--correlation", "ar1", "--rho",
            "-0.5", "--output", file});
    Json json = this->json({"fit", file, "--target", "7", "--lambda", "1"});
    for (const char* key : {"seconds", "target"}) json.erase(key);
    return json;
  };
  const Json csv = fit("d.csv");
  for (const std::string file : {"d.csv.gz", "d.tsv"}) EXPECT_EQ(fit(file), csv) << file;
  // Numbers that stay in their file are summed in another order.
  const Json npy = fit("d.npy").flatten();
  const Json text = csv.flatten();
  ASSERT_EQ(npy.size(), text.size());
  for (const auto& [key, value] : text.items()) {
    if (value.is_number_float())
      EXPECT_NEAR(npy[key].get<double>(), value.get<double>(),
                  1e-10 * std::abs(value.get<double>()))
          << key;
    else
      EXPECT_EQ(npy[key], value) << key;
  }
}

TEST_F(SimulateProgram, NoiseFreeDataGiveTheTruthBack) {
  output({"simulate", "--n", "100", "--p", "20", "--k", "4", "--snr", "inf", "--truth", "truth.txt",
          "--output", "d.csv"});
  const Json fit = json({"fit", "d.csv", "--target", "y", "--lambda", "1e-6"});
  std::string support;
  for (const std::string name : fit["support"]) support += name + "\n";
  EXPECT_EQ(support, read("truth.txt"));
  EXPECT_EQ(
      json({"fit", "d.csv", "--target", "y", "--lambda", "1e-6", "--start", "truth.txt"})["moves"],
      0);
}

TEST_F(SimulateProgram, TheDemoComparesBothMethodsAndFits80Columns) {
  const std::string text = output({"demo", "--seed", "3"});
  for (const char* part : {"Lasso", "Lass0", "true columns found", "Hamming distance", "test RMSE"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(output({"demo", "--seed", "3"}), text);
  // It ends with commands that a reader can run as they are.
  std::vector<Arguments> next;
  lines = std::istringstream(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  lass0 ")) continue;
    std::istringstream words(line);
    next.emplace_back();
    for (std::string word; words >> word;)
      if (word != "lass0") next.back().push_back(word);
  }
  ASSERT_EQ(next.size(), 4u) << text;
  for (const Arguments& command : next) output(command);
  EXPECT_EQ(next.back().front(), "cv");
  EXPECT_EQ(output({"demo", "--seed", "5"}).find("-0.00"), std::string::npos);
}

}  // namespace
}  // namespace lass0
