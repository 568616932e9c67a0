// Little memory and few threads: a run works, or says in one line what is lacking. It never hangs
// and never aborts.
#include "app/process.hpp"

namespace lass0 {
namespace {

// Sanitizers map more than any limit here.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

const bool kOpenBlas = std::string(LASS0_BLAS) == "openblas";

class LittleMemory : public ProgramTest {
 protected:
  LittleMemory() {
    output({"simulate", "--n", "200", "--p", "50", "--k", "5", "--output", "d.csv"});
    output({"fit", "d.csv", "--target", "y", "--lambda", "2", "--model", "m.json"}, 0);
  }

  using ProgramTest::output;
  void output(const Arguments& arguments, int status) const {
    EXPECT_EQ(run(arguments).status, status);
  }

  int limited(const std::string& limits, const std::string& command) const {
    return shell(limits + "; exec " + LASS0_PROGRAM + " " + command + " > out 2> err");
  }
};

TEST_F(LittleMemory, EveryCommandWorksOrSaysInOneLineWhatIsLacking) {
  for (const std::string command :
       {"fit d.csv --target y --lambda 2", "path d.csv --target y --threads 2",
        "cv d.csv --target y --folds 3 --threads 2",
        "compare d.csv --target y --threads 2 --outer 2 --inner 2 --methods lasso,lass0",
        "predict m.json d.csv", "simulate --n 1000 --p 20 --k 3", "--help"}) {
    for (const int kilobytes : {60000, 100000, 150000, 170000, 200000, 250000, 300000, 400000}) {
      SCOPED_TRACE(command + " in " + std::to_string(kilobytes) + " KB");
      const int status = limited("ulimit -v " + std::to_string(kilobytes), command);
      const std::string err = read("err");
      if (status == 0) continue;
      EXPECT_EQ(status, 1);
      EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
      EXPECT_NE(err.find("not enough memory: "), std::string::npos) << err;
    }
  }
}

// One work buffer of OpenBLAS fits, and no second one: the threads share it.
TEST_F(LittleMemory, ThreadsWithoutABufferOfTheirOwnTakeTurns) {
  if (!kOpenBlas) GTEST_SKIP() << "there are no buffers of OpenBLAS";
  const std::string command =
      "compare d.csv --target y --outer 4 --inner 3 --methods lasso,forward --format json";
  const auto result = [&](const std::string& limits, const std::string& threads) {
    EXPECT_EQ(limited(limits, command + " --threads " + threads), 0) << read("err");
    Json json = Json::parse(read("out"));
    json.erase("seconds");
    for (Json& method : json["methods"]) method.erase("seconds");
    return json;
  };
  const Json expected = result(":", "1");
  for (int kilobytes = 180000; kilobytes <= 300000; kilobytes += 10000)
    EXPECT_EQ(result("ulimit -v " + std::to_string(kilobytes), "2"), expected) << kilobytes;
}

TEST_F(LittleMemory, ThreadsThatCantBeStartedAreDoneWithout) {
  // Stacks of a gigabyte each, and no room for one of them.
  for (const std::string command : {"cv d.csv --target y --threads 4",
                                    "compare d.csv --target y --threads 4 --outer 4 "
                                    "--inner 3 --methods lasso"})
    EXPECT_EQ(limited("ulimit -s 1000000; ulimit -v 1200000", command), 0) << read("err");
}

TEST_F(LittleMemory, RunningOutOfItSaysWhatNeedsLess) {
  output({"simulate", "--n", "50", "--p", "4000", "--k", "3", "--output", "wide.npy"});
  bool ran_out = false;
  const int first = kOpenBlas ? 165000 : 20000;  // its work buffer takes most of it
  for (int kilobytes = first; kilobytes < 400000 && !ran_out; kilobytes += 1000) {
    const std::string limit = "ulimit -v " + std::to_string(kilobytes);
    if (limited(limit, "fit wide.npy --target 4001 --lambda 2 --threads 2") == 0) break;
    ran_out = read("err") ==
              "lass0 fit: not enough memory: use --threads 1, a smaller --memory or fewer columns "
              "(--exclude)\n";
  }
  EXPECT_TRUE(ran_out) << read("err");
}

#endif

}  // namespace
}  // namespace lass0
