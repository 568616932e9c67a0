// Data in a page can't become part of it.
#include <gtest/gtest.h>

#include <lass0/error.hpp>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTemplate =
    "<html><script id=d>__LASS0_REPORT_DATA__</script><p></p></html>";
constexpr std::string_view kBefore = "<html><script id=d>", kAfter = "</script><p></p></html>";

std::string rendered_json(const std::string& json) {
  const std::string page = render_report(json, kTemplate);
  EXPECT_EQ(page.substr(0, kBefore.size()), kBefore);
  EXPECT_EQ(page.substr(page.size() - kAfter.size()), kAfter);
  return page.substr(kBefore.size(), page.size() - kBefore.size() - kAfter.size());
}

TEST(RenderReport, EscapesWhatHtmlAndJavaScriptCouldMisread) {
  const Json data = {
      "</script><script>alert(1)</script>", "<!-- <script>",         "a & b > c",
      "\u2028 \u2029 \u2027 \u202a",        "__LASS0_REPORT_DATA__", "\\u003c \" \\"};
  const std::string json = rendered_json(data.dump());
  EXPECT_EQ(json.find_first_of("<>&"), json.npos) << json;
  EXPECT_EQ(json.find("\u2028"), json.npos);
  EXPECT_EQ(json.find("\u2029"), json.npos);
  EXPECT_EQ(Json::parse(json), data);
}

TEST(RenderReport, NamesThatAreNoUtf8AreShownAllTheSame) {
  const OwnedProblem owned(random_data(1, ProblemSpec{.n = 30, .p = 2, .k = 2, .snr = 50}));
  const std::vector<std::string> names = {"na\xEFve", "<b>"};
  Problem problem = *owned;
  problem.names = names;
  const std::string json = report_json(problem, lass0::path(problem), {.source = "caf\xE9.csv"});
  const Json payload = Json::parse(rendered_json(json));
  EXPECT_EQ(payload["source"], "caf\uFFFD.csv");
  std::vector<std::string> shown;
  for (const Json& column : payload["columns"]) shown.push_back(column["name"]);
  std::sort(shown.begin(), shown.end());
  EXPECT_EQ(shown, (std::vector<std::string>{"<b>", "na\uFFFDve"}));
}

TEST(RenderReport, RefusesWhatIsNoTemplate) {
  EXPECT_THROW(render_report("{}", ""), Error);
  EXPECT_THROW(render_report("{}", "<html></html>"), Error);
}

TEST(RenderReport, TheTemplateThatWasBuiltInHasAPlace) {
  if (report_template().empty()) GTEST_SKIP() << "built without the report";
  const std::string page = render_report("{\"here\": 1}");
  EXPECT_NE(page.find("{\"here\": 1}"), page.npos);
  EXPECT_EQ(page.find("__LASS0_REPORT_DATA__"), page.npos);
}

}  // namespace
}  // namespace lass0::testing
