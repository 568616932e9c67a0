// Fits of many supports together are those of each support alone.
#include <gtest/gtest.h>

#include "glm/fit_together.hpp"
#include "glm/predictions.hpp"
#include "support/logistic_rows.hpp"

namespace lass0::testing {
namespace {

// Of F, what a fit may leave to gain.
constexpr double kToTheLastDigits = 1e-20;

// Every support alone, without a start, and all of them together from the starts given.
void expect_the_same_fits(const LogisticData& logistic, std::vector<WantedFit> wanted) {
  const LogisticRows subject(logistic);
  Panel alone(subject.rows), shared(subject.rows);
  const Newton newton(alone, kToTheLastDigits);
  const Budget budget{Control()};
  auto fits = fit_together(shared, wanted, kToTheLastDigits, budget);
  ASSERT_EQ(fits.size(), wanted.size());
  for (std::size_t s = 0; s < fits.size(); ++s) {
    const GlmFit one = newton.fit(wanted[s].support);
    ASSERT_EQ(fits[s].support, wanted[s].support);
    ASSERT_EQ(fits[s].state, one.state);
    if (!one.fitted()) continue;
    EXPECT_NEAR(fits[s].loss, one.loss, 1e-11 * one.loss);
    EXPECT_NEAR(fits[s].intercept, one.intercept, 1e-8 * (1 + std::abs(one.intercept)));
    EXPECT_LE((fits[s].b - one.b).norm(), 1e-8 * (1 + one.b.norm()));
    predict(shared, fits[s]);
    EXPECT_LE((fits[s].eta - one.eta).norm(), 1e-7 * (1 + one.eta.norm()));
    EXPECT_EQ(fits[s].H.rows(), fits[s].b.size() + (subject.problem.intercept ? 1 : 0));
  }
}

// Random supports, more than are fitted at once, that start from nothing or from noise.
std::vector<WantedFit> random_supports(const LogisticData& logistic, Index count, Rng& rng) {
  std::vector<WantedFit> wanted;
  const auto& include = logistic.data.include;
  for (Index s = 0; s < count; ++s) {
    std::vector<Index> support = rng.subset(logistic.data.p(), rng.between(0, 6));
    for (const Index j : include) std::erase(support, j);
    std::sort(support.begin(), support.end());
    const Index effects = std::ssize(include) + std::ssize(support);
    GlmStart start{rng.uniform(-0.5, 0.5), Vector::Zero(effects)};
    if (s % 2 == 0) {
      for (Index c = 0; c < effects; ++c) start.b[c] = rng.uniform(-0.5, 0.5);
    }
    if (!logistic.data.intercept) start.intercept = 0;
    wanted.push_back({std::move(support), std::move(start)});
  }
  return wanted;
}

TEST(FitTogether, IsTheFitOfEachSupport) {
  Rng rng(31);
  for (int problem = 0; problem < 12; ++problem) {
    LogisticData logistic = random_logistic({.n = rng.between(60, 700),
                                             .p = 12,
                                             .rho = rng.uniform(0, 0.95),
                                             .signal = rng.uniform(0.5, 2),
                                             .weights = problem % 2 == 1,
                                             .offset = problem % 4 >= 2,
                                             .intercept = problem % 3 != 0,
                                             .standardize = problem < 8,
                                             .ridge = problem % 5 == 0 ? 3.0 : 0.0},
                                            rng);
    if (problem % 4 == 3) logistic.data.include = rng.subset(12, 2);
    expect_the_same_fits(logistic, random_supports(logistic, 40, rng));
  }
}

TEST(FitTogether, AKnownCurvatureChangesNothing) {
  Rng rng(32);
  const LogisticData logistic = random_logistic({.n = 300, .p = 12}, rng);
  std::vector<WantedFit> wanted = random_supports(logistic, 20, rng);
  for (WantedFit& one : wanted) {
    const Index d = 1 + std::ssize(one.support);
    one.start.H = 40 * Matrix::Identity(d, d);  // far from it
  }
  expect_the_same_fits(logistic, std::move(wanted));
}

// Fits of one size compete: the lowest is as exact as alone, and no other is said to be below it.
// With strong signals most fits predict some rows with near certainty, and a few separate.
TEST(FitTogether, TheBestOfEachSizeIsExact) {
  Rng rng(35);
  int ended_early = 0;
  for (int problem = 0; problem < 20; ++problem) {
    const LogisticData logistic =
        random_logistic({.n = rng.between(40, 300), .p = 12, .signal = 2.0 + problem % 5}, rng);
    const LogisticRows subject(logistic);
    Panel panel(subject.rows);
    const std::vector<WantedFit> wanted = random_supports(logistic, 60, rng);
    const Budget budget{Control()};
    const auto all = fit_together(panel, wanted, kSettledFit, budget);
    const auto best =
        fit_together(panel, wanted, kSettledFit, budget, FitsToKeep::best_of_each_size);
    ASSERT_EQ(best.size(), all.size());
    const auto lowest = [](const std::vector<GlmFit>& fits, std::size_t size) {
      double loss = std::numeric_limits<double>::infinity();
      for (const GlmFit& fit : fits)
        if (fit.fitted() && fit.support.size() == size) loss = std::min(loss, fit.loss);
      return loss;
    };
    for (std::size_t s = 0; s < all.size(); ++s) {
      const double expected = lowest(all, all[s].support.size());
      if (all[s].fitted() && all[s].loss == expected) {
        ASSERT_EQ(best[s].state, GlmFit::State::fitted);
        EXPECT_NEAR(best[s].loss, expected, 1e-9 * expected);
      }
      if (best[s].fitted()) {
        EXPECT_GE(best[s].loss, expected * (1 - 1e-9));
      }
      if (best[s].state == GlmFit::State::beaten) {
        ++ended_early;
        EXPECT_GT(all[s].loss, expected);
      }
    }
  }
  EXPECT_GT(ended_early, 100);
}

TEST(FitTogether, SeparatedAndDependentSupportsAreFoundAmongOthers) {
  Rng rng(33);
  LogisticData logistic = random_logistic({.n = 100, .p = 8}, rng);
  logistic.data.X.col(3) = 2 * logistic.data.y.array() - 1 + 0.1 * logistic.data.X.col(3).array();
  logistic.data.X.col(5) = logistic.data.X.col(4);
  std::vector<WantedFit> wanted;
  for (const auto& support :
       {std::vector<Index>{0, 1}, {0, 3}, {1, 2}, {4, 5}, {3}, {2, 4, 6}, {0, 4, 5}})
    wanted.push_back({support, {0, Vector::Zero(std::ssize(support))}});
  expect_the_same_fits(logistic, std::move(wanted));
}

TEST(FitTogether, AStartThatIsNoNumberIsNoStart) {
  Rng rng(34);
  const LogisticData logistic = random_logistic({.n = 100, .p = 8}, rng);
  std::vector<WantedFit> wanted = random_supports(logistic, 5, rng);
  wanted[2].start.intercept = std::numeric_limits<double>::quiet_NaN();
  expect_the_same_fits(logistic, std::move(wanted));
}

}  // namespace
}  // namespace lass0::testing
