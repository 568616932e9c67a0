// Few of many columns: products among themselves, residuals against all columns, and moments of
// these columns alone; each against whole Gram columns, or against data with no other columns.
#include <gtest/gtest.h>

#include <lass0/lasso.hpp>
#include <lass0/moments.hpp>
#include <lass0/support_table.hpp>

#include "support/oracles.hpp"

namespace lass0::testing {
namespace {

constexpr double kLittleMemory = 1e4;  // bytes: too few for a whole Gram matrix

struct Case {
  explicit Case(std::uint64_t seed, Storage storage)
      : problem(with_random_extras(seed,
                                   random_data(seed, {.n = 40,
                                                      .p = 30,
                                                      .rho = 0.5,
                                                      .zeros = seed % 3 == 0 ? 0.6 : 0.0,
                                                      .mean = seed % 2 ? 3.0 : 0.0,
                                                      .weights = static_cast<WeightKind>(seed % 3),
                                                      .intercept = seed % 5 != 0,
                                                      .standardize = seed % 4 != 0})),
                storage) {
    for (Index i = 0; i < problem.data().n(); ++i)
      labels.push_back(static_cast<int>((i * i + i / 3) % 3));
  }

  // Of all rows, of the training sets of three folds.
  std::vector<Moments> views() const {
    const Control control{.memory = kLittleMemory};
    const Moments all(problem, {.folds = labels, .control = control});
    return {Moments(problem, {.control = control}), all.without_fold(0), all.without_fold(2)};
  }

  std::vector<Index> some_eligible(const Moments& moments, Rng& rng, Index count) const {
    std::vector<Index> columns;
    for (const Index j : rng.subset(moments.cols(), count))
      if (moments.eligible(j)) columns.push_back(j);
    return columns;
  }

  OwnedProblem problem;
  std::vector<int> labels;
};

Matrix block_of_columns(const Moments& moments, Columns rows, Columns columns) {
  Matrix G(moments.cols(), std::ssize(columns)), block(std::ssize(rows), std::ssize(columns));
  moments.gram_columns(columns, G);
  for (Index i = 0; i < block.rows(); ++i) block.row(i) = G.row(rows[i]);
  return block;
}

template <class Check>
void for_each_view(const Check& check) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const Storage storage : kAllStorages) {
      const Case one(seed, storage);
      SCOPED_TRACE(describe(one.problem.data()) + ", " + to_string(storage) + ", seed " +
                   std::to_string(seed));
      Rng rng(seed);
      for (const Moments& moments : one.views()) check(one, moments, rng);
    }
  }
}

TEST(ShortListMoments, ProductsAmongThemselvesAreThoseOfWholeColumns) {
  for_each_view([](const Case& one, const Moments& moments, Rng& rng) {
    const std::vector<Index> first = one.some_eligible(moments, rng, 5);
    const std::vector<Index> second = one.some_eligible(moments, rng, 9);
    moments.prefetch_block(first);
    moments.prefetch_block(second);  // which adds to the first
    const Index passes = moments.gram_use().passes;
    Matrix G(std::ssize(first), std::ssize(second));
    moments.gram_block(first, second, G);
    EXPECT_EQ(moments.gram_use().passes, passes);  // no whole column was computed
    EXPECT_LE((G - block_of_columns(moments, first, second)).cwiseAbs().maxCoeff(), 1e-13);
  });
}

TEST(ShortListMoments, ErrorsOfTheHeldOutRowsAreTheSame) {
  for_each_view([](const Case& one, const Moments& moments, Rng& rng) {
    const std::vector<Index> support = one.some_eligible(moments, rng, 4);
    Vector b(std::ssize(support));
    for (double& value : b) value = rng.normal();
    if (moments.folds() == 1) return;  // these leave no rows out
    const Moments::HeldOutError before = moments.held_out_error(support, b);
    std::vector<Index> list = support;
    list.insert(list.end(), moments.included().begin(), moments.included().end());
    moments.prefetch_block(list);
    EXPECT_NEAR(moments.held_out_error(support, b).squares, before.squares,
                1e-12 * before.magnitude);
  });
}

TEST(ShortListMoments, ResidualCorrelationsAreThoseOfGramColumns) {
  for_each_view([](const Case& one, const Moments& moments, Rng& rng) {
    std::vector<Moments::Coefficients> models(11);  // more than one pass
    for (auto& [support, b] : models) {
      support = one.some_eligible(moments, rng, rng.between(0, 6));
      b.resize(std::ssize(support));
      for (double& value : b) value = rng.normal();
    }
    Matrix r(moments.cols(), std::ssize(models));
    moments.residual_correlations(models, r);
    for (Index m = 0; m < r.cols(); ++m) {
      const auto& [support, b] = models[m];
      Vector expected(moments.cols());
      moments.gram_times(support, b, expected);
      expected = moments.xty() - expected;
      for (Index j = 0; j < moments.cols(); ++j)
        EXPECT_NEAR(r(j, m), moments.eligible(j) ? expected[j] : 0.0, 1e-12 * (1 + b.norm())) << j;
    }
  });
}

TEST(ShortListMoments, AmongSomeColumnsTablesAndLassosAreThoseOfDataWithoutTheOthers) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Data data = random_data(seed, {.n = 50, .p = 30, .rho = 0.6, .mean = 2});
    data.ridge = seed % 2 ? 3 : 0;
    Rng rng(seed);
    const std::vector<Index> list = rng.subset(30, 9);
    const OwnedProblem whole(data), part(data.columns(list));
    const Moments all(whole, {.control = {.memory = kLittleMemory}});
    const Moments few = all.among(list), alone(part);
    ASSERT_EQ(few.cols(), 9);
    EXPECT_EQ(few.folds(), 1);
    const SupportTable table = best_supports(few), expected = best_supports(alone);
    ASSERT_EQ(table.max_k(), expected.max_k());
    for (Index k = 0; k <= table.max_k(); ++k) {
      EXPECT_EQ(table.at_k(k).support, expected.at_k(k).support);
      EXPECT_NEAR(table.at_k(k).loss, expected.at_k(k).loss, 1e-10 * expected.at_k(0).loss);
    }
    const LassoPath path = lasso_path(few, {.count = 8}), same = lasso_path(alone, {.count = 8});
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      EXPECT_EQ(path.points[i].at.support, same.points[i].at.support);
      EXPECT_NEAR(path.points[i].at.intercept, same.points[i].at.intercept, 1e-8);
    }
  }
}

TEST(ShortListMoments, AmongSomeColumnsWhatIncludedOnesExplainIsTakenOut) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Data data = random_data(seed, {.n = 50, .p = 20, .rho = 0.6});
    data.include = {3, 8};
    const OwnedProblem problem(data);
    const Moments all(problem, {.control = {.memory = kLittleMemory}});
    const std::vector<Index> list = {0, 1, 5, 9, 12, 17};
    const SupportTable table = best_supports(all.among(list));
    const Centred centred(data);
    for (const TableRow& row : table.rows) {
      Support support;
      for (const Index l : row.support) support.push_back(list[l]);
      const Real expected = least_squares(centred, model_columns(centred, support)).loss;
      EXPECT_NEAR(row.loss, static_cast<double>(expected), 1e-9 * row.loss);
    }
  }
}

}  // namespace
}  // namespace lass0::testing
