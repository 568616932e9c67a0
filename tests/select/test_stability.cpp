// Stability selection: frequencies over complementary halves.
#include <gtest/gtest.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/stability.hpp>
#include <nlohmann/json.hpp>

#include "select/halves.hpp"
#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

std::vector<Index> counts(const Stability& stability) {
  std::vector<Index> of_column(static_cast<std::size_t>(stability.problem.p), -1);
  for (const ColumnFrequency& one : stability.columns)
    of_column[static_cast<std::size_t>(one.column)] = one.halves;
  return of_column;
}

// Every half fitted from its own rows, by fit() of a problem that has no others.
std::vector<Index> by_hand(const Data& data, const StabilityOptions& options) {
  const OwnedProblem all(data);
  const Halves halves(all, options.pairs, options.seed, Budget({}));
  std::vector<Index> chosen(static_cast<std::size_t>(data.p()), 0);
  for (const Index j : data.include) chosen[static_cast<std::size_t>(j)] = -1;
  for (Index pair = 0; pair < options.pairs; ++pair) {
    for (const int side : {0, 1}) {
      Data rows = data.rows(halves.rows(pair, side));
      double here = 0, everywhere = 0;
      for (Index i = 0; i < rows.n(); ++i) here += rows.weight(i);
      for (Index i = 0; i < data.n(); ++i) everywhere += data.weight(i);
      rows.ridge *= here / everywhere;
      const OwnedProblem problem(rows);
      const SupportTable table = best_supports(problem);
      const TableRow& row = options.k ? table.at_k(std::min(*options.k, table.max_k()))
                                      : table.at_lambda(*options.lambda * here / everywhere);
      for (const Index j : row.support) ++chosen[static_cast<std::size_t>(j)];
    }
  }
  return chosen;
}

TEST(Stability, FrequenciesAreThoseOfFitsOnTheRowsOfEachHalf) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec = random_spec(seed, 9);
    spec.n = seed % 8 == 0 ? 3300 : 60;
    const Data data = with_random_extras(seed, random_data(seed, spec));
    const OwnedProblem problem(data, kStorages[seed % std::size(kStorages)]);
    Rng rng(seed);
    StabilityOptions options{.pairs = 6, .seed = seed};
    if (seed % 2)
      options.k = rng.between(0, (data.p() - std::ssize(data.include)) / 2);
    else
      options.lambda = random_lambda(rng, data);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Stability found = stability(problem, options);
    EXPECT_EQ(counts(found), by_hand(data, options));
    EXPECT_EQ(found.pairs_done, 6);
    double sizes = 0;
    for (const ColumnFrequency& one : found.columns) {
      sizes += one.frequency;
      EXPECT_DOUBLE_EQ(one.frequency, double(one.halves) / 12);
    }
    EXPECT_NEAR(sizes, found.mean_size, 1e-12);
    if (found.candidates == 0) continue;
    EXPECT_NEAR(found.low_probability, found.mean_size / double(found.candidates), 1e-15);
    EXPECT_NEAR(found.expected_low_probability,
                std::min(double(found.candidates), found.mean_size * found.mean_size /
                                                       double(found.candidates) / (2 * 0.9 - 1)),
                1e-12);
    EXPECT_LE(found.expected_low_probability_r_concave, found.expected_low_probability);
    EXPECT_TRUE(std::is_sorted(
        found.columns.begin(), found.columns.end(), [](const auto& a, const auto& b) {
          return a.halves != b.halves ? a.halves > b.halves : a.column < b.column;
        }));
  }
}

TEST(Stability, PermutedColumnsHavePermutedFrequencies) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Data data = random_data(seed, {.n = 70, .p = 10, .k = 4, .rho = 0.5, .snr = 2});
    const std::vector<Index> order = Rng(seed).permutation(10);
    const OwnedProblem one(data), other(data.columns(order));
    const StabilityOptions options{.k = 4, .pairs = 10};
    const std::vector<Index> plain = counts(stability(one, options)),
                             moved = counts(stability(other, options));
    for (std::size_t j = 0; j < order.size(); ++j)
      EXPECT_EQ(moved[j], plain[static_cast<std::size_t>(order[j])]);
  }
}

TEST(Stability, AStrongSignalIsAlwaysChosenAndNoiseSeldom) {
  Data data = random_data(3, {.n = 200, .p = 40, .k = 0, .rho = 0});
  data.y = 5 * data.X.col(7) - 4 * data.X.col(30) + data.y / data.y.norm() * std::sqrt(200.0);
  const OwnedProblem strong(data);
  const Stability found = stability(strong, {.k = 2});
  EXPECT_EQ(found.stable, 2);
  EXPECT_EQ(found.columns[0].frequency, 1);
  EXPECT_EQ(found.columns[0].column, 7);
  EXPECT_EQ(found.columns[1].column, 30);
  EXPECT_EQ(found.columns[2].frequency, 0);

  Rng rng(5);
  for (Index i = 0; i < 200; ++i) data.y[i] = rng.normal();
  const OwnedProblem noise(data);
  const Stability nothing = stability(noise, {.k = 2});
  EXPECT_EQ(nothing.stable, 0);
  EXPECT_LT(nothing.columns[0].frequency, 0.7);
  EXPECT_NEAR(nothing.mean_size, 2, 1e-12);
}

TEST(Stability, WithoutKItIsChosenByCrossValidationOnAllRows) {
  const OwnedProblem problem(random_data(4, {.n = 90, .p = 12, .k = 3, .rho = 0.3, .snr = 5}));
  const Stability found = stability(problem, {.pairs = 8, .seed = 3});
  CrossValidateOptions cv;
  cv.tune = Tune::k;
  cv.seed = 3;
  const CrossValidation chosen = cross_validate(problem, cv);
  EXPECT_TRUE(found.by_cross_validation);
  EXPECT_EQ(found.k, chosen.best().k);
  EXPECT_EQ(found.ridge, chosen.best().ridge);
  Problem same = problem;
  same.ridge = chosen.best().ridge;
  const Stability given = stability(same, {.k = chosen.best().k, .pairs = 8, .seed = 3});
  EXPECT_FALSE(given.by_cross_validation);
  EXPECT_EQ(counts(found), counts(given));
}

TEST(Stability, IsTheSameForAnyNumberOfThreads) {
  for (const Index n : {120, 2200}) {
    const OwnedProblem problem(random_data(9, {.n = n, .p = 30, .k = 6, .rho = 0.8, .snr = 1}));
    const auto json = [&](int threads) {
      Stability found = stability(problem, {.pairs = 9, .control = {.threads = threads}});
      found.seconds = 0;
      return to_json(found);
    };
    EXPECT_EQ(json(1), json(4));
  }
}

TEST(Stability, MorePairsKeepTheFirstOnes) {
  const OwnedProblem problem(random_data(9, {.n = 80, .p = 10, .k = 3, .rho = 0.5, .snr = 1}));
  const auto few = counts(stability(problem, {.k = 3, .pairs = 4})),
             many = counts(stability(problem, {.k = 3, .pairs = 12}));
  for (std::size_t j = 0; j < few.size(); ++j) {
    EXPECT_GE(many[j], few[j]);
    EXPECT_LE(many[j], few[j] + 16);
  }
}

TEST(Stability, AStoppedRunKeepsItsFinishedPairs) {
  const OwnedProblem problem(random_data(6, {.n = 150, .p = 30, .k = 5, .rho = 0.7, .snr = 1}));
  // Stopped in the middle of the halves, by what the progress says.
  bool stop = false;
  StabilityOptions options{.k = 5, .pairs = 20};
  options.control.progress = [&](std::string_view what, double fraction) {
    if (what.starts_with("stability") && fraction > 0.5) stop = true;
  };
  options.control.keep_going = [&] { return !stop; };
  const Stability part = stability(problem, options);
  EXPECT_EQ(part.status, Status::interrupted);
  EXPECT_EQ(part.pairs, 20);
  ASSERT_GT(part.pairs_done, 5);
  ASSERT_LT(part.pairs_done, 20);
  // One thread searches pair after pair: the frequencies are those of the first pairs.
  EXPECT_EQ(counts(part), counts(stability(problem, {.k = 5, .pairs = part.pairs_done})));

  options.control.keep_going = [] { return false; };
  EXPECT_THROW(stability(problem, options), Error);
  EXPECT_THROW(stability(problem, {.k = 5, .control = {.time_limit = 0}}), Error);
}

TEST(Stability, IncludedColumnsHaveNoFrequencyAndConstantOnesAreNotCandidates) {
  Data data = random_data(7, {.n = 60, .p = 8, .k = 3});
  data.include = {1, 4};
  data.append(Vector::Constant(60, 3.0));
  const OwnedProblem problem(data);
  const Stability found = stability(problem, {.k = 2, .pairs = 5});
  EXPECT_EQ(found.columns.size(), 7u);
  EXPECT_EQ(found.candidates, 6);
  for (const ColumnFrequency& one : found.columns) EXPECT_NE(one.column, 4);
  EXPECT_THROW(stability(problem, {.k = 7}), Error);
}

TEST(Stability, SignConstraintsHoldInEveryHalf) {
  Data data = random_data(2, {.n = 100, .p = 6, .k = 0, .rho = 0});
  data.y = 3 * data.X.col(0) - 3 * data.X.col(1) + 0.1 * data.X.col(2);
  const OwnedProblem owned(data);
  Problem problem = owned;
  const std::vector<int> positive(6, 1);
  problem.signs = positive;
  const Stability found = stability(problem, {.k = 2, .pairs = 5});
  EXPECT_EQ(counts(found)[0], 10);
  EXPECT_EQ(counts(found)[1], 0);
}

TEST(Stability, AConstantTargetChoosesNothing) {
  Data data = random_data(2, {.n = 30, .p = 4});
  data.y.setConstant(2);
  const OwnedProblem problem(data);
  const Stability found = stability(problem, {.k = 2, .pairs = 3});
  EXPECT_EQ(found.mean_size, 0);
  EXPECT_EQ(found.stable, 0);
  EXPECT_EQ(found.expected_low_probability, 0);
}

TEST(Stability, BadOptionsAreErrors) {
  const OwnedProblem problem(random_data(2, {.n = 30, .p = 4}));
  EXPECT_THROW(stability(problem, {.k = 2, .lambda = 1.0}), UsageError);
  EXPECT_THROW(stability(problem, {.k = -1}), UsageError);
  EXPECT_THROW(stability(problem, {.lambda = -1.0}), UsageError);
  EXPECT_THROW(stability(problem, {.k = 2, .pairs = 0}), UsageError);
  EXPECT_THROW(stability(problem, {.k = 2, .pairs = kMostPairs + 1}), UsageError);
  EXPECT_THROW(stability(problem, {.k = 2, .threshold = 0.5}), UsageError);
  EXPECT_THROW(stability(problem, {.k = 2, .threshold = 1.1}), UsageError);
}

// 0.9 of 10 halves are 9 halves, whatever rounding makes of the product.
TEST(Stability, TheThresholdCountsFrequenciesThatEqualIt) {
  const OwnedProblem problem(random_data(3, {.n = 60, .p = 12, .k = 3, .rho = 0.6, .snr = 1}));
  for (const Index pairs : {5, 15, 50}) {
    const Stability first = stability(problem, {.k = 3, .pairs = pairs});
    for (const ColumnFrequency& one : first.columns) {
      if (one.frequency <= 0.5) continue;
      const Stability at = stability(problem, {.k = 3, .pairs = pairs, .threshold = one.frequency});
      EXPECT_EQ(at.stable, std::count_if(first.columns.begin(), first.columns.end(),
                                         [&](const auto& c) { return c.halves >= one.halves; }));
    }
  }
}

TEST(Stability, TheJsonHasWhatWasFound) {
  const OwnedProblem problem(random_data(3, {.n = 60, .p = 5, .k = 2, .snr = 20}));
  const Stability found = stability(problem, {.lambda = 4.0, .pairs = 5, .threshold = 0.8});
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json["columns"].size(), 5u);
  EXPECT_EQ(json["columns"][0]["frequency"], found.columns[0].frequency);
  EXPECT_EQ(json["columns"][0]["name"], "x" + std::to_string(found.columns[0].column + 1));
  EXPECT_EQ(json["pairs"], 5);
  EXPECT_EQ(json["pairs_done"], 5);
  EXPECT_EQ(json["threshold"], 0.8);
  EXPECT_EQ(json["lambda"], 4.0);
  EXPECT_FALSE(json.contains("k"));
  EXPECT_EQ(json["chosen_by"], "user");
  EXPECT_EQ(json["stable"].size(), static_cast<std::size_t>(found.stable));
  EXPECT_EQ(json["expected_low_probability"], found.expected_low_probability);
  EXPECT_EQ(json["n"], 60);
  EXPECT_EQ(json["status"], "local_optimum");
}

}  // namespace
}  // namespace lass0::testing
