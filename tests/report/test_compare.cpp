// The data of a comparison's report are those of the comparison.
#include <gtest/gtest.h>

#include <lass0/compare.hpp>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

TEST(CompareReport, HasEveryFoldOfEveryMethod) {
  const OwnedProblem problem(random_data(3, ProblemSpec{.n = 60, .p = 8, .k = 3}));
  const Comparison comparison =
      compare(problem, {.outer = 3, .inner = 3, .seed = 5, .truth = std::vector<Index>{1, 7}});
  const Json payload = Json::parse(report_json(problem, comparison));
  EXPECT_EQ(payload["kind"], "compare");
  EXPECT_EQ(payload["seed"], 5);
  ASSERT_EQ(payload["methods"].size(), comparison.methods.size());
  const auto name = [&](const Json& id) -> std::string {
    return payload["columns"][id.get<std::size_t>()]["name"];
  };
  EXPECT_EQ(name(payload["truth"][0]), "x2");
  EXPECT_EQ(name(payload["truth"][1]), "x8");
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const ComparedMethod& method = comparison.methods[m];
    SCOPED_TRACE(method.name);
    const Json& one = payload["methods"][m];
    EXPECT_EQ(one["name"], method.name);
    for (const RuleInfo& info : rules()) {
      const Rule rule = info.rule;
      const auto key = static_cast<std::size_t>(rule);
      std::map<std::string, int> times;
      for (std::size_t f = 0; f < method.folds.size(); ++f) {
        const ComparedModel& model = method.folds[f].by[rule];
        EXPECT_NEAR(one["by_rule"][key]["nrmse"][f], model.nrmse, 1e-5 * model.nrmse);
        EXPECT_EQ(one["by_rule"][key]["size"][f], model.size);
        EXPECT_EQ(one["by_rule"][key]["hamming"][f], model.hamming.value());
        for (const Index j : model.at.support) ++times["x" + std::to_string(j + 1)];
      }
      EXPECT_EQ(one["by_rule"][key]["chosen"].size(), times.size());
      for (const Json& pair : one["by_rule"][key]["chosen"])
        EXPECT_EQ(pair[1], times[name(pair[0])]);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
