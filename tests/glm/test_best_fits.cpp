// The best exact fits of every size, while a table is searched.
#include <gtest/gtest.h>

#include <cmath>

#include "glm/best_fits.hpp"
#include "support/logistic_rows.hpp"

namespace lass0::testing {
namespace {

TEST(BestFits, FitsThatAreWantedMayEndWhereTheyCannotBeatTheirSize) {
  Rng rng(3);
  const LogisticRows problem(random_logistic({.n = 100, .p = 6, .k = 2}, rng));
  Panel panel(problem.rows);
  const Budget budget{Control{}};
  BestFits fits(panel, 3, kSettledFit, budget);
  const auto start = [](Index k) {
    return [k] { return GlmStart{.intercept = 0, .b = Vector::Zero(k), .H = {}}; };
  };
  std::vector<WantedFit> wanted;
  fits.want(wanted, {2}, start(1));
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].support, std::vector<Index>{2});
  EXPECT_TRUE(std::isinf(wanted[0].limit));
  ASSERT_TRUE(fits.fit(std::exchange(wanted, {})));
  ASSERT_LT(fits[1].loss, fits[0].loss);

  fits.want(wanted, {4}, start(1));
  fits.want(wanted, {2, 4}, start(2));
  fits.want(wanted, {2}, start(1));  // was fitted
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_EQ(wanted[0].limit, fits[1].loss);
  EXPECT_TRUE(std::isinf(wanted[1].limit));
}

}  // namespace
}  // namespace lass0::testing
