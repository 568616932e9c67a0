// Moments that look at the non-zeros of a sparse X alone are those of the same X with its zeros.
#include <gtest/gtest.h>

#include <lass0/moments.hpp>
#include <numeric>

#include "moments/access.hpp"
#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

constexpr double kRounding = 1e-12;  // of squares that are 1, or a few with a ridge

void expect_near(const Matrix& got, const Matrix& want, double scale) {
  EXPECT_TRUE(got.allFinite());
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), kRounding * scale);
}

void expect_same(const Moments& sparse, const Moments& dense, std::uint64_t seed) {
  ASSERT_NE(sparse_products(sparse), nullptr);
  ASSERT_EQ(sparse_products(dense), nullptr);
  const Index p = dense.cols();
  const double scale = std::max(1.0, dense.diagonal().maxCoeff());
  EXPECT_LT((sparse.xty() - dense.xty()).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT((sparse.diagonal() - dense.diagonal()).cwiseAbs().maxCoeff(), kRounding * scale);
  Rng rng(seed);
  for (const Index size : {Index{1}, Index{3}, Index{9}, p}) {
    const std::vector<Index> J = rng.subset(p, std::min(size, p));
    const std::vector<Index> I = rng.subset(p, std::min<Index>(p, 1 + rng.below(20)));
    const Index k = std::ssize(J), r = std::ssize(I);
    Matrix a(p, k), b(p, k);
    sparse.gram_columns(J, a);
    dense.gram_columns(J, b);
    expect_near(a, b, scale);
    a = b = Matrix::Constant(r, k, 1e300);
    sparse.gram_block(I, J, a);
    dense.gram_block(I, J, b);
    expect_near(a, b, scale);
    Matrix V(k, 2);
    for (Index l = 0; l < k; ++l) V.row(l) << rng.normal(), rng.normal();
    a = b = Matrix::Constant(p, 2, 1e300);
    sparse.gram_times(J, V, a);
    dense.gram_times(J, V, b);
    expect_near(a, b, scale * (1 + V.cwiseAbs().sum()));
  }
}

TEST(SparseMoments, AreThoseOfTheSameXWithItsZeros) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Data data = sparse_data(seed, 16);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    const OwnedProblem dense(data), sparse(data, Storage::sparse);
    expect_same(Moments(sparse), Moments(dense), seed);
    expect_same(Moments(sparse).with_ridge(0.7), Moments(dense).with_ridge(0.7), seed);
  }
}

// Few columns of many more: most have no row in common with those asked for.
TEST(SparseMoments, OfManyColumnsAreThoseOfTheSameXWithItsZeros) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ProblemSpec spec{.n = 150, .p = 700, .zeros = 0.97};
    spec.weights = static_cast<WeightKind>(seed % 3);
    spec.intercept = seed % 2 == 0;
    const Data data = with_random_extras(seed, random_data(seed, spec));
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    expect_same(Moments(OwnedProblem(data, Storage::sparse)), Moments(OwnedProblem(data)), seed);
  }
}

// More than are computed at once with folds.
TEST(SparseMoments, OfTrainingSetsAreThoseOfTheirRows) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Data data = sparse_data(seed, 12);
    const Index p = data.p();
    data.X.conservativeResize(Eigen::NoChange, p + 800);
    data.X.rightCols(800).setZero();
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data));
    std::vector<int> folds(static_cast<std::size_t>(data.n()));
    for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i % 3);
    const OwnedProblem dense(data), sparse(data, Storage::sparse);
    const Moments all(sparse, {.folds = folds}), twin(dense, {.folds = folds});
    for (const Index fold : {0, 1, 2})
      expect_same(all.without_fold(fold), twin.without_fold(fold), seed);
  }
}

// What rows of weight 0 hold never matters.
TEST(SparseMoments, HugeValuesOfWeightZeroDoNotMatter) {
  Data data = sparse_data(3, 10);
  data.w = Vector::Ones(data.n());
  data.w[1] = 0;
  data.include.clear();
  Data huge = data;
  huge.X(1, 0) = 1e300;
  huge.y[1] = -1e300;
  huge.X.col(0).array() *= 1e-20;
  data.X.col(0).array() *= 1e-20;
  const OwnedProblem one(data, Storage::sparse), other(huge, Storage::sparse);
  const Moments a(one), b(other);
  ASSERT_NE(sparse_products(b), nullptr);
  const std::vector<Index> J = {0, 1, 2};
  Matrix x(a.cols(), 3), y(a.cols(), 3);
  a.gram_columns(J, x);
  b.gram_columns(J, y);
  expect_near(x, y, 1);
  Matrix z(3, 3);
  b.gram_block(J, J, z);
  expect_near(z, x.topRows(3), 1);
}

TEST(SparseMoments, AreKeptWhereProductsFromNonzerosCostDigitsTimeOrRoom) {
  const Data data = among_many(random_data(3, ProblemSpec{.n = 60, .p = 8, .zeros = 0.9}));
  EXPECT_NE(sparse_products(Moments(OwnedProblem(data, Storage::sparse))), nullptr);
  EXPECT_EQ(sparse_products(Moments(OwnedProblem(data))), nullptr);
  const OwnedProblem sparse(data, Storage::sparse);
  EXPECT_EQ(sparse_products(Moments(sparse, {.control = {.memory = 100}})), nullptr);
  Data large_means = data;
  large_means.X.col(0).array() += 10;
  EXPECT_EQ(sparse_products(Moments(OwnedProblem(large_means, Storage::sparse))), nullptr);
  const Data full = random_data(3, ProblemSpec{.n = 100, .p = 300, .zeros = 0.1});
  EXPECT_EQ(sparse_products(Moments(OwnedProblem(full, Storage::sparse))), nullptr);
  const Data few = random_data(3, ProblemSpec{.n = 100, .p = 30, .zeros = 0.9});
  EXPECT_EQ(sparse_products(Moments(OwnedProblem(few, Storage::sparse))), nullptr);
}

TEST(SparseMoments, TheBitsDoNotDependOnTheNumberOfThreads) {
  const Data data = random_data(4, ProblemSpec{.n = 300, .p = 9000, .k = 10, .zeros = 0.97});
  const OwnedProblem problem(data, Storage::sparse);
  const Moments one(problem, {.control = {.threads = 1}}),
      two(problem, {.control = {.threads = 2}});
  ASSERT_NE(sparse_products(one), nullptr);
  std::vector<Index> J(400);
  std::iota(J.begin(), J.end(), Index{7});
  const Matrix V = Matrix::Ones(400, 1);
  Matrix a(9000, 1), b(9000, 1);
  one.gram_times(J, V, a);
  two.gram_times(J, V, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(one.gram_use().plan, GramUse::Plan::sparse);
}

}  // namespace
}  // namespace lass0::testing
