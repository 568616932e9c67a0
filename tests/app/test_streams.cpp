// The program whose standard streams are closed, full or no longer read: it never aborts, and its
// exit status says whether the result was written.
#include "app/process.hpp"

namespace lass0 {
namespace {

class Streams : public ProgramTest {
 protected:
  Streams() {
    write("d.csv", "a,b,y\n1,2,3\n2,1,4\n4,3,8\n3,3,7\n5,1,9\n6,2,12\n7,0,13\n8,3,15\n");
    shell(program() + " fit d.csv --target y --lambda 0.1 --model m.json > /dev/null");
  }

  static std::string program() { return LASS0_PROGRAM; }

  std::vector<std::string> commands() const {
    return {"fit d.csv --target y --lambda 0.1 --verbose",
            "path d.csv --target y",
            "cv d.csv --target y --folds 2",
            "compare d.csv --target y --outer 2 --inner 2",
            "predict m.json d.csv",
            "simulate --n 5 --p 3 --k 1",
            "--help",
            "--version",
            "cv --help"};
  }
};

TEST_F(Streams, MessagesThatNobodyCanReadDoNotChangeTheExitStatus) {
  for (const std::string to : {"2>&-", "2> /dev/full"}) {
    SCOPED_TRACE(to);
    for (const std::string& command : commands())
      EXPECT_EQ(shell(program() + " " + command + " > /dev/null " + to), 0) << command;
    EXPECT_EQ(shell(program() + " fit none.csv --target y --lambda 1 " + to), 1);
    EXPECT_EQ(shell(program() + " predict none.json d.csv " + to), 1);
    EXPECT_EQ(shell(program() + " fit d.csv " + to), 2);
    EXPECT_EQ(shell(program() + " frobnicate " + to), 2);
  }
}

TEST_F(Streams, AResultThatCantBeWrittenIsAnErrorOfEveryCommand) {
  for (const std::string to : {"> /dev/full", ">&-"}) {
    SCOPED_TRACE(to);
    for (const std::string& command : commands()) {
      SCOPED_TRACE(command);
      EXPECT_EQ(shell(program() + " " + command + " 2> err " + to), 1);
      EXPECT_NE(read("err").find("standard output: can't be written"), std::string::npos);
    }
  }
}

TEST_F(Streams, NoFileTakesThePlaceOfAClosedStream) {
  const std::string data = read("d.csv");
  EXPECT_EQ(shell(program() + " fit d.csv --target y --lambda 0.1 --model new.json <&- >&- 2>&-"),
            1);
  EXPECT_EQ(read("d.csv"), data);
  EXPECT_EQ(
      shell(program() + " fit none.csv --target y --lambda 0.1 --model new.json <&- >&- 2>&-"), 1);
  if (exists("new.json")) {
    EXPECT_TRUE(Json::accept(read("new.json"))) << read("new.json");
  }
  EXPECT_EQ(shell(program() + " fit - --target y --lambda 0.1 <&- > out 2> err"), 1);
  EXPECT_NE(read("err").find("standard input"), std::string::npos);
}

TEST_F(Streams, AReaderThatLeavesEndsTheProgramQuietly) {
  EXPECT_EQ(shell(program() + " simulate --n 2000 --p 50 --k 1 2> err | head -n 1 > out"), 0);
  EXPECT_EQ(read("err"), "");
  EXPECT_EQ(read("out").rfind("x1,", 0), 0u);
}

}  // namespace
}  // namespace lass0
