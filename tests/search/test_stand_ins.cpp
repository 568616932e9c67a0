// Which columns could stand in for a member, and at what cost: against refits of every swap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/checks.hpp"

namespace lass0::testing {
namespace {

struct Cost {
  Index column;
  Real increase;
};

// Every column that can stand in for a member, refitted; the nearest first.
std::vector<Cost> stand_ins_by_definition(const Centred& data, const Support& support,
                                          Index member) {
  const auto loss = [&](const Support& columns) {
    return least_squares(data, model_columns(data, columns)).loss;
  };
  const Real now = loss(support);
  std::vector<Cost> costs;
  Support rest = support;
  std::erase(rest, member);
  for (Index j = 0; j < data.p(); ++j) {
    const auto has = [j](const Support& columns) {
      return std::find(columns.begin(), columns.end(), j) != columns.end();
    };
    if (has(support) || has(data.include) || aliased(data, rest, j)) continue;
    Support swapped = rest;
    swapped.push_back(j);
    std::sort(swapped.begin(), swapped.end());
    costs.push_back({j, loss(swapped) - now});
  }
  std::sort(costs.begin(), costs.end(),
            [](const Cost& a, const Cost& b) { return a.increase < b.increase; });
  return costs;
}

void expect_the_definition(const OwnedProblem& problem, const Fit& fit, double digits) {
  const Centred centred(problem.data());
  const Support support = chosen(fit);
  ASSERT_TRUE(fit.alternatives.has_value());
  const double slack = digits * (fit.loss() + 1e-2 * fit.problem.tss);
  auto one = fit.alternatives->begin();
  for (const Index member : support) {
    const std::vector<Cost> want = stand_ins_by_definition(centred, support, member);
    const Index count = std::min<Index>(kAlternatives, std::ssize(want));
    double before = -std::numeric_limits<double>::infinity();
    for (Index l = 0; l < count; ++l, ++one) {
      ASSERT_TRUE(one != fit.alternatives->end());
      ASSERT_EQ(one->member, member);
      EXPECT_GE(one->loss_increase, before);
      before = one->loss_increase;
      // The costs are the smallest there are, and each is that of the column named.
      EXPECT_NEAR(one->loss_increase, static_cast<double>(want[l].increase), slack);
      const auto named = std::find_if(
          want.begin(), want.end(), [&](const Cost& cost) { return cost.column == one->stand_in; });
      ASSERT_TRUE(named != want.end()) << "column " << one->stand_in << " can't stand in";
      EXPECT_NEAR(one->loss_increase, static_cast<double>(named->increase), slack);
    }
  }
  EXPECT_TRUE(one == fit.alternatives->end());

  const auto loss = [&](const Support& columns) {
    return least_squares(centred, model_columns(centred, columns)).loss;
  };
  ASSERT_EQ(fit.without.size(), support.size());
  for (std::size_t l = 0; l < support.size(); ++l) {
    Support rest = support;
    rest.erase(rest.begin() + static_cast<Index>(l));
    EXPECT_EQ(fit.without[l].member, support[l]);
    EXPECT_NEAR(fit.without[l].loss_increase, static_cast<double>(loss(rest) - loss(support)),
                slack);
  }
}

// What 2 % more RSS means depends on how many rows say so.
TEST(StandIns, ATieIsAMatterOfEvidence) {
  EXPECT_NEAR(log_likelihood_drop(50, 1, 200), 100 * std::log(1.02), 1e-12);
  EXPECT_TRUE(near_tie(50, 1, 200));
  EXPECT_FALSE(near_tie(50, 1, 110000));
  EXPECT_FALSE(near_tie(50, 0.0019 * 50, 110000));  // a log-likelihood of 104
  EXPECT_TRUE(near_tie(50, 5, 50));
  EXPECT_FALSE(near_tie(50, 5, 100));
  EXPECT_TRUE(near_tie(50, -1, 1e6)) << "it would be better";
  EXPECT_TRUE(near_tie(0, 0, 100));
  EXPECT_FALSE(near_tie(0, 1e-30, 100)) << "any increase is infinitely large";
}

TEST(StandIns, EqualTheDefinition) {
  int members = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Data data = random_general_data(seed, 14);
    const OwnedProblem problem(data, kStorages[seed % 3]);
    Rng rng(seed);
    const double lambda = random_lambda(rng, data) * 0.2;
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const Fit by_lambda =
        fit(problem, {.goal = AtLambda{.penalty = {lambda, seed % 5 == 0 ? 0.5 : 0.0},
                                       .start = seed % 2 == 0 ? Start::table() : Start::empty()}});
    expect_the_definition(problem, by_lambda, 1e-9);
    members += static_cast<int>(by_lambda.k());
    const Index k = std::min<Index>(3, best_supports(problem).max_k());
    expect_the_definition(problem, fit(problem, {.goal = OfSize{k}}), 1e-9);
  }
  EXPECT_GT(members, 500);
}

TEST(StandIns, OfNearlyEqualColumnsEqualTheDefinition) {
  for (const double noise : {1e-1, 1e-2, 1e-3, 1e-4}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      ProblemSpec spec = random_spec(seed, 6);
      spec.n = std::max<Index>(spec.n, 25);
      Data data = random_data(seed, spec);
      Rng rng(seed);
      for (Index j = 0; j < spec.p; ++j) {
        Vector twin = data.X.col(j);
        for (double& entry : twin) entry += noise * rng.normal();
        data.append(twin);
      }
      const OwnedProblem problem(data);
      SCOPED_TRACE(::testing::Message() << "noise " << noise << " seed " << seed);
      expect_the_definition(problem,
                            fit(problem, {.goal = AtLambda{random_lambda(rng, data) * 0.3}}),
                            noise < 1e-3 ? 1e-5 : 1e-6);
    }
  }
}

TEST(StandIns, ACopyCostsNothing) {
  int copies = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Data data = random_general_data(seed, 10);
    Rng rng(seed);
    const double lambda = random_lambda(rng, data) * 0.3;
    const Support support = chosen(fit(OwnedProblem(data), {.goal = AtLambda{lambda}}));
    const Index p = data.p();
    for (const Index j : support)
      data.append(scaled_copy(data, j, data.ridge > 0 && !data.standardize ? -1.0 : -2.5));
    const OwnedProblem problem(data);
    const Fit again = fit(
        problem,
        {.goal = AtLambda{.penalty = {lambda}, .start = Start::support(support)}});  // as it was
    if (chosen(again) != support) continue;  // with a ridge a copy may be worth its lambda
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    ASSERT_TRUE(again.alternatives.has_value());
    for (std::size_t l = 0; l < support.size(); ++l) {
      Index no_dearer = 0;  // other stand-ins that cost nothing, or less
      bool listed = false;
      for (const Alternative& one : *again.alternatives) {
        if (one.member != support[l]) continue;
        const bool copy = one.stand_in == p + static_cast<Index>(l);
        if (copy) {
          EXPECT_EQ(one.loss_increase, 0.0);
        }
        listed |= copy;
        no_dearer += !copy && one.loss_increase <= 0 ? 1 : 0;
      }
      EXPECT_TRUE(listed || no_dearer == kAlternatives) << "member " << support[l];
      copies += listed ? 1 : 0;
    }
  }
  EXPECT_GT(copies, 80);
}

TEST(StandIns, AnImprovingSwapIsTheNearestOfAll) {
  int improvable = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    ProblemSpec spec = random_spec(seed, 12);
    spec.rho = 0.9;
    const OwnedProblem problem(random_data(seed, spec));
    Rng rng(seed);
    const Fit result =
        fit(problem, {.goal = AtLambda{.penalty = {random_lambda(rng, problem.data()) * 0.3},
                                       .start = Start::empty()}});
    if (!result.improving_swap) continue;
    ++improvable;
    const auto nearest = std::min_element(result.alternatives->begin(), result.alternatives->end(),
                                          [](const Alternative& a, const Alternative& b) {
                                            return a.loss_increase < b.loss_increase;
                                          });
    EXPECT_EQ(nearest->member, result.improving_swap->remove);
    EXPECT_EQ(nearest->stand_in, result.improving_swap->add);
    EXPECT_NEAR(nearest->loss_increase, -2 * result.improving_swap->gain,
                1e-9 * result.problem.tss);
  }
  EXPECT_GT(improvable, 5);
}

// Weights say how rows compare with each other: where they are all small, evidence is that of the
// rows there are.
TEST(StandIns, TiesAreCountedByRowsWhereAllWeightsAreSmall) {
  Data data = random_data(8, ProblemSpec{.n = 200, .p = 10, .k = 4, .rho = 0.9, .snr = 2});
  const FitOptions options{.goal = OfSize{4}};
  const Fit expected = fit(OwnedProblem(data), options);
  std::vector<bool> ties;
  for (const Alternative& one : *expected.alternatives) ties.push_back(expected.near_tie(one));
  EXPECT_GT(std::count(ties.begin(), ties.end(), true), 0);
  EXPECT_GT(std::count(ties.begin(), ties.end(), false), 0);
  for (const double weight : {1.0 / 200, 1e-9, 1e-290}) {
    data.w = Vector::Constant(data.n(), weight);
    const Fit found = fit(OwnedProblem(data), options);
    std::vector<bool> same;
    for (const Alternative& one : *found.alternatives) same.push_back(found.near_tie(one));
    EXPECT_EQ(same, ties) << weight;
  }
}

TEST(StandIns, AreNotLookedForWhenTheRunWasStopped) {
  const OwnedProblem problem(random_data(2, ProblemSpec{.n = 60, .p = 30, .k = 8}));
  FitOptions options{.goal = AtLambda{0.5}};
  EXPECT_TRUE(fit(problem, options).alternatives.has_value());
  options.control.time_limit = 0;
  EXPECT_FALSE(fit(problem, options).alternatives.has_value());
  options.control = {};
  // Stopped anywhere: a list is either complete or not there.
  const auto whole = fit(problem, options).alternatives;
  for (int asks = 1; asks < 4000; asks = asks * 5 / 4 + 1) {
    int left = asks;
    options.control.keep_going = [&left] { return left-- > 0; };
    const Fit result = fit(problem, options);
    if (result.alternatives) {
      EXPECT_EQ(result.status, Status::local_optimum);
      EXPECT_EQ(result.alternatives->size(), whole->size());
    }
  }
}

TEST(StandIns, TheBitsDoNotDependOnTheNumberOfThreads) {
  const OwnedProblem problem(random_data(3, ProblemSpec{.n = 150, .p = 700, .k = 12, .rho = 0.5}));
  FitOptions options{.goal = OfSize{9}};
  options.control.threads = 1;
  const Fit one = fit(problem, options);
  ASSERT_EQ(one.alternatives->size(), 45u);
  options.control.threads = 3;
  const Fit many = fit(problem, options);
  for (std::size_t l = 0; l < 45; ++l) {
    EXPECT_EQ((*one.alternatives)[l].member, (*many.alternatives)[l].member);
    EXPECT_EQ((*one.alternatives)[l].stand_in, (*many.alternatives)[l].stand_in);
    EXPECT_EQ((*one.alternatives)[l].loss_increase, (*many.alternatives)[l].loss_increase);
  }
}

// However few are listed, the status stands on all swaps.
TEST(StandIns, TheStatusDoesNotDependOnHowManyAreListed) {
  int swaps = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const OwnedProblem problem(random_data(seed, {.n = 30, .p = 14, .k = 4, .rho = 0.8, .snr = 2}));
    const Moments moments(*problem);
    const Penalty penalty{.lambda = 0.02 * moments.yty() * std::pow(moments.target_scale(), 2)};
    const SearchResult all = search(moments, {}, penalty, {}, 14);
    for (const Index listed : {0, 1, 5}) {
      const SearchResult some = search(moments, {}, penalty, {}, listed);
      EXPECT_EQ(some.status, all.status);
      EXPECT_EQ(some.improving_swap.has_value(), all.improving_swap.has_value());
    }
    swaps += all.improving_swap ? 1 : 0;
  }
  EXPECT_GT(swaps, 0);
}

}  // namespace
}  // namespace lass0::testing
