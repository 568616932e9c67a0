// A target with nothing to explain: the answer is no column, at once, however many there are.
#include <random>

#include "app/process.hpp"

namespace lass0 {
namespace {

class NothingToExplain : public ProgramTest {
 protected:
  // Columns x1 ... xp and y, of 50 rows.
  template <class Target>
  void write_data(int p, const Target& target) const {
    std::mt19937 random(1);
    std::string text;
    for (int j = 1; j <= p; ++j) text += "x" + std::to_string(j) + ",";
    text += "y\n";
    for (int i = 0; i < 50; ++i) {
      std::vector<int> row(static_cast<std::size_t>(p));
      for (int& x : row) {
        x = static_cast<int>(random() % 1000);
        text += std::to_string(x) + ",";
      }
      text += target(row);
      text += "\n";
    }
    write("d.csv", text);
  }

  void expect_no_column(const std::string& command) const {
    SCOPED_TRACE(command);
    EXPECT_EQ(shell(std::string(LASS0_PROGRAM) + " " + command + " > out 2> err"), 0)
        << read("err");
    const std::string text = read("out");
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(shell(std::string(LASS0_PROGRAM) + " " + command + " --format json > out"), 0);
    const Json json = Json::parse(read("out"), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    if (json.contains("steps")) {
      EXPECT_EQ(json["steps"].size(), 1u);
      return;
    }
    const Json& model = json.contains("model") ? json["model"] : json;
    EXPECT_EQ(model["k"], 0);
    EXPECT_NEAR(model["objective"].get<double>(), 0, 1e-15);
  }

  void expect_no_column_of_any_command(const std::string& more) const {
    for (const std::string command :
         {"fit d.csv --target y --lambda 1", "fit d.csv --target y --lambda 0",
          "fit d.csv --target y --lambda 1 --start paper",
          "fit d.csv --target y --lambda 0 --start paper",
          "fit d.csv --target y --lambda 1 --start empty", "fit d.csv --target y --k 0",
          "fit d.csv --target y --lambda 1 --power 0.5", "path d.csv --target y",
          "path d.csv --target y --effort quick", "cv d.csv --target y",
          "cv d.csv --target y --tune k", "cv d.csv --target y --start paper",
          "cv d.csv --target y --criterion ebic"})
      expect_no_column(command + more);
  }
};

TEST_F(NothingToExplain, OfFewColumns) {
  write_data(20, [](const auto&) { return "0.1"; });
  expect_no_column_of_any_command("");
  expect_no_column("fit d.csv --target y --lambda 1 --prove");
  EXPECT_NE(output({"fit", "d.csv", "--target", "y", "--lambda", "1"}).find("constant"),
            std::string::npos);
}

TEST_F(NothingToExplain, OfManyColumns) {
  write_data(20000, [](const auto&) { return "0.1"; });
  expect_no_column_of_any_command("");
  expect_failure(1, {"compare", "d.csv", "--target", "y"}, {"the target is constant"});
}

TEST_F(NothingToExplain, ByMoreThanTheIncludedColumns) {
  for (const int p : {20, 20000}) {
    write_data(p, [](const auto& x) { return std::to_string(3 * x[0] - 2 * x[1] + 7); });
    expect_no_column_of_any_command(" --include x1,x2");
  }
}

}  // namespace
}  // namespace lass0
