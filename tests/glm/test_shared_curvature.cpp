// Scores of moves by a curvature that several fits share: those of the fit it is of are its own,
// and those of fits nearby are close.
#include <gtest/gtest.h>

#include <algorithm>

#include "glm/move_scores.hpp"
#include "glm/predictions.hpp"
#include "glm/second_order.hpp"
#include "support/logistic_rows.hpp"

namespace lass0::testing {
namespace {

constexpr Index kAll = 1000;  // more than there are

class SharedScores : public ::testing::TestWithParam<int> {
 protected:
  SharedScores() : SharedScores(Rng(91 + static_cast<std::uint64_t>(GetParam()))) {}

  GlmFit fit(std::vector<Index> support) {
    GlmFit found = Newton(panel_).fit(std::move(support));
    predict(panel_, found);
    return found;
  }

  const LogisticRows subject_;
  const GlmRows& rows_ = subject_.rows;
  Panel panel_;

 private:
  explicit SharedScores(Rng rng) : subject_(random(rng)), panel_(rows_) {
    const std::vector<Index> some = {0, 1, 2, 3, 4, 5, 6, 7};
    panel_.add(some);
  }
  static LogisticData random(Rng& rng) {
    LogisticData data = random_logistic({.n = 300,
                                         .p = 20,
                                         .rho = 0.5,
                                         .signal = 1,
                                         .weights = GetParam() % 2 == 1,
                                         .offset = GetParam() == 2,
                                         .intercept = GetParam() != 3,
                                         .ridge = GetParam() == 1 ? 4.0 : 0.0},
                                        rng);
    if (GetParam() == 4) data.data.include = {15};
    return data;
  }
};

void expect_same(const std::vector<Step>& found, const std::vector<Step>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t s = 0; s < found.size(); ++s) {
    EXPECT_EQ(found[s].add, expected[s].add);
    EXPECT_EQ(found[s].remove, expected[s].remove);
    EXPECT_NEAR(found[s].gain, expected[s].gain, 1e-8 * (1 + std::abs(expected[s].gain)));
  }
}

TEST_P(SharedScores, OfTheFitItselfAreItsOwn) {
  const GlmFit one = fit({1, 4, 6});
  const std::vector<const GlmFit*> fits = {&one};
  const SharedCurvature panel(panel_, fits, SharedCurvature::Among::panel);
  const MoveScores shared(panel_, one, panel, 0), own(panel_, one, MoveScores::Among::panel);
  ASSERT_TRUE(shared.valid());
  expect_same(shared.adds(kAll), own.adds(kAll));
  expect_same(shared.removes(kAll), own.removes(kAll));
  expect_same(shared.swaps(kAll), own.swaps(kAll));
}

TEST_P(SharedScores, AmongAllAreThoseOfColumnsOutsideThePanel) {
  const GlmFit one = fit({1, 4, 6});
  const std::vector<const GlmFit*> fits = {&one};
  const SharedCurvature all(panel_, fits, SharedCurvature::Among::all);
  const MoveScores shared(panel_, one, all, 0), own(panel_, one, MoveScores::Among::all);
  const auto outside = [&](std::vector<Step> steps) {
    std::erase_if(steps, [&](const Step& step) { return panel_.place(step.add) >= 0; });
    return steps;
  };
  EXPECT_FALSE(shared.adds(kAll).empty());
  expect_same(shared.adds(kAll), outside(own.adds(kAll)));
  expect_same(shared.swaps(kAll), outside(own.swaps(kAll)));
}

TEST_P(SharedScores, OfAFitNearbyAreClose) {
  const GlmFit one = fit({1, 4, 6}), other = fit({1, 4, 5, 6});
  const std::vector<const GlmFit*> fits = {&one, &other};
  const SharedCurvature panel(panel_, fits, SharedCurvature::Among::panel);
  const MoveScores shared(panel_, other, panel, 1), own(panel_, other, MoveScores::Among::panel);
  ASSERT_TRUE(NearbyFits(rows_, one).holds_at(other, 1));
  const auto by_column = [](std::vector<Step> steps) {
    std::sort(steps.begin(), steps.end(),
              [](const Step& a, const Step& b) { return a.add < b.add; });
    return steps;
  };
  const auto found = by_column(shared.adds(kAll)), expected = by_column(own.adds(kAll));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t s = 0; s < found.size(); ++s) {
    EXPECT_EQ(found[s].add, expected[s].add);
    EXPECT_NEAR(found[s].gain, expected[s].gain, 0.3 * (0.1 + expected[s].gain));
  }
}

// Second derivatives are computed once for fits that are near each other, and a few are kept.
TEST_P(SharedScores, AreComputedOnceForFitsNearby) {
  KnownCurvatures known;
  const GlmFit one = fit({1, 4, 6});
  GlmFit near = one, far = one;
  near.eta.array() += 0.01;
  far.eta.array() += 1;
  const PanelCurvature& at_one = known.near(panel_, one);
  EXPECT_EQ(&known.near(panel_, near), &at_one);
  const PanelCurvature& elsewhere = known.near(panel_, far);
  EXPECT_NE(&elsewhere, &at_one);
  EXPECT_EQ(&known.near(panel_, near), &at_one);
  const std::vector<Index> more = {9};
  panel_.add(more);  // with other columns they are others
  EXPECT_EQ(known.near(panel_, one).matrix().rows(), at_one.matrix().rows() + 1);
}

// Known second derivatives of the fit itself give its own second-order model.
TEST_P(SharedScores, MakeTheSameSecondOrderModel) {
  if (!rows_.included().empty()) GTEST_SKIP() << "needs a problem without included columns";
  const GlmFit one = fit({1, 4, 6});
  const PanelCurvature curvature(panel_, one);
  const SecondOrder own(panel_, one, false, {}), shared(panel_, one, curvature, {});
  for (const std::vector<Index>& support :
       {std::vector<Index>{1, 4}, {1, 4, 6}, {0, 2, 5, 7}, {3}}) {
    const GlmStart expected = own.start(support), found = shared.start(support);
    EXPECT_NEAR(found.intercept, expected.intercept, 1e-7);
    EXPECT_LE((found.b - expected.b).norm(), 1e-7 * (1 + expected.b.norm()));
    const Matrix H = found.H.triangularView<Eigen::Lower>();  // what is read of it
    const Matrix expected_H = expected.H.triangularView<Eigen::Lower>();
    EXPECT_LE((H - expected_H).norm(), 1e-7 * expected_H.norm());
  }
}

TEST_P(SharedScores, FarFitsAreNotNearby) {
  const GlmFit none = fit({});
  GlmFit far = none;
  far.eta.array() += 2;
  EXPECT_TRUE(NearbyFits(rows_, none).holds_at(none, 0));
  EXPECT_FALSE(NearbyFits(rows_, none).holds_at(far, 1));
}

INSTANTIATE_TEST_SUITE_P(Problems, SharedScores, ::testing::Range(0, 5));

}  // namespace
}  // namespace lass0::testing
