// The files that a command writes: what becomes of those that are there, and that none of them is
// another one under a different name.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "app/process.hpp"

namespace lass0 {
namespace {

namespace fs = std::filesystem;

class Files : public ProgramTest {
 protected:
  Files() { write("d.csv", kData); }

  static constexpr const char* kData = "a,b,y\n1,2,3\n2,1,4\n4,3,8\n3,3,7\n5,1,9\n6,2,12\n";

  static Arguments fit(const std::string& model) {
    return {"fit", "d.csv", "--target", "y", "--lambda", "0.1", "--model", model};
  }
  static Arguments cv(const Arguments& more) {
    Arguments arguments = {"cv", "d.csv", "--target", "y", "--folds", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  void expect_same_file(const Arguments& arguments, const std::string& both) const {
    const std::vector<std::string> before = files();
    expect_failure(2, arguments, {both + " are the same file"});
    EXPECT_EQ(files(), before);
    EXPECT_EQ(read("d.csv"), kData);
  }
  unsigned mode(const std::string& name) const {
    struct stat info = {};
    EXPECT_EQ(stat(path(name).c_str(), &info), 0);
    return info.st_mode & 0777;
  }
};

TEST_F(Files, AReplacedFileKeepsItsPermissions) {
  for (const unsigned permissions : {0600u, 0664u, 0640u}) {
    write("m.json", "old");
    fs::permissions(path("m.json"), fs::perms(permissions));
    output(fit("m.json"));
    EXPECT_TRUE(Json::accept(read("m.json")));
    EXPECT_EQ(mode("m.json"), permissions);
  }
}

TEST_F(Files, AReplacedFileKeepsItsOwner) {
  write("m.json", "old");
  if (chown(path("m.json").c_str(), 12345, 23456) != 0) GTEST_SKIP() << "only root may do this";
  output(fit("m.json"));
  struct stat info = {};
  EXPECT_EQ(stat(path("m.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 12345u);
  EXPECT_EQ(info.st_gid, 23456u);
}

TEST_F(Files, ALinkStaysALinkAndItsTargetIsReplaced) {
  fs::create_directory(path("there"));
  write("there/m.json", "old");
  fs::permissions(path("there/m.json"), fs::perms(0600));
  fs::create_symlink("there/m.json", path("link"));
  fs::create_symlink("link", path("m.json"));  // a chain, and relative ones
  output(fit("m.json"));
  EXPECT_TRUE(fs::is_symlink(path("m.json")));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(Json::accept(read("there/m.json")));
  EXPECT_EQ(mode("there/m.json"), 0600u);
}

TEST_F(Files, ALinkToNothingIsWrittenThrough) {
  fs::create_directory(path("there"));
  fs::create_symlink("there/new.json", path("m.json"));
  output(fit("m.json"));
  EXPECT_TRUE(fs::is_symlink(path("m.json")));
  EXPECT_TRUE(Json::accept(read("there/new.json")));
  fs::create_symlink("loop", path("loop"));
  expect_failure(1, fit("loop"), {"loop: can't be written"});
  EXPECT_TRUE(fs::is_symlink(path("loop")));
}

TEST_F(Files, LongNamesCanBeWritten) {
  const std::string name = std::string(250, 'm') + ".json";
  output(fit(name));
  EXPECT_TRUE(exists(name));
}

TEST_F(Files, PipesAndOpenFilesAreWrittenAsTheyAre) {
  const std::string program = LASS0_PROGRAM;
  const std::string model = program + " fit d.csv --target y --lambda 0.1 --format json --model ";
  EXPECT_EQ(shell("mkfifo pipe && { cat pipe > got & " + model + "pipe > out; wait; }"), 0);
  EXPECT_TRUE(Json::accept(read("got"))) << read("got");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  // Two results into one open file follow each other, and what is there already stays.
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1}})");
  const std::string predict = program + " predict m.json d.csv";
  EXPECT_EQ(shell("{ echo first; " + predict + " --output /dev/stdout; echo last; } > all"), 0);
  EXPECT_EQ(read("all"), "first\nprediction\n2\n3\n5\n4\n6\n7\nlast\n");
  EXPECT_EQ(shell(predict + " --output /dev/stdout | cat > piped"), 0);
  EXPECT_EQ(read("piped"), "prediction\n2\n3\n5\n4\n6\n7\n");
}

// As under inetd or socat: data come from where the result goes.
TEST_F(Files, OneConnectionIsBothInputAndOutput) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (dup2(ends[1], 0) < 0 || dup2(ends[1], 1) < 0) _exit(127);
    close(ends[1]);
    execl(LASS0_PROGRAM, LASS0_PROGRAM, "fit", "-", "--target", "y", "--lambda", "0.1", "--format",
          "json", nullptr);
    _exit(127);
  }
  close(ends[1]);
  const std::string_view data = kData;
  EXPECT_EQ(::write(ends[0], data.data(), data.size()), std::ssize(data));
  shutdown(ends[0], SHUT_WR);
  std::string result;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    result.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(Json::accept(result)) << result;
}

TEST_F(Files, ASocketIsNotReplaced) {
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  const std::string place = path("socket").string();
  ASSERT_LT(place.size(), sizeof address.sun_path);
  std::copy(place.begin(), place.end(), address.sun_path);
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  expect_failure(1, fit("socket"), {"socket: can't be written"});
  EXPECT_TRUE(fs::is_socket(path("socket")));
  close(server);
}

// Who runs this may be allowed everything, so the program runs without that right.
TEST_F(Files, AProtectedFileIsNotReplaced) {
  write("m.json", "old");
  fs::permissions(path("m.json"), fs::perms(0444));
  constexpr int kAllowed = 77;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
    if (shell("test -w m.json") == 0) _exit(kAllowed);
    _exit(shell(std::string(LASS0_PROGRAM) +
                " fit d.csv --target y --lambda 0.1 --model m.json > out 2> err"));
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kAllowed) GTEST_SKIP() << "no file is protected from this user";
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read("err").find("m.json: can't be written: Permission denied"), std::string::npos)
      << read("err");
  EXPECT_EQ(read("m.json"), "old");
  EXPECT_EQ(mode("m.json"), 0444u);
}

TEST_F(Files, OneFileUnderTwoNamesIsFoundBeforeItIsThere) {
  if (!has_report()) GTEST_SKIP() << "built without the report";
  expect_same_file(cv({"--model", "same", "--report", "same"}), "--model and --report");
  expect_same_file(cv({"--model", "./same", "--report", "same"}), "--model and --report");
  expect_same_file(cv({"--model", path("same"), "--report", "same"}), "--model and --report");
  fs::create_directory(path("f"));
  expect_same_file(cv({"--model", "f/../same", "--report", "same"}), "--model and --report");
  fs::create_directory_symlink("f", path("g"));
  expect_same_file(cv({"--model", "g/same", "--report", "f/same"}), "--model and --report");
  fs::create_symlink("f/same", path("later"));
  expect_same_file(cv({"--model", "later", "--report", "g/same"}), "--model and --report");
  expect_same_file({"simulate", "--truth", "s.csv", "--output", "./s.csv"}, "--truth and --output");
}

TEST_F(Files, LinksToAnInputAreTheInput) {
  if (!has_report()) GTEST_SKIP() << "built without the report";
  write("m.json", R"({"intercept": 1, "coefficients": {"a": 1}})");
  write("list.txt", "a\n");
  fs::create_symlink("d.csv", path("soft.csv"));
  fs::create_hard_link(path("d.csv"), path("hard.csv"));
  fs::create_hard_link(path("list.txt"), path("hard.txt"));
  fs::create_hard_link(path("m.json"), path("hard.json"));
  for (const std::string name : {"soft.csv", "hard.csv"}) {
    expect_same_file(fit(name), "DATA and --model");
    expect_same_file(cv({"--model", name}), "DATA and --model");
    expect_same_file(cv({"--report", name}), "DATA and --report");
    expect_same_file({"path", "d.csv", "--target", "y", "--report", name}, "DATA and --report");
    expect_same_file({"compare", "d.csv", "--target", "y", "--report", name}, "DATA and --report");
    expect_same_file({"predict", "m.json", "d.csv", "--output", name}, "DATA and --output");
  }
  expect_same_file({"predict", "m.json", "d.csv", "--output", "hard.json"}, "MODEL and --output");
  expect_same_file(
      {"compare", "d.csv", "--target", "y", "--truth", "list.txt", "--report", "hard.txt"},
      "--truth and --report");
  Arguments start = fit("hard.txt");
  start.insert(start.end(), {"--start", "list.txt"});
  expect_same_file(start, "--start and --model");
}

TEST_F(Files, StandardOutputIsAFileToo) {
  const std::string program = LASS0_PROGRAM;
  EXPECT_EQ(shell(program + " fit d.csv --target y --lambda 1 --model out > out 2> err"), 2);
  EXPECT_NE(read("err").find("standard output and --model are the same file"), std::string::npos);
  EXPECT_EQ(shell(program + " fit d.csv --target y --lambda 1 >> d.csv 2> err"), 2);
  EXPECT_NE(read("err").find("DATA and standard output are the same file"), std::string::npos);
  EXPECT_EQ(read("d.csv"), kData);
  EXPECT_EQ(shell(program + " fit d.csv --target y --lambda 1 --model /dev/null > /dev/null"), 0);
}

TEST_F(Files, PlacesThatCantBeWrittenAreFoundBeforeTheDataAreRead) {
  const auto cannot = [&](const std::string& place, const std::string& why) {
    expect_failure(1, {"fit", "none.csv", "--target", "y", "--lambda", "1", "--model", place},
                   {place + ": can't be written: " + why});
  };
  cannot("no/such/m.json", "there is no such folder");
  fs::create_directory(path("folder"));
  cannot("folder", "Is a directory");
  cannot("d.csv/m.json", "Not a directory");
}

}  // namespace
}  // namespace lass0
