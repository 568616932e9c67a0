// Progress, which only a person at a terminal sees, on standard error.
#include <sys/stat.h>

#include <chrono>

#include "app/process.hpp"

namespace lass0 {
namespace {

class ProgressLine : public ProgramTest {
 protected:
  // All that is shown on a terminal of this width while data are read from a pipe whose writer
  // hesitates; the lines that replace each other are apart. Standard output is no terminal.
  std::vector<std::string> shown(unsigned short columns, const std::string& pipe) const {
    if (!exists(pipe) && mkfifo(path(pipe).c_str(), 0600) != 0) return {};
    int terminal = -1;
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      if (chdir(path("").c_str()) != 0) _exit(127);
      const int out = open(">out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (out < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(127);
      unsetenv("COLUMNS");
      execl(LASS0_PROGRAM, LASS0_PROGRAM, "path", pipe.c_str(), "--target", "y", nullptr);
      _exit(127);
    }
    {
      std::ofstream to(path(pipe));  // once the program has opened it
      // Nothing is shown in the first second.
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));
      to << "a,b,y\n1,2,3\n2,1,4\n4,3,8\n3,3,7\n5,1,9\n6,2,12\n";
    }
    const std::string text = written_to(terminal, child);
    constexpr std::string_view kErase = "\r\x1b[K";
    std::vector<std::string> lines;
    for (std::size_t at = text.find(kErase); at != text.npos;) {
      const std::size_t from = at + kErase.size();
      at = text.find(kErase, from);
      const std::string line = text.substr(from, at == text.npos ? at : at - from);
      if (!line.empty()) lines.push_back(line);
    }
    return lines;
  }
};

TEST_F(ProgressLine, NamesTheFileThatIsRead) {
  const std::vector<std::string> lines = shown(80, "data.csv");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "reading data.csv 0 %");
}

// One that is longer would be broken, and only its last part replaced.
TEST_F(ProgressLine, IsNeverWiderThanItsTerminalAndCutOnlyWhereItWouldBe) {
  const std::string name = std::string(100, 'n') + ".csv";
  for (const unsigned short columns : {40, 100}) {
    const std::vector<std::string> lines = shown(columns, name);
    ASSERT_FALSE(lines.empty());
    for (const std::string& line : lines) EXPECT_LE(line.size(), columns) << line;
    EXPECT_EQ(lines.front().rfind("reading nnn", 0), 0u) << lines.front();
    EXPECT_GT(lines.front().size() + 10, columns) << lines.front();
  }
  EXPECT_NE(shown(150, name).front().find(name), std::string::npos);
}

}  // namespace
}  // namespace lass0
