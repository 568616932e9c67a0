// The README tells the truth: its commands print what it shows, and its C++ compiles and runs. So
// do the commands of other pages.
#include <iostream>
#include <lass0/lass0.hpp>
#include <numeric>

#include "app/process.hpp"

namespace lass0 {
namespace {

// The content of a page's fenced blocks of one language.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  const std::string text = read_text(LASS0_SOURCE_DIR "/" + page), open = "```" + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = text.find(open); at != text.npos; at = text.find(open, at)) {
    at += open.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

class Readme : public ProgramTest {
 protected:
  std::string shell(const std::string& command) const {
    const std::string folder = std::filesystem::path(LASS0_PROGRAM).parent_path();
    const std::string all = "cd '" + path("").string() + "' && PATH='" + folder + "':$PATH && (" +
                            command + ") > out 2>&1";
    EXPECT_EQ(std::system(all.c_str()), 0) << command;
    return read("out");
  }

  // The commands of a page, one after the other, print what it shows.
  void check_commands(const std::string& page) const {
    const auto sessions = blocks(page, "console");
    ASSERT_FALSE(sessions.empty());
    std::istringstream lines(std::accumulate(sessions.begin(), sessions.end(), std::string()));
    std::string command, expected;
    const auto check = [&] {
      if (!command.empty()) {
        EXPECT_EQ(shell(command), expected) << command;
      }
      expected.clear();
    };
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("$ ", 0) == 0) {
        check();
        command = line.substr(2);
      } else {
        expected += line + "\n";
      }
    }
    check();
  }
};

TEST_F(Readme, ItsCommandsPrintWhatItShows) { check_commands("README.md"); }
TEST_F(Readme, TheCommandsForTwoClassesPrintWhatThePageShows) { check_commands("docs/binary.md"); }

TEST_F(Readme, TheCommandsForMomentsPrintWhatThePageShows) { check_commands("docs/moments.md"); }

TEST_F(Readme, ItsSnippetIsTheOneBelow) {
  const std::string source = read_text(LASS0_SOURCE_DIR "/tests/app/test_readme.cpp"),
                    begin = "// README {\n", end = "// } README";
  const std::size_t from = source.find(begin) + begin.size();
  std::istringstream lines(source.substr(from, source.find("  " + end) - from));
  std::string snippet = "#include <iostream>\n#include <lass0/lass0.hpp>\n\n";
  for (std::string line; std::getline(lines, line);)
    snippet += (line.rfind("  ", 0) == 0 ? line.substr(2) : line) + "\n";
  EXPECT_EQ(blocks("README.md", "cpp"), std::vector<std::string>{snippet});
}

TEST_F(Readme, ItsSnippetRuns) {
  shell("lass0 simulate --n 200 --p 50 --k 5 --seed 1 --output data.csv");
  std::filesystem::current_path(path(""));
  testing::internal::CaptureStdout();
  // README {
  const lass0::Table table = lass0::read_table("data.csv", {.target = "y"});
  const lass0::Fit fit = lass0::fit(table, {.goal = lass0::AtLambda{2.0}});

  for (const std::string& name : fit.model.names) std::cout << name << '\n';
  std::cout << fit.objective << ' ' << lass0::to_string(fit.status) << '\n';
  const lass0::Vector predictions = fit.model.predict(table);
  // } README
  EXPECT_NE(testing::internal::GetCapturedStdout().find("x43\n"), std::string::npos);
  EXPECT_NEAR((table.y() - predictions).squaredNorm(), fit.rss, 1e-9 * fit.rss);
  std::filesystem::current_path("/");
}

}  // namespace
}  // namespace lass0
