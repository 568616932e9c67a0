// The prediction intervals of a report are those of the model, for the rows that it shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/cross_validate.hpp>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

TEST(ReportIntervals, AreThoseOfTheModelForTheRowsShown) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const OwnedProblem problem(random_general_data(seed, 12));
    const CrossValidation cv =
        cross_validate(problem, {.folds = 3, .fold_models = true, .tune_ridge = false});
    const Json rows = Json::parse(report_json(problem, cv))["rows"];
    ASSERT_EQ(rows.contains("intervals"), rows["total"] >= 9);  // fewer rows can't cover 90 %
    if (rows["total"] < 9) continue;
    ++seen;
    const Json& told = rows["intervals"];
    EXPECT_EQ(told["coverage"], 0.9);
    const Intervals all = cv.model().predict_interval(*(*problem).design, 0.9);
    std::vector<double> widths;
    ASSERT_EQ(told["lower"].size(), rows["number"].size());
    ASSERT_EQ(told["upper"].size(), rows["number"].size());
    for (std::size_t r = 0; r < rows["number"].size(); ++r) {
      const Index i = rows["number"][r].get<Index>() - 1;
      const double width = all.upper[i] - all.lower[i];
      widths.push_back(width);
      const double digits = 1e-3 * (std::abs(all.lower[i]) + std::abs(all.upper[i]));
      EXPECT_NEAR(told["lower"][r].get<double>(), all.lower[i], digits);
      EXPECT_NEAR(told["upper"][r].get<double>(), all.upper[i], digits);
    }
    std::sort(widths.begin(), widths.end());
    const double median = widths[widths.size() / 2];
    EXPECT_NEAR(told["width"].get<double>(), median, 1e-6 * median);
  }
  EXPECT_GE(seen, 10);
}

TEST(ReportIntervals, NeedFoldModels) {
  const OwnedProblem problem(random_general_data(1, 12));
  const CrossValidation cv = cross_validate(problem, {.folds = 3, .tune_ridge = false});
  EXPECT_FALSE(Json::parse(report_json(problem, cv))["rows"].contains("intervals"));
}

}  // namespace
}  // namespace lass0::testing
