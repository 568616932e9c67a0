// The fits of supports one after the other, against each of them alone.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "select/nested_fits.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

// Coefficients and loss are those of least squares on the raw data, inflations those of inv(G_SS).
void expect_fit(const NestedFits& fits, const Moments& moments, const Centred& centred,
                const Support& support) {
  const Index k = std::ssize(support);
  ASSERT_EQ(fits.size(), k);
  Support columns = fits.columns();
  std::sort(columns.begin(), columns.end());
  Support wanted = support;
  std::sort(wanted.begin(), wanted.end());
  ASSERT_EQ(columns, wanted);
  const LeastSquares expected = least_squares(centred, fits.columns());
  const double unit = moments.target_scale() * moments.target_scale();
  EXPECT_NEAR(fits.loss() * unit, static_cast<double>(expected.rss), 1e-11 * moments.yty() * unit);
  for (Index l = 0; l < k; ++l) {
    const Index j = fits.columns()[static_cast<std::size_t>(l)];
    EXPECT_NEAR(fits.b()[l] * moments.coefficient_unit(j), static_cast<double>(expected.beta[l]),
                1e-9 * moments.coefficient_unit(j));
  }
  if (k == 0) {
    EXPECT_EQ(fits.inflation(), 1);
    return;
  }
  Matrix G(k, k);
  moments.gram_block(wanted, wanted, G);
  const Vector squares = moments.squares()(wanted);
  const double inflation =
      std::max(1.0, (G.inverse().diagonal().array() * squares.array()).maxCoeff());
  EXPECT_NEAR(fits.inflation(), inflation, 1e-9 * inflation);
}

TEST(NestedFits, NestedSupportsFromTheEmptyOneOn) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const OwnedProblem problem(
        random_data(seed, {.n = 60, .p = 30, .rho = 0.5, .intercept = seed % 2 == 0}));
    const Centred centred(problem.data());
    const Moments moments(problem);
    Rng rng(seed);
    Support order = rng.subset(30, 30);
    for (Index i = 29; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    NestedFits fits(moments);
    Support support;
    for (Index k = 0; k <= 30; ++k) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " k " << k);
      ASSERT_TRUE(fits.fit(support));
      expect_fit(fits, moments, centred, support);
      if (k < 30) support.push_back(order[static_cast<std::size_t>(k)]);
    }
    ASSERT_TRUE(fits.fit({}));
    expect_fit(fits, moments, centred, {});
  }
}

TEST(NestedFits, AnySupportAfterAnyOther) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const OwnedProblem problem(random_data(seed, {.n = 50, .p = 12, .rho = 0.8, .mean = 2}));
    const Centred centred(problem.data());
    const Moments moments(problem);
    Rng rng(seed);
    NestedFits fits(moments);
    for (int i = 0; i < 30; ++i) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " support " << i);
      const Support support = rng.subset(12, rng.between(0, 12));
      ASSERT_TRUE(fits.fit(support));
      expect_fit(fits, moments, centred, support);
    }
  }
}

// A support with a column that the others explain is refused, or its inflation says so; and what
// comes after it is none the worse.
TEST(NestedFits, DependentColumnsLeaveNoTrace) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Data data = random_data(seed, {.n = 50, .p = 8, .rho = 0.5});
    Rng rng(seed);
    data.append(data.X.col(0) - 2 * data.X.col(3));
    Vector nearly = data.X.col(1);
    for (Index i = 0; i < nearly.size(); ++i) nearly[i] += 1e-6 * rng.normal();
    data.append(nearly);
    const OwnedProblem problem(data);
    const Centred centred(data);
    const Moments moments(problem);
    NestedFits fits(moments);
    const Support plain = {0, 1, 2, 3, 5}, first = {8, 0, 1, 3}, last = {0, 3, 2, 8},
                  near = {9, 1, 4};
    for (const Support& bad : {first, last, near}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " first " << bad.front());
      EXPECT_TRUE(!fits.fit(bad) || fits.inflation() > 1e8);
      ASSERT_TRUE(fits.fit(plain));
      expect_fit(fits, moments, centred, plain);
      ASSERT_TRUE(fits.fit({}));
    }
  }
}

}  // namespace
}  // namespace lass0::testing
