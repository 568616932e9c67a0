// Criteria recomputed from the raw data and the formulas of docs/selection.md.
#include <gtest/gtest.h>

#include <cmath>
#include <lass0/criterion.hpp>
#include <lass0/error.hpp>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

constexpr Criterion kAll[] = {Criterion::aic, Criterion::bic, Criterion::ebic, Criterion::gic,
                              Criterion::cp};

Real choose_count(Index p, Index k) {
  Real count = 1;
  for (Index i = 1; i <= k; ++i) count = count * Real(p - k + i) / Real(i);
  return count;
}

TEST(Criterion, ValuesAreThoseOfTheFormulas) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Data data = random_data(seed, {.n = 50,
                                   .p = 9,
                                   .rho = 0.4,
                                   .mean = 1,
                                   .weights = seed % 3 == 0 ? WeightKind::reals : WeightKind::none,
                                   .intercept = seed % 4 != 1});
    if (seed % 2 == 0) data.include = {1, 6};
    const OwnedProblem problem(data);
    const Centred centred(data);
    const Real n = centred.weight;
    const Index p = 9 - std::ssize(data.include);
    const Index fixed = std::ssize(data.include) + (data.intercept ? 1 : 0);
    for (const Criterion criterion : kAll) {
      const CriterionSelection found = select_by_criterion(problem, {.criterion = criterion});
      const Index last = std::ssize(found.curve) - 1;
      const auto rss = [&](Index k) {
        return least_squares(centred, model_columns(centred, found.table.at_k(k).support)).rss;
      };
      const Real s2 = rss(last) / (n - Real(last + fixed));
      Real best = 0;
      Index best_k = -1;
      for (Index k = 0; k <= last; ++k) {
        Real expected = n * std::log(rss(k) / n);
        if (criterion == Criterion::aic) expected += 2 * Real(k);
        if (criterion == Criterion::bic) expected += Real(k) * std::log(n);
        if (criterion == Criterion::ebic)
          expected += Real(k) * std::log(n) + 2 * std::log(choose_count(p, k));
        if (criterion == Criterion::gic)
          expected += Real(k) * std::log(std::log(n)) * std::log(Real(p));
        if (criterion == Criterion::cp) expected = rss(k) / s2 - n + 2 * Real(k);
        EXPECT_NEAR(found.curve[k].value, static_cast<double>(expected),
                    1e-9 * static_cast<double>(n));
        if (best_k < 0 || expected < best) {
          best = expected;
          best_k = k;
        }
      }
      EXPECT_EQ(found.chosen, best_k);
      EXPECT_EQ(found.fit.k(), best_k);
      EXPECT_EQ(std::ssize(found.model().at.support), best_k + std::ssize(data.include));
    }
  }
}

TEST(Criterion, APerfectFitIsChosenAndNothingIsInfinite) {
  Data data = random_data(3, {.n = 30, .p = 6});
  data.y = data.X.col(1) - 3 * data.X.col(4);
  const OwnedProblem problem(data);
  for (const Criterion criterion :
       {Criterion::aic, Criterion::bic, Criterion::ebic, Criterion::gic}) {
    const CriterionSelection found = select_by_criterion(problem, {.criterion = criterion});
    EXPECT_EQ(found.model().at.support, (std::vector<Index>{1, 4}));
    for (const CriterionPoint& point : found.curve) EXPECT_TRUE(std::isfinite(point.value));
  }
  data.y.setConstant(7);
  const OwnedProblem constant(data);
  EXPECT_EQ(select_by_criterion(constant, {}).chosen, 0);
  EXPECT_THROW(select_by_criterion(constant, {.criterion = Criterion::cp}), Error);
}

TEST(Criterion, ALargestSizeEndsTheCurveAndChangesNoValue) {
  const OwnedProblem problem(random_data(5, {.n = 60, .p = 8, .k = 6, .snr = 9}));
  for (const Criterion criterion : kAll) {
    const auto whole = select_by_criterion(problem, {.criterion = criterion});
    const auto part = select_by_criterion(problem, {.criterion = criterion, .max_k = 2});
    ASSERT_EQ(part.curve.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(part.curve[k].value, whole.curve[k].value);
    EXPECT_LE(part.fit.k(), 2);
  }
  EXPECT_THROW(select_by_criterion(problem, {.max_k = -2}), UsageError);
}

TEST(Criterion, ARidgeIsRefused) {
  Data data = random_data(3, {.n = 30, .p = 6});
  data.ridge = 1;
  const OwnedProblem problem(data);
  EXPECT_THROW(select_by_criterion(problem, {}), UsageError);
}

}  // namespace
}  // namespace lass0::testing
