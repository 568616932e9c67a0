// The report of a file of moments: what needs rows is left out, the rest is that of the data.
#include <gtest/gtest.h>

#include <lass0/moments_builder.hpp>
#include <lass0/path.hpp>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

TEST(ReportOfMoments, HasNoRowsButAllElse) {
  const Data data = random_data(3, {.n = 120, .p = 6, .k = 2});
  const OwnedProblem rows(data);
  MomentsSchema schema;
  for (Index j = 0; j < 6; ++j) schema.names.push_back("x" + std::to_string(j + 1));
  MomentsBuilder builder(schema);
  builder.add(data.X, data.y);
  const Table table = builder.table();
  const Problem problem = problem_of(table, {});
  const Json sums = Json::parse(report_json(problem, path(problem))),
             whole = Json::parse(report_json(rows, path(rows)));
  EXPECT_EQ(sums["rows"]["total"], 120);
  EXPECT_TRUE(sums["rows"]["number"].empty());
  EXPECT_EQ(sums["weighted"], false);
  EXPECT_EQ(sums["notes"]["zero_weights"], 0);
  ASSERT_EQ(sums["models"].size(), whole["models"].size());
  for (std::size_t k = 0; k < sums["models"].size(); ++k) {
    const Json &a = sums["models"][k], &b = whole["models"][k];
    EXPECT_TRUE(a["residuals"].empty());
    EXPECT_EQ(a["support"], b["support"]);
    EXPECT_NEAR(a["rss"].get<double>(), b["rss"].get<double>(), 1e-9 * b["rss"].get<double>());
  }
}

}  // namespace
}  // namespace lass0::testing
