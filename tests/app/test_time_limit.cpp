// --time-limit: one clock for the whole run, from the start of the program.
#include <sys/stat.h>

#include <chrono>

#include "app/process.hpp"

namespace lass0 {
namespace {

class TimeLimit : public ProgramTest {
 protected:
  const std::string small_ = [] {
    std::string text = "a,b,y\n";
    for (int i = 0; i < 40; ++i)
      text += std::to_string(i % 7) + "," + std::to_string(i % 5) + "," +
              std::to_string(3 + 2 * (i % 7) - i % 5 + 0.01 * (i % 9)) + "\n";
    return text;
  }();
};

TEST_F(TimeLimit, CountsTheReading) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (const Arguments& command : {Arguments{"fit", "--lambda", "0.1"}, Arguments{"path"}}) {
    Arguments arguments = {command.front(), "-",   "--target", "y",
                           "--time-limit",  "0.2", "--format", "json"};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    const pid_t child = start(arguments, path("pipe"));
    {
      std::ofstream pipe(path("pipe"));  // once the program has opened it
      std::this_thread::sleep_for(std::chrono::seconds(2));
      pipe << small_;
    }
    const Outcome outcome = wait(child);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["status"], "time_limit");
  }
}

TEST_F(TimeLimit, IsAnErrorForDataThatAreNotEvenSummedByThen) {
  output({"simulate", "--n", "40000", "--p", "60", "--k", "3", "--output", "large.npy"});
  for (const Arguments& command : {Arguments{"fit", "--lambda", "1"}, Arguments{"path"},
                                   Arguments{"cv"}, Arguments{"cv", "--criterion", "bic"}}) {
    Arguments arguments = {command.front(), "large.npy", "--target", "61", "--time-limit", "0"};
    arguments.insert(arguments.end(), command.begin() + 1, command.end());
    expect_failure(
        1, arguments,
        {"large.npy", "the time limit was reached before the sums over the rows were finished",
         "allow more time"});
  }
}

}  // namespace
}  // namespace lass0
