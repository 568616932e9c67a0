// What a training set knows of the held-out rows, against the rows themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <lass0/support_table.hpp>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

std::vector<int> three_folds(const Data& data) {
  std::vector<int> labels;
  for (Index i = 0; i < data.n(); ++i) labels.push_back(static_cast<int>((i * i + i / 3) % 3));
  return labels;
}

Data some_data(std::uint64_t seed) {
  Data data =
      with_random_extras(seed, random_data(seed, {.n = 45,
                                                  .p = 8,
                                                  .rho = 0.5,
                                                  .mean = seed % 2 ? 3.0 : 0.0,
                                                  .weights = static_cast<WeightKind>(seed % 3),
                                                  .intercept = seed % 5 != 0,
                                                  .standardize = seed % 4 != 0}));
  for (Index i = 0; i < 6 && data.w.size() > 0; ++i) data.w[i] = 1;
  return data;
}

TEST(HeldOut, ErrorsOfAnyCoefficientsAreThoseOfTheRows) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Storage storage : kAllStorages) {
      const Data data = held_by(storage, some_data(seed));
      const OwnedProblem problem(data, storage);
      const std::vector<int> labels = three_folds(data);
      const Moments all(problem, {.folds = labels});
      Rng rng(seed);
      for (const std::vector<Index>& folds : {std::vector<Index>{0}, {1}, {2}, {0, 2}, {1, 2}}) {
        const Moments training = all.without_folds(folds);
        std::vector<Index> support;
        for (const Index j : rng.subset(data.p(), rng.between(0, 4)))
          if (training.eligible(j)) support.push_back(j);
        Vector b(std::ssize(support));
        for (Index l = 0; l < b.size(); ++l) b[l] = rng.normal();
        const Iterate at = training.model(support, b);
        Real expected = 0, weight = 0;
        Index rows = 0;
        for (Index i = 0; i < data.n(); ++i) {
          if (std::count(folds.begin(), folds.end(), labels[i]) == 0) {
            rows += data.weight(i) > 0 ? 1 : 0;
            continue;
          }
          Real residual = Real(data.y[i]) - at.intercept;
          for (Index l = 0; l < std::ssize(at.support); ++l)
            residual -= Real(at.coefficients[l]) * data.X(i, at.support[l]);
          expected += data.weight(i) * residual * residual;
          weight += data.weight(i);
        }
        const double unit = training.target_scale() * training.target_scale();
        EXPECT_NEAR(training.held_out_error(support, b).squares * unit,
                    static_cast<double>(expected), 1e-10 * static_cast<double>(expected))
            << describe(data);
        EXPECT_NEAR(training.held_out_weight(), static_cast<double>(weight), 1e-12);
        EXPECT_EQ(training.rows(), rows);
      }
      EXPECT_EQ(all.rows(), rows_used(problem));
      EXPECT_THROW(all.held_out_weight(), Error);
    }
  }
}

TEST(HeldOut, ATrainingSetHasTheTableOfItsRowsAlone) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Data data = random_data(seed, {.n = 30, .p = 25, .rho = 0.4});
    const OwnedProblem problem(data);
    const std::vector<int> labels = three_folds(data);
    const Moments all(problem, {.folds = labels});
    for (int fold = 0; fold < 3; ++fold) {
      std::vector<Index> kept;
      for (Index i = 0; i < data.n(); ++i)
        if (labels[i] != fold) kept.push_back(i);
      const OwnedProblem alone(data.rows(kept));
      const SupportTable expected = best_supports(*alone);
      const SupportTable found = best_supports(all.without_fold(fold));
      ASSERT_EQ(found.max_k(), expected.max_k());
      for (Index k = 0; k <= found.max_k(); ++k)
        EXPECT_EQ(found.at_k(k).support, expected.at_k(k).support);
    }
  }
}

TEST(HeldOut, AnotherRidgeIsThatOfAProblemWithIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Data data = some_data(seed);
    const OwnedProblem problem(data);
    data.ridge = 7.5;
    const OwnedProblem with(data);
    const std::vector<int> labels = three_folds(data);
    const Moments moments(problem, {.folds = labels}), expected(with, {.folds = labels});
    const auto expect_same = [](const Moments& a, const Moments& b) {
      EXPECT_EQ(a.problem().ridge, b.problem().ridge);
      EXPECT_EQ(a.xty(), b.xty());
      EXPECT_EQ(a.diagonal(), b.diagonal());
      EXPECT_EQ(a.yty(), b.yty());
      EXPECT_EQ(a.included(), b.included());
    };
    expect_same(moments.with_ridge(7.5), expected);
    expect_same(moments.without_fold(1).with_ridge(7.5), expected.without_fold(1));
    expect_same(moments.with_ridge(7.5).with_ridge(problem.data().ridge), moments);
    EXPECT_THROW(moments.with_ridge(-1), UsageError);
    EXPECT_THROW(moments.with_ridge(std::nan("")), UsageError);
  }
}

}  // namespace
}  // namespace lass0::testing
