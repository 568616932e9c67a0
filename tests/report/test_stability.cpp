// The data of a report on stability: those of the result, for data of any size.
#include <gtest/gtest.h>

#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

TEST(StabilityReport, HasTheColumnsThatWereChosenAndCountsTheOthers) {
  const OwnedProblem problem(random_data(3, {.n = 80, .p = 12, .k = 3, .rho = 0.5}));
  const Stability found = stability(problem, {.k = 3, .pairs = 6, .threshold = 0.7, .seed = 4});
  const Json payload = Json::parse(report_json(problem, found, {.source = "d.csv"}));
  EXPECT_EQ(payload["kind"], "stability");
  EXPECT_EQ(payload["seed"], 4);
  EXPECT_EQ(payload["k"], 3);
  EXPECT_TRUE(payload["lambda"].is_null());
  EXPECT_EQ(payload["stable"], found.stable);
  EXPECT_EQ(payload["expected_low_probability"], found.expected_low_probability);
  const std::size_t listed = payload["columns"].size();
  EXPECT_EQ(payload["chosen_ever"], listed);
  EXPECT_EQ(payload["never"], 12 - listed);
  for (std::size_t i = 0; i < listed; ++i) {
    EXPECT_EQ(payload["columns"][i]["halves"], found.columns[i].halves);
    EXPECT_EQ(payload["columns"][i]["number"], found.columns[i].column + 1);
  }
}

TEST(StabilityReport, ListsAtMostThreeHundredColumns) {
  const OwnedProblem problem(random_data(3, {.n = 60, .p = 900, .k = 0, .rho = 0}));
  const Stability found = stability(problem, {.k = 20, .pairs = 20});
  const Json payload = Json::parse(report_json(problem, found));
  EXPECT_EQ(payload["columns"].size(), 300u);
  EXPECT_GT(payload["chosen_ever"], 300);
}

}  // namespace
}  // namespace lass0::testing
