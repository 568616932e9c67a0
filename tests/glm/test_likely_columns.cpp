// The columns that a search of very many looks at, against the scores of all adds.
#include <gtest/gtest.h>

#include <algorithm>

#include "glm/likely_columns.hpp"
#include "glm/move_scores.hpp"
#include "glm/predictions.hpp"
#include "support/logistic_rows.hpp"

namespace lass0::testing {
namespace {

class LikelyColumns : public ::testing::TestWithParam<int> {
 protected:
  // How many of the best ten adds are missing from the list, over some problems of which one in
  // four is without an intercept. A constant column is in none.
  int missing(const std::vector<Index>& support, double rho) {
    int count = 0;
    for (int problem = 0; problem < 8; ++problem) {
      Rng rng(static_cast<std::uint64_t>(100 * GetParam() + problem));
      LogisticData logistic = random_logistic({.n = 300,
                                               .p = 200,
                                               .rho = rho,
                                               .signal = 1.5,
                                               .weights = GetParam() == 1,
                                               .offset = GetParam() == 2,
                                               .ridge = GetParam() == 3 ? 20.0 : 0.0},
                                              rng);
      if (GetParam() == 4) logistic.data.include = {15, 40};
      logistic.data.X.col(20).setConstant(3);
      logistic.data.intercept = problem % 4 > 0;
      const LogisticRows subject(std::move(logistic));
      const GlmRows& rows = subject.rows;
      Panel panel(rows);
      GlmFit fit = Newton(panel).fit(support);
      predict(panel, fit);
      const std::vector<Index> list = likely_columns(rows, fit, 10);
      EXPECT_EQ(list.size(), 10u);
      for (const Index j : list) {
        EXPECT_TRUE(rows.eligible(j));
        EXPECT_FALSE(std::binary_search(support.begin(), support.end(), j));
      }
      for (const Step& add : MoveScores(panel, fit, MoveScores::Among::all).adds(10))
        count += std::find(list.begin(), list.end(), add.add) == list.end();
    }
    return count;
  }
};

TEST_P(LikelyColumns, AtNoColumnAreNearlyThoseOfTheBestAdds) {
  const int others = GetParam() == 2 ? 6 : 1;  // an offset makes curvatures differ between rows
  EXPECT_LE(missing({}, 0.3), others);         // of 80
}

TEST_P(LikelyColumns, AtAFitAreNearlyThoseOfTheBestAdds) {
  EXPECT_LE(missing({1, 5, 8, 30, 77}, 0.2), 1);
  EXPECT_LE(missing({1, 5, 8, 30, 77}, 0.9), 1);
}

TEST(LikelyColumnsOfFew, AreAllThereAre) {
  Rng rng(7);
  LogisticData logistic = random_logistic({.n = 60, .p = 6}, rng);
  logistic.data.X.col(2).setConstant(1);
  const LogisticRows subject(std::move(logistic));
  Panel panel(subject.rows);
  GlmFit fit = Newton(panel).fit({4});
  predict(panel, fit);
  std::vector<Index> list = likely_columns(subject.rows, fit, 10);
  std::sort(list.begin(), list.end());
  EXPECT_EQ(list, (std::vector<Index>{0, 1, 3, 5}));
}

INSTANTIATE_TEST_SUITE_P(Problems, LikelyColumns, ::testing::Range(0, 5));

}  // namespace
}  // namespace lass0::testing
