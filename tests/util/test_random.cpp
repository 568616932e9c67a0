#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "util/random.hpp"

namespace lass0 {
namespace {

// The first values of xoshiro256++ seeded by splitmix64, from an independent implementation.
TEST(Random, IsThePublishedGenerator) {
  Random random(0);
  EXPECT_EQ(random.bits(), 0x53175d61490b23dfU);
  EXPECT_EQ(random.bits(), 0x61da6f3dc380d507U);
  EXPECT_EQ(random.bits(), 0x5c0fdf91ec9a7bfcU);
  EXPECT_EQ(random.bits(), 0x02eebf8c3bbe5e1aU);
}

TEST(Random, NormalsOfASeedAreFixed) {
  Random central(1);  // quantiles by an independent implementation of the same algorithm
  for (const double expected :
       {0.8838527949761762, 0.6654064389170713, -1.2806921814836767, 0.6626320181592914})
    EXPECT_NEAR(central.normal(), expected, 1e-15);
}

TEST(Random, ANormalIsWhereTheDistributionFunctionSays) {
  Random uniforms(3);
  Random normals(3);
  for (int draw = 0; draw < 100000; ++draw) {
    const double u = uniforms.uniform();
    const double x = normals.normal();
    const double tail = std::erfc(std::abs(x) / std::sqrt(2.0)) / 2;
    EXPECT_NEAR(tail, std::min(u, 1 - u), 1e-13 * tail);
    EXPECT_EQ(x < 0, u < 0.5);
  }
}

TEST(Random, UniformsStayInsideAndFillTheInterval) {
  Random random(7);
  const int draws = 200000;
  std::array<int, 20> counts{};
  for (int draw = 0; draw < draws; ++draw) {
    const double u = random.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    ++counts[static_cast<std::size_t>(u * 20)];
  }
  for (const int count : counts) EXPECT_NEAR(count, draws / 20.0, 5 * std::sqrt(draws / 20.0));
}

TEST(Random, NormalsHaveTheMomentsOfTheNormal) {
  Random random(11);
  const int draws = 400000;
  std::array<double, 5> moments{};
  for (int draw = 0; draw < draws; ++draw) {
    const double x = random.normal();
    for (std::size_t m = 1; m < moments.size(); ++m) moments[m] += std::pow(x, m) / draws;
  }
  const double sampling = 5 / std::sqrt(draws);
  EXPECT_NEAR(moments[1], 0, sampling);
  EXPECT_NEAR(moments[2], 1, sampling * std::sqrt(2));
  EXPECT_NEAR(moments[3], 0, sampling * std::sqrt(15));
  EXPECT_NEAR(moments[4], 3, sampling * std::sqrt(96));
}

TEST(Random, BelowIsUnbiasedForEveryBound) {
  Random random(5);
  for (const Index bound : {1, 2, 3, 7, 8, 9, 48}) {
    std::vector<int> counts(static_cast<std::size_t>(bound));
    const int expected = 2000;
    for (Index draw = 0; draw < expected * bound; ++draw) {
      const Index value = random.below(bound);
      ASSERT_GE(value, 0);
      ASSERT_LT(value, bound);
      ++counts[static_cast<std::size_t>(value)];
    }
    for (const int count : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
  }
}

TEST(Random, ShuffleGivesEveryOrderAlike) {
  Random random(13);
  const int draws = 60000;
  std::array<int, 27> counts{};
  for (int draw = 0; draw < draws; ++draw) {
    std::array<std::size_t, 3> order{0, 1, 2};
    random.shuffle(std::span<std::size_t>(order));
    ++counts[order[0] * 9 + order[1] * 3 + order[2]];
  }
  int orders = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    ++orders;
    EXPECT_NEAR(count, draws / 6.0, 5 * std::sqrt(draws / 6.0));
  }
  EXPECT_EQ(orders, 6);
}

TEST(Random, SampleIsAscendingWithoutRepeatsAndTakesAllAlike) {
  Random random(17);
  const Index size = 10;
  const Index count = 4;
  const int draws = 20000;
  std::vector<int> taken(static_cast<std::size_t>(size));
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<Index> sample = random.sample(size, count);
    ASSERT_EQ(std::ssize(sample), count);
    ASSERT_TRUE(std::is_sorted(sample.begin(), sample.end(), std::less_equal<>()));
    for (const Index j : sample) ++taken[static_cast<std::size_t>(j)];
  }
  for (const int times : taken) EXPECT_NEAR(times, draws * 0.4, 5 * std::sqrt(draws * 0.24));

  std::vector<Index> everything(static_cast<std::size_t>(size));
  std::iota(everything.begin(), everything.end(), Index{0});
  EXPECT_EQ(random.sample(size, size), everything);
  EXPECT_TRUE(random.sample(size, 0).empty());
}

}  // namespace
}  // namespace lass0
