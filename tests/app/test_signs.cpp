// --positive and --negative.
#include "app/process.hpp"

namespace lass0 {
namespace {

class SignsProgram : public ProgramTest {
 protected:
  SignsProgram() {
    output({"simulate", "--n", "80", "--p", "10", "--k", "5", "--seed", "3", "--output", "d.csv"});
  }

  static void expect_signs(const Json& coefficients, int others,
                           const std::map<std::string, int>& signs = {}) {
    for (const auto& [column, value] : coefficients.items()) {
      const auto own = signs.find(column);
      EXPECT_GE(value.get<double>() * (own == signs.end() ? others : own->second), 0) << column;
    }
  }
};

TEST_F(SignsProgram, AllModelsKeepThem) {
  const Json free = json({"path", "d.csv", "--target", "y"})["steps"];
  const Json positive = json({"path", "d.csv", "--target", "y", "--positive", "*"})["steps"];
  EXPECT_LT(positive.size(), free.size());
  for (const Json& step : positive) expect_signs(step["coefficients"], 1);
  const Json mixed =
      json({"path", "d.csv", "--target", "y", "--positive", "x1,2", "--negative", "*"})["steps"];
  for (const Json& step : mixed) expect_signs(step["coefficients"], -1, {{"x1", 1}, {"x2", 1}});
  // Of as many columns, signs never help.
  for (std::size_t k = 0; k < positive.size(); ++k)
    EXPECT_GE(positive[k]["rss"].get<double>(), free[k]["rss"].get<double>() * (1 - 1e-12));
}

TEST_F(SignsProgram, FitAndCvAgreeWithThePath) {
  const Arguments signs = {"d.csv", "--target", "y", "--positive", "*"};
  const auto with = [&](const std::string& command, Arguments more) {
    more.insert(more.begin(), signs.begin(), signs.end());
    more.insert(more.begin(), command);
    return json(more);
  };
  const Json steps = with("path", {})["steps"];
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Json fit = with("fit", {"--k", std::to_string(k)});
    EXPECT_EQ(fit["support"], steps[k]["support"]);
    EXPECT_EQ(fit["status"], "local_optimum");
  }
  const Json cv = with("cv", {"--tune", "k", "--folds", "5"});
  EXPECT_EQ(cv["model"]["support"], steps[cv["chosen"]["k"].get<std::size_t>()]["support"]);
  const Json bic = with("cv", {"--criterion", "bic"});
  expect_signs(bic["model"]["coefficients"], 1);
  const Json lambda = with("fit", {"--lambda", "0", "--start", "empty"});
  EXPECT_EQ(lambda["support"], steps.back()["support"]);
}

TEST_F(SignsProgram, TheOutputNamesThem) {
  const Arguments signs = {"d.csv", "--target", "y", "--positive", "x1,x2", "--negative", "x4"};
  for (const Arguments& command : {Arguments{"path"}, Arguments{"fit", "--k", "2"}}) {
    Arguments all = command;
    all.insert(all.end(), signs.begin(), signs.end());
    const Json result = json(all);
    EXPECT_EQ(result["positive"], (Json{"x1", "x2"}));
    EXPECT_EQ(result["negative"], (Json{"x4"}));
    EXPECT_NE(output(all).find("2 columns kept at 0 or above, 1 column kept at 0 or below"),
              std::string::npos);
  }
  EXPECT_FALSE(json({"path", "d.csv", "--target", "y"}).contains("positive"));
}

TEST_F(SignsProgram, TextColumnsGiveTheirSignToAllLevels) {
  write("t.csv", "c,x,y\na,1,1\nb,2,0\nc,0,5\na,3,2\nb,1,1\nc,4,7\na,0,1.5\nb,5,0.5\n");
  const Json steps = json({"path", "t.csv", "--target", "y", "--one-hot", "c", "--negative", "c",
                           "--max-k", "3"})["steps"];
  for (const Json& step : steps) expect_signs(step["coefficients"], 0, {{"c=b", -1}, {"c=c", -1}});
}

TEST_F(SignsProgram, SaysWhatIsWrong) {
  const auto fit = [](Arguments more) {
    more.insert(more.begin(), {"fit", "d.csv", "--target", "y", "--lambda", "1"});
    return more;
  };
  expect_failure(1, fit({"--positive", "x1,zz"}), {"zz", "sign"});
  expect_failure(1, fit({"--positive", "x1", "--negative", "x1"}),
                 {"'x1' can't be both positive and negative"});
  expect_failure(2, fit({"--positive", "*", "--negative", "*"}), {"can't be both"});
  expect_failure(1, fit({"--positive", "x1", "--include", "x1"}),
                 {"'x1' can't be both included and positive"});
  expect_failure(1, fit({"--positive", "x1", "--exclude", "x1"}),
                 {"'x1' can't be both excluded and positive"});
  expect_failure(1, fit({"--positive", "y"}), {"'y' can't be both the target and positive"});
  expect_failure(2, fit({"--positive", "x1", "--prove"}), {"do not work with --prove"});
  expect_failure(2, fit({"--positive", "x1", "--start", "paper"}),
                 {"do not work with --start paper"});
  expect_failure(2, fit({"--negative", "x1", "--power", "0.5"}), {"do not work with --power"});
  expect_failure(2, {"path", "d.csv", "--target", "y", "--positive", "x1", "--prove"},
                 {"do not work with --prove"});
  expect_failure(2, {"cv", "d.csv", "--target", "y", "--positive", "x1", "--start", "paper"},
                 {"do not work with --start paper"});
  expect_failure(2, {"fit", "d.csv", "--target", "y", "--k", "10", "--positive", "*"},
                 {"there is no support of 10 columns"});
}

}  // namespace
}  // namespace lass0
