// --report: one page, or one line that says why not.
#include <lass0/report.hpp>

#include "app/process.hpp"

namespace lass0 {
namespace {

class ReportOption : public ProgramTest {
 protected:
  ReportOption() {
    output({"simulate", "--n", "60", "--p", "8", "--k", "2", "--seed", "1", "--output", "d.csv"});
  }
};

TEST_F(ReportOption, WritesAPageAndChangesNothingElse) {
  if (!has_report()) GTEST_SKIP() << "built without the report";
  const std::vector<Arguments> commands = {{"cv", "d.csv", "--target", "y"},
                                           {"cv", "d.csv", "--target", "y", "--criterion", "bic"},
                                           {"path", "d.csv", "--target", "y"}};
  for (Arguments command : commands) {
    const std::string plain = output(command);
    command.insert(command.end(), {"--report", "it's a page.html"});
    EXPECT_EQ(output(command), plain);
    const std::string page = read("it's a page.html");
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
    EXPECT_NE(page.find(R"(--report 'it'\\''s a page.html')"), page.npos);
    std::filesystem::remove(path("it's a page.html"));
  }
}

TEST_F(ReportOption, ComparisonsHaveTheirOwn) {
  if (!has_report()) GTEST_SKIP() << "built without the report";
  output({"compare", "d.csv", "--target", "y", "--outer", "2", "--inner", "2", "--methods",
          "lasso,lass0", "--report", "r.html"});
  EXPECT_NE(read("r.html").find(R"("kind":"compare")"), std::string::npos);
}

TEST_F(ReportOption, ASeedIsNamedWhereFoldsAreRandom) {
  if (!has_report()) GTEST_SKIP() << "built without the report";
  output({"cv", "d.csv", "--target", "y", "--seed", "77", "--report", "r.html"});
  EXPECT_NE(read("r.html").find(R"("seed":77)"), std::string::npos);
  output({"cv", "d.csv", "--target", "y", "--blocks", "--report", "r.html"});
  EXPECT_NE(read("r.html").find(R"("seed":null)"), std::string::npos);
}

TEST_F(ReportOption, SaysWhatIsWrong) {
  if (!has_report()) {
    expect_failure(2, {"cv", "d.csv", "--target", "y", "--report", "r.html"},
                   {"--report", "Node.js", "docs/report.md"});
    return;
  }
  expect_failure(2, {"path", "d.csv", "--target", "y", "--report", "-"}, {"--report", "file"});
  expect_failure(1, {"path", "d.csv", "--target", "y", "--report", "none/r.html"}, {"none/r.html"});
  for (const std::string command : {"path", "cv", "compare"})
    expect_failure(2, {command, "d.csv", "--target", "y", "--report", "d.csv"},
                   {"DATA and --report are the same file"});
  expect_failure(2, {"cv", "d.csv", "--target", "y", "--model", "m", "--report", "m"},
                 {"--model and --report are the same file"});
  EXPECT_EQ(files(), std::vector<std::string>{"d.csv"});
}

}  // namespace
}  // namespace lass0
