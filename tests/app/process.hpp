// The program as its users meet it: a process with arguments, files, standard input, two outputs
// and an exit status.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <lass0/report.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace lass0 {

using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

struct Outcome {
  int status = -1;  // the exit status; 128 + signal where a signal ended the process
  std::string out, err;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder of its own for every test, gone afterwards; the program runs in it.
class ProgramTest : public testing::Test {
 protected:
  static bool has_report() { return !report_template().empty(); }

  ProgramTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lass0_test_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }
  std::string read(const std::string& name) const { return read_text(path(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      if (name[0] != '>') names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // `interrupt` is what SIGINT does to it at first.
  pid_t start(Arguments arguments, const std::string& input_file = "/dev/null",
              void (*interrupt)(int) = SIG_DFL) const {
    arguments.insert(arguments.begin(), LASS0_PROGRAM);
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(127);
    const auto redirect = [](const char* file, int flags, int to) {
      dup2(open(file, flags, 0600), to);
    };
    redirect(input_file.c_str(), O_RDONLY, 0);
    redirect(">out", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(">err", O_WRONLY | O_CREAT | O_TRUNC, 2);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, SIG_DFL);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(LASS0_PROGRAM, argv.data());
    _exit(127);
  }

  Outcome wait(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(">out"),
            read(">err")};
  }

  Outcome run(Arguments arguments, const std::string& input_file = "/dev/null") const {
    return wait(start(std::move(arguments), input_file));
  }

  // The exit status of a shell command line in the test's folder, 128 + signal for a signal; what
  // hangs is ended after two minutes, with 124.
  int shell(const std::string& command) const {
    const int status = std::system(
        ("cd '" + path("").string() + "' && timeout 120 sh -c '" + command + "'").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // What the program prints to standard output when that is a terminal of its own, `columns` wide
  // (0: it does not say). Standard error is none: a slow machine would see progress there.
  std::string at_terminal(const Arguments& arguments, const char* no_color,
                          unsigned short columns = 0) const {
    int terminal = -1;
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
      setenv("TERM", "xterm", 1);
      unsetenv("COLUMNS");
      unsetenv("NO_COLOR");
      if (no_color) setenv("NO_COLOR", no_color, 1);
      if (chdir(path("").c_str()) != 0) _exit(127);
      const int nowhere = open("/dev/null", O_WRONLY);
      if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0) _exit(127);
      std::vector<std::string> all = arguments;
      all.insert(all.begin(), LASS0_PROGRAM);
      std::vector<char*> argv;
      for (std::string& argument : all) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(LASS0_PROGRAM, argv.data());
      _exit(127);
    }
    std::string text = written_to(terminal, child);
    std::erase(text, '\r');
    return text;
  }

  // All that a program shows on a terminal of its own until it ends, as it must, with status 0.
  static std::string written_to(int terminal, pid_t program) {
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(got));
    close(terminal);
    int status = 0;
    waitpid(program, &status, 0);
    EXPECT_EQ(status, 0);
    return text;
  }

  // A run that must work and say nothing on standard error; its standard output.
  std::string output(const Arguments& arguments) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  Json json(Arguments arguments) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    return Json::parse(output(arguments));
  }

  // A run that must fail: nothing on standard output, one line on standard error that begins with
  // the command and has all of `parts`.
  void expect_failure(int status, const Arguments& arguments, const std::vector<std::string>& parts,
                      const std::string& input_file = "/dev/null") const {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Outcome outcome = run(arguments, input_file);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("lass0", 0), 0u) << outcome.err;
    EXPECT_EQ(outcome.err.back(), '\n');
    for (const std::string& part : parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace lass0
