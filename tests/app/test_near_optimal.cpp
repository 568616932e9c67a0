// lass0 fit --within, as a process.
#include <cmath>

#include "app/fit_program.hpp"

namespace lass0 {
namespace {

class NearOptimalProgram : public FitProgram {
 protected:
  void SetUp() override {
    FitProgram::SetUp();
    output({"simulate", "--n", "80", "--p", "20", "--k", "5", "--rho", "0.8", "--snr", "1",
            "--seed", "3", "--output", "d.csv"});
  }
  static Arguments fit(const Arguments& more) {
    Arguments all = {"fit", "d.csv", "--target", "y"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Also where the test has no chance to see it: no line is wider than a terminal.
  static std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0, begin = 0;
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
      widest = std::max(widest, end - begin);
      begin = end + 1;
    }
    return widest;
  }
};

TEST_F(NearOptimalProgram, JsonHasWhatTheDesignPromises) {
  const Json fit_json = json(fit({"--lambda", "0.5", "--prove", "--within"}));
  const Json& near = fit_json["near_optimal"];
  EXPECT_EQ(near["within"], 0.5);
  EXPECT_EQ(near["complete"], true);
  EXPECT_EQ(near["best_listed"], true);
  EXPECT_EQ(near["exact"], true);
  EXPECT_EQ(near["count"], near["models"].size());
  EXPECT_GT(near["count"], 5);
  EXPECT_EQ(near["models"][0]["support"], fit_json["support"]);
  EXPECT_EQ(near["models"][0]["objective"], fit_json["objective"]);
  double before = 0;
  for (const Json& model : near["models"]) {
    EXPECT_GE(model["objective"].get<double>(), before);
    before = model["objective"];
    EXPECT_LE(before, fit_json["objective"].get<double>() + 0.5 + 1e-6);
  }
  ASSERT_EQ(near["columns"].size(), 20u);
  const std::vector<std::string> support = fit_json["support"];
  for (const Json& one : near["columns"]) {
    const bool member = std::count(support.begin(), support.end(), one["name"]) > 0;
    EXPECT_EQ(one[member ? "price_in" : "price_out"], 0);
    const double price = one[member ? "price_out" : "price_in"];
    EXPECT_EQ(one["class"], price <= 0.5 ? "interchangeable" : member ? "always" : "never");
    EXPECT_EQ(one["exact"], true);
  }
  EXPECT_FALSE(json(fit({"--lambda", "0.5", "--prove"})).contains("near_optimal"));
}

TEST_F(NearOptimalProgram, ADistanceAShareAndALimitHaveAnEffect) {
  const Json all = json(fit({"--k", "3", "--prove", "--within", "5%"}));
  const double objective = all["objective"];
  EXPECT_NEAR(all["near_optimal"]["within"].get<double>(), 0.05 * objective, 1e-12 * objective);
  const Json same =
      json(fit({"--k", "3", "--prove", "--within", std::to_string(0.05 * objective)}));
  EXPECT_EQ(same["near_optimal"]["count"], all["near_optimal"]["count"]);
  const Json few = json(fit({"--k", "3", "--prove", "--within", "5%", "--max-models", "2"}));
  EXPECT_EQ(few["near_optimal"]["count"], all["near_optimal"]["count"]);
  EXPECT_EQ(few["near_optimal"]["models"].size(), 2u);
  EXPECT_EQ(few["near_optimal"]["columns"], all["near_optimal"]["columns"]);
  const Json by_likelihood = json(fit({"--k", "3", "--prove", "--within", "auto"}));
  const double within = by_likelihood["near_optimal"]["within"];
  EXPECT_NEAR(40 * std::log(1 + within / objective), 2, 1e-9);
}

TEST_F(NearOptimalProgram, TheTextFitsTheTerminalAndNamesTheClasses) {
  const std::string text = output(fit({"--lambda", "0.5", "--prove", "--within", "0.2"}));
  EXPECT_NE(text.find("\nmodels     "), text.npos);
  EXPECT_NE(text.find("are within 0.2 of the best objective"), text.npos);
  EXPECT_NE(text.find("\ncolumn"), text.npos);
  EXPECT_NE(text.find("\ninterchangeable\n"), text.npos);
  EXPECT_NE(text.find("\nnever      "), text.npos);
  EXPECT_NE(text.find("price out  price in  models 1 to "), text.npos);
  EXPECT_LE(widest_line(text), 80u);
  const std::string alone = output(fit({"--lambda", "0.5", "--prove", "--within", "0"}));
  EXPECT_NE(alone.find("no other model is within 0 of the best objective"), alone.npos);
  EXPECT_NE(alone.find("\nalways\n"), alone.npos);
}

TEST_F(NearOptimalProgram, WithoutTimeTheOutputSaysThatNothingIsKnown) {
  const Json none =
      json(fit({"--lambda", "0.5", "--prove", "--within", "--time-limit", "0"}))["near_optimal"];
  EXPECT_EQ(none["complete"], false);
  EXPECT_EQ(none["exact"], false);
  for (const Json& one : none["columns"]) EXPECT_EQ(one["class"], "undecided");
}

}  // namespace
}  // namespace lass0
