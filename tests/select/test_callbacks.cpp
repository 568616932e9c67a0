// The caller's functions are called by one thread at a time, however many threads there are.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <lass0/cross_validate.hpp>
#include <thread>

#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Stays inside for a while, so that a second thread would meet the first.
class Entries {
 public:
  Control control() {
    return {.threads = 4,
            .keep_going =
                [this] {
                  enter();
                  return true;
                },
            .progress = [this](std::string_view, double) { enter(); }};
  }
  int most() const { return most_; }
  bool from_other_threads() const { return others_; }

 private:
  void enter() {
    const int inside = ++inside_;
    if (inside > most_) most_ = inside;
    if (std::this_thread::get_id() != caller_) others_ = true;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    --inside_;
  }

  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int> inside_ = 0, most_ = 0;
  std::atomic<bool> others_ = false;
};

TEST(Callbacks, OfAProofComeOneAtATime) {
  const OwnedProblem problem(random_data(1, {.n = 80, .p = 40, .k = 10, .rho = 0.7, .snr = 1}));
  Entries entries;
  FitOptions options{.goal = OfSize{7}, .prove = true};
  options.control = entries.control();
  fit(problem, options);
  EXPECT_TRUE(entries.from_other_threads());
  EXPECT_EQ(entries.most(), 1);
}

TEST(Callbacks, OfParallelFoldsComeOneAtATime) {
  const OwnedProblem problem(random_data(2, {.n = 100, .p = 30, .k = 5}));
  Entries entries;
  CrossValidateOptions options{.rule = Rule::min, .tune_ridge = false};
  options.control = entries.control();
  cross_validate(problem, options);
  EXPECT_TRUE(entries.from_other_threads());
  EXPECT_EQ(entries.most(), 1);
}

}  // namespace
}  // namespace lass0::testing
