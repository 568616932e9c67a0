// Signals and limits that come while a file is written: the file is whole, as it was or not there,
// and nothing else is left.
#include "app/process.hpp"

namespace lass0 {
namespace {

class Signals : public ProgramTest {
 protected:
  // Many constant columns, which a model lists, so that it takes a while to be written.
  Signals() {
    std::string header, row;
    for (int j = 0; j < 20000; ++j) {
      header += "a_column_of_one_value_" + std::to_string(j) + ",";
      row += "1,";
    }
    write("d.csv", header + "x,y\n" + row + "1,3\n" + row + "2,5\n" + row + "4,8\n" + row +
                       "3,7\n" + row + "6,12\n" + row + "5,11\n");
    write("m.json", R"({"target": "", "intercept": 1.5, "coefficients": {"x": 2.25}})");
    std::string rows = "x\n";
    for (int i = 0; i < 1000000; ++i) rows += std::to_string(i) + "\n";
    write("rows.csv", rows);
  }

  struct Writer {
    Arguments arguments;
    std::string target;
    bool computes;  // and so has a result when it is interrupted
  };
  static std::vector<Writer> writers() {
    std::vector<Writer> all = {
        {{"simulate", "--n", "5000", "--p", "200", "--output", "o.csv"}, "o.csv", false},
        {{"predict", "m.json", "rows.csv", "--output", "o.csv"}, "o.csv", false},
        {{"fit", "d.csv", "--target", "y", "--lambda", "1", "--model", "o.json.gz"},
         "o.json.gz",
         true},
        {{"cv", "d.csv", "--target", "y", "--folds", "3", "--model", "o.json.gz"},
         "o.json.gz",
         true}};
    if (has_report())
      all.push_back(
          {{"path", "d.csv", "--target", "y", "--report", "o.html.gz"}, "o.html.gz", true});
    return all;
  }

  static bool ended(pid_t child) {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == child;
  }

  // As soon as there is another file, `signal` once or, until it ends, again and again.
  Outcome run_until_writing(const Writer& writer, int signal, bool again) const {
    const std::size_t before = files().size();
    const pid_t child = start(writer.arguments);
    while (!ended(child) && files().size() == before) {
    }
    do {
      kill(child, signal);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (again && !ended(child));
    return wait(child);
  }

  void expect_whole_or_nothing(const Writer& writer, int signal, bool again) const {
    SCOPED_TRACE(testing::PrintToString(writer.arguments) + " signal " + std::to_string(signal) +
                 (again ? " again and again" : ""));
    const std::vector<std::string> before = files();
    const Outcome outcome = run_until_writing(writer, signal, again);
    const bool result_first = signal == SIGINT && writer.computes && !again;
    if (result_first || outcome.status != 128 + signal) {
      EXPECT_EQ(outcome.status, 0);
    }
    const bool written = exists(writer.target);
    EXPECT_TRUE(written || outcome.status != 0);
    if (written) {
      if (writer.target.ends_with(".gz")) {
        EXPECT_EQ(shell("gzip -t " + writer.target), 0);
      }
      EXPECT_GT(std::filesystem::file_size(path(writer.target)), 10000u);
      std::filesystem::remove(path(writer.target));
    }
    EXPECT_EQ(files(), before);
    EXPECT_EQ(outcome.err, "");
  }
};

TEST_F(Signals, AnInterruptLeavesNoPartOfAFile) {
  for (const Writer& writer : writers()) {
    expect_whole_or_nothing(writer, SIGINT, false);
    expect_whole_or_nothing(writer, SIGINT, true);
  }
}

TEST_F(Signals, ATerminationLeavesNoPartOfAFile) {
  for (const Writer& writer : writers()) expect_whole_or_nothing(writer, SIGTERM, false);
}

TEST_F(Signals, AHangupLeavesNoPartOfAFile) {
  expect_whole_or_nothing(writers().front(), SIGHUP, false);
}

// As in the background of a script, which Ctrl-C at the terminal does not mean.
TEST_F(Signals, AnInterruptThatIsIgnoredStaysIgnored) {
  output({"simulate", "--n", "400", "--p", "400", "--k", "30", "--output", "large.npy"});
  Arguments arguments = {"path", "large.npy", "--target", "401", "--threads", "1"};
  Json expected = json(arguments);
  arguments.insert(arguments.end(), {"--format", "json"});
  const auto before = std::signal(SIGINT, SIG_IGN);  // the new process has it from the first
  const pid_t child = start(arguments, "/dev/null", SIG_IGN);
  std::signal(SIGINT, before);
  while (!ended(child)) {
    kill(child, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Outcome outcome = wait(child);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  Json found = Json::parse(outcome.out);
  expected.erase("seconds");
  found.erase("seconds");
  EXPECT_EQ(found["status"], expected["status"]);
  EXPECT_TRUE(found == expected);
}

TEST_F(Signals, TheOldFileStaysAsItWas) {
  write("o.csv", "old\n");
  const Writer writer = writers().front();
  const std::vector<std::string> before = files();
  EXPECT_EQ(run_until_writing(writer, SIGTERM, false).status, 128 + SIGTERM);
  EXPECT_EQ(read("o.csv"), "old\n");
  EXPECT_EQ(files(), before);
}

TEST_F(Signals, AFileThatIsCutOffWhileItIsReadIsNoBusError) {
  // 256 MiB of zeros, so that reading them takes a while.
  constexpr std::size_t kHeader = 128;
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4194304, 8), }";
  header.resize(kHeader - 11, ' ');
  write("zeros.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  std::filesystem::resize_file(path("zeros.npy"), kHeader + (std::size_t{256} << 20));
  const pid_t child = start({"fit", "zeros.npy", "--target", "8", "--lambda", "1"});
  const auto reads = [&] {
    const std::string maps = read_text("/proc/" + std::to_string(child) + "/maps");
    return maps.find("zeros.npy") != std::string::npos;
  };
  while (!ended(child) && !reads()) {
  }
  std::filesystem::resize_file(path("zeros.npy"), kHeader);
  const Outcome outcome = wait(child);
  EXPECT_LE(outcome.status, 1) << outcome.err;  // 0: it was faster
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), outcome.status);
}

TEST_F(Signals, AFileSizeLimitIsAnErrorThatLeavesNothing) {
  const std::vector<std::string> before = files();
  const std::string program = LASS0_PROGRAM;
  for (const std::string command :
       {"simulate --n 1000 --p 100 --output o.csv", "predict m.json rows.csv --output o.csv",
        "fit d.csv --target y --lambda 1 --model o.json",
        "cv d.csv --target y --folds 3 --model o.json"}) {
    SCOPED_TRACE(command);
    EXPECT_EQ(shell("ulimit -f 20; " + program + " " + command + " 2>&1 | cat > \">err\""), 0);
    const std::string err = read(">err");
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_NE(err.find("can't be written: File too large"), std::string::npos) << err;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(shell("ulimit -f 20; " + program + " " + command + " > /dev/null 2> /dev/null"), 1);
  }
  EXPECT_EQ(shell("ulimit -f 20; " + program + " predict m.json rows.csv > \">out\" 2> /dev/null"),
            1);
}

}  // namespace
}  // namespace lass0
