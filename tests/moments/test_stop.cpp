// The sums over the rows can be stopped while they are made, and say how far they are.
#include <gtest/gtest.h>

#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <limits>
#include <map>
#include <numeric>

#include "moments/fetch.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Says no after a given number of questions, and counts them.
struct Caller {
  int patience = std::numeric_limits<int>::max();
  int asked = 0;
  std::map<std::string, std::vector<double>> told = {};  // fractions by what was being done

  Control control(int threads = 1) {
    return {.threads = threads,
            .keep_going = [this] { return asked++ < patience; },
            .progress = [this](std::string_view what,
                               double fraction) { told[std::string(what)].push_back(fraction); }};
  }
};

// Long enough for several questions: a few ten milliseconds of work.
const Data& large_data() {
  static const Data data = random_data(1, ProblemSpec{.n = 30000, .p = 300, .k = 5, .zeros = 0.3});
  return data;
}

std::vector<int> labels_of(Index rows, int folds) {
  std::vector<int> labels(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i) % folds;
  return labels;
}

std::string message_of(const Problem& problem, std::span<const int> folds, const Control& control) {
  try {
    const Moments moments(problem, {.folds = folds, .control = control});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Case {
  Storage storage;
  Index columns;
  int folds;
};

class BuildingMoments : public ::testing::TestWithParam<Case> {};

TEST_P(BuildingMoments, CanBeStoppedAtEveryQuestion) {
  const auto [storage, columns, folds] = GetParam();
  std::vector<Index> some(static_cast<std::size_t>(columns));
  std::iota(some.begin(), some.end(), 0);
  const OwnedProblem problem(large_data().columns(some), storage);
  const std::vector<int> labels =
      folds > 1 ? labels_of(large_data().n(), folds) : std::vector<int>();
  for (const int threads : {1, 2}) {
    Caller patient;
    EXPECT_EQ(message_of(problem, labels, patient.control(threads)), "");
    ASSERT_GE(patient.asked, 3);
    for (const int patience : {0, 1, patient.asked / 2, patient.asked - 1}) {
      Caller caller{patience};
      EXPECT_EQ(message_of(problem, labels, caller.control(threads)),
                "interrupted before the sums over the rows were finished: allow more time");
      EXPECT_LE(caller.asked, patience + threads);
    }
    EXPECT_EQ(message_of(problem, labels, {.threads = threads, .time_limit = 0}),
              "the time limit was reached before the sums over the rows were finished: allow more "
              "time");
  }
}

TEST_P(BuildingMoments, TellsHowFarItIs) {
  const auto [storage, columns, folds] = GetParam();
  std::vector<Index> some(static_cast<std::size_t>(columns));
  std::iota(some.begin(), some.end(), 0);
  const OwnedProblem problem(large_data().columns(some), storage);
  Caller caller;
  const std::vector<int> labels =
      folds > 1 ? labels_of(large_data().n(), folds) : std::vector<int>();
  EXPECT_EQ(message_of(problem, labels, caller.control()), "");
  ASSERT_TRUE(caller.told.contains("sums over the rows"));
  EXPECT_EQ(caller.told.contains("Gram matrix"), columns <= 256 || folds > 1);
  for (const auto& [what, fractions] : caller.told) {
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_GT(fractions.front(), 0);
    EXPECT_GT(fractions.back(), 0.5);
    EXPECT_LE(fractions.back(), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, BuildingMoments,
    ::testing::Values(Case{Storage::dense, 100, 1}, Case{Storage::dense, 100, 5},
                      Case{Storage::dense, 300, 1}, Case{Storage::rowwise, 100, 1},
                      Case{Storage::rowwise, 300, 1}, Case{Storage::sparse, 100, 5},
                      Case{Storage::sparse, 300, 1}),
    [](const auto& test) {
      return to_string(test.param.storage) + "_" + std::to_string(test.param.columns) +
             "_columns_" + std::to_string(test.param.folds) + "_folds";
    });

TEST(Moments, OfLittleDataAreMadeWhateverTheControl) {
  const OwnedProblem problem(random_data(2, ProblemSpec{.n = 100, .p = 20}));
  Caller caller{0};
  EXPECT_EQ(message_of(problem, {}, caller.control()), "");
  EXPECT_EQ(message_of(problem, {}, {.time_limit = 0}), "");
}

TEST(Moments, WatchedOrNotHaveTheSameBits) {
  const OwnedProblem problem(large_data());
  Caller caller;
  const Moments plain(problem), watched(problem, {.control = caller.control(2)});
  EXPECT_EQ(plain.xty(), watched.xty());
  EXPECT_EQ(plain.diagonal(), watched.diagonal());
}

TEST(Moments, OneBatchOfGramColumnsCanBeStoppedOnItsWay) {
  const OwnedProblem problem(large_data());
  const Moments moments(problem);
  std::vector<Index> batch(static_cast<std::size_t>(kGramBatch));
  std::iota(batch.begin(), batch.end(), 0);
  Caller caller{2};
  EXPECT_THROW(fetch_within_budget(moments, batch, Budget(caller.control())), Stop);
  EXPECT_EQ(caller.asked, 3);
  EXPECT_EQ(moments.cached_columns(), 0);
  Caller patient;
  fetch_within_budget(moments, batch, Budget(patient.control()));
  EXPECT_EQ(moments.cached_columns(), kGramBatch);
  EXPECT_GT(patient.asked, 3);
}

}  // namespace
}  // namespace lass0::testing
