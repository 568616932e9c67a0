// G, c, y'y and the diagonal against explicitly centred long double arithmetic, in the user's
// units: G_ij d_i d_j and so on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/moments.hpp>
#include <limits>
#include <numeric>

#include "moments/after_included.hpp"
#include "support/random_problem.hpp"
#include "util/tolerances.hpp"

namespace lass0::testing {
namespace {

std::vector<Index> all_columns(Index p) {
  std::vector<Index> columns(static_cast<std::size_t>(p));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

Matrix full_gram(const Moments& moments) {
  Matrix G(moments.cols(), moments.cols());
  moments.gram_columns(all_columns(moments.cols()), G);
  return G;
}

// All that Moments says, against the definition on the rows it stands for. `tolerance` is relative
// to the norms of the columns.
void expect_moments_of(const Moments& moments, const Data& data, double tolerance = 1e-12) {
  const Centred centred(data);
  const Index p = data.p();
  ASSERT_EQ(moments.cols(), p);
  EXPECT_NEAR(moments.weight(), static_cast<double>(centred.weight),
              1e-13 * static_cast<double>(centred.weight));
  const Matrix G = full_gram(moments);
  const RealMatrix left = after_included(centred);
  const Real y_norm = centred.y.norm();
  const Real e = moments.target_scale();
  const double y_square = static_cast<double>(y_norm * y_norm);
  EXPECT_NEAR(static_cast<double>(moments.target_square() * e * e), y_square, tolerance * y_square);
  EXPECT_NEAR(static_cast<double>(moments.yty() * e * e),
              static_cast<double>(left.col(p).squaredNorm()), 2 * tolerance * y_square);
  for (Index j = 0; j < p; ++j) {
    if (centred.norm[j] == 0) {
      EXPECT_EQ(moments.diagonal()[j], 0.0) << "column " << j;
      EXPECT_TRUE(moments.constant(j));
      EXPECT_EQ(moments.xty()[j], 0.0) << "column " << j;
      EXPECT_LT(G.col(j).cwiseAbs().maxCoeff(), 1e-15) << "column " << j;
      EXPECT_LT(G.row(j).cwiseAbs().maxCoeff(), 1e-15) << "column " << j;
      continue;
    }
    // In units of the columns' norms (with their row of the ridge), so that every entry is at
    // most 1.
    const Real norm = centred.augmented_norm[j];
    const Real unit = Real(moments.column_scale(j)) / norm;
    const Real share = left.col(j).squaredNorm() / (norm * norm);
    EXPECT_FALSE(moments.constant(j));
    EXPECT_NEAR(static_cast<double>(moments.squares()[j] * unit * unit), 1.0, tolerance);
    EXPECT_NEAR(static_cast<double>(moments.diagonal()[j] * unit * unit),
                static_cast<double>(share),
                std::max(tolerance, 1.01 * kAliasTolerance * (share < 0.5L)));
    if (share > 1e-8L) {
      EXPECT_TRUE(moments.eligible(j));
      EXPECT_NEAR(G(j, j), moments.diagonal()[j], tolerance * moments.squares()[j]);
    }
    if (share < 1e-13L) {
      EXPECT_FALSE(moments.eligible(j));
      EXPECT_EQ(moments.diagonal()[j], 0.0);
      EXPECT_EQ(moments.xty()[j], 0.0);
    }
    if (y_norm > 0 && moments.eligible(j)) {
      EXPECT_NEAR(static_cast<double>(moments.xty()[j] * unit * (e / y_norm)),
                  static_cast<double>(left.col(j).dot(left.col(p)) / (norm * y_norm)), tolerance);
    }
    for (Index i = 0; i < p; ++i) {
      if (centred.norm[i] == 0) continue;
      const Real other = Real(moments.column_scale(i)) / centred.augmented_norm[i];
      EXPECT_NEAR(
          static_cast<double>(G(i, j) * unit * other),
          static_cast<double>((left.col(i) / centred.augmented_norm[i]).dot(left.col(j) / norm)),
          tolerance)
          << "G " << i << ", " << j;
    }
    const Real weight = moments.l1_weights()[j] * Real(moments.column_scale(j));
    EXPECT_NEAR(static_cast<double>(weight / centred.deviation[j]), 1.0, tolerance)
        << "l1 weight " << j;
    EXPECT_NEAR(moments.coefficient_unit(j) * moments.column_scale(j) / moments.target_scale(), 1.0,
                1e-14);
  }
}

// A column of constants, 0.1 or so, that no sum of rounded terms must turn into something else.
Data with_constants(Data data) {
  for (const double value : {0.0, 0.1, 1e8, -1e150, 1e-150})
    data.append(Vector::Constant(data.n(), value));
  return data;
}

class EveryStorage : public ::testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Moments, EveryStorage, ::testing::ValuesIn(kStorages),
                         [](const auto& one) { return to_string(one.param); });

// With the storages that round: where the numbers may be any.
class AllStorages : public ::testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Moments, AllStorages, ::testing::ValuesIn(kAllStorages),
                         [](const auto& one) { return to_string(one.param); });

TEST_P(AllStorages, MomentsEqualTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const OwnedProblem problem(random_general_data(seed, 14), GetParam());
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    expect_moments_of(Moments(problem), problem.data());
  }
}

TEST_P(AllStorages, InternalUnitsAreUnitNorms) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const OwnedProblem problem(random_data(seed, 8), GetParam());
    const Moments moments(problem);
    EXPECT_NEAR(moments.yty(), 1.0, 1e-12);
    for (Index j = 0; j < moments.cols(); ++j)
      if (!moments.constant(j)) {
        EXPECT_NEAR(moments.diagonal()[j], 1.0, 1e-12);
      }
  }
}

TEST_P(AllStorages, TrainingMomentsAreThoseOfTheOtherRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    ProblemSpec spec = random_spec(seed, 9);
    spec.n = seed % 12 == 0 ? 1500 : 35;
    const OwnedProblem problem(with_random_extras(seed, random_data(seed, spec)), GetParam());
    const int count = static_cast<int>(rng.between(2, 6));
    std::vector<int> folds(static_cast<std::size_t>(spec.n));
    for (int& fold : folds) fold = static_cast<int>(rng.below(count));
    for (int f = 0; f < count; ++f) folds[f] = f;
    const Moments all(problem, {.folds = folds});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    ASSERT_EQ(all.folds(), count);
    expect_moments_of(all, problem.data());
    for (int f = 0; f < count; ++f) {
      std::vector<Index> others;
      for (Index i = 0; i < spec.n; ++i)
        if (folds[i] != f) others.push_back(i);
      expect_moments_of(all.without_fold(f), problem.data().rows(others), 1e-11);
    }
  }
}

// Unions of small folds: of any number of them, and of columns few and many (the whole Gram matrix
// per fold, or columns when they are needed).
TEST_P(EveryStorage, MomentsWithoutSeveralFoldsAreThoseOfTheOtherRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    ProblemSpec spec = random_spec(seed, 9);
    spec.n = 60;
    if (seed % 5 == 0) spec.mean = 1e8;
    Data data = with_random_extras(seed, random_data(seed, spec));
    for (Index i = 0; i < 20 && data.w.size() > 0; ++i) data.w[i] = 1 + static_cast<double>(i % 3);
    if (seed % 6 == 0) data = among_many(data);
    const OwnedProblem problem(data, GetParam());
    const int count = static_cast<int>(rng.between(3, 20));
    std::vector<int> folds(static_cast<std::size_t>(spec.n));
    for (int i = 0; i < spec.n; ++i) folds[i] = i < count ? i : static_cast<int>(rng.below(count));
    const Moments all(problem, {.folds = folds});
    const std::vector<Index> out = rng.subset(count, rng.between(1, count - 2));
    std::vector<Index> others;
    for (Index i = 0; i < spec.n; ++i)
      if (std::count(out.begin(), out.end(), folds[i]) == 0) others.push_back(i);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(data) << ", without "
                                      << out.size() << " of " << count << " folds");
    const Moments rest = all.without_folds(out);
    if (rest.lost_digits()) continue;
    expect_moments_of(rest, data.rows(others), 1e-10);
    EXPECT_EQ(rest.folds(), count);
    Data shrunk = data.rows(others);
    shrunk.ridge = 3.5;
    expect_moments_of(rest.with_ridge(3.5), shrunk, 1e-10);
    const std::vector<Index> reversed(out.rbegin(), out.rend());
    EXPECT_EQ(all.without_folds(reversed).xty(), rest.xty());
  }
}

TEST(Moments, OneFoldOfAListOfFoldsIsThatFold) {
  const OwnedProblem problem(random_general_data(5, 9));
  std::vector<int> folds;
  for (Index i = 0; i < problem.data().n(); ++i) folds.push_back(static_cast<int>(i % 4));
  const Moments all(problem, {.folds = folds});
  const Index two[] = {2}, outside[] = {1, 4}, twice[] = {1, 3, 1}, every[] = {0, 1, 2, 3};
  EXPECT_EQ(all.without_folds(two).xty(), all.without_fold(2).xty());
  EXPECT_EQ(full_gram(all.without_folds(two)), full_gram(all.without_fold(2)));
  EXPECT_EQ(all.without_folds({}).xty(), all.xty());
  EXPECT_THROW(all.without_folds(outside), Error);
  EXPECT_THROW(all.without_folds(twice), Error);
  EXPECT_THROW(all.without_folds(every), Error);
  EXPECT_THROW(Moments(problem).without_folds(two), Error);
}

// An outlier in the held-out folds sets the scale of a column and of the target.
TEST(Moments, UnionsOfFoldsThatLoseDigitsSaySo) {
  Data data = random_data(3, ProblemSpec{.n = 40, .p = 4});
  data.X(7, 2) = 1e9;
  const OwnedProblem problem(data);
  std::vector<int> folds;
  for (int i = 0; i < 40; ++i) folds.push_back(i % 10);
  const Moments all(problem, {.folds = folds});
  const Index with_outlier[] = {0, 2, 7, 8, 9}, others[] = {0, 1, 2, 3, 4};
  EXPECT_TRUE(all.without_folds(with_outlier).lost_digits());
  EXPECT_FALSE(all.without_folds(others).lost_digits());
}

TEST_P(EveryStorage, TrainingMomentsKeepTheDigitsOfLargeMeans) {
  const OwnedProblem problem(random_data(3, ProblemSpec{.n = 60, .p = 5, .mean = 1e8}), GetParam());
  std::vector<int> folds(60);
  for (int i = 0; i < 60; ++i) folds[i] = i % 3;
  const Moments all(problem, {.folds = folds});
  for (int f = 0; f < 3; ++f) {
    std::vector<Index> others;
    for (Index i = 0; i < 60; ++i)
      if (folds[i] != f) others.push_back(i);
    expect_moments_of(all.without_fold(f), problem.data().rows(others), 1e-11);
  }
}

// A column that varies in one fold only is constant in the training set of that fold.
TEST_P(EveryStorage, ColumnsConstantInATrainingSetHaveDiagonalZero) {
  Data data = random_data(4, ProblemSpec{.n = 30, .p = 3});
  std::vector<int> folds(30);
  for (int i = 0; i < 30; ++i) folds[i] = i % 3;
  for (const double value : {0.0, 0.1, 1e8, 1.0 / 3}) {
    Vector column = Vector::Constant(30, value);
    for (int i = 1; i < 30; i += 3) column[i] = data.X(i, 0);
    data.append(column);
  }
  const OwnedProblem problem(data, GetParam());
  const Moments all(problem, {.folds = folds});
  for (int f = 0; f < 3; ++f) {
    std::vector<Index> others;
    for (Index i = 0; i < 30; ++i)
      if (folds[i] != f) others.push_back(i);
    SCOPED_TRACE(::testing::Message() << "without fold " << f);
    expect_moments_of(all.without_fold(f), data.rows(others), 1e-7);
  }
}

TEST_P(EveryStorage, WeightsRepeatAndLeaveOutRows) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    ProblemSpec spec = random_spec(seed, 8);
    spec.weights = WeightKind::integers;
    const OwnedProblem weighted(random_data(seed, spec), GetParam());
    std::vector<Index> rows;
    for (Index i = 0; i < spec.n; ++i)
      for (int times = 0; times < weighted.data().w[i]; ++times) rows.push_back(i);
    Data repeated = weighted.data().rows(rows);
    repeated.w.resize(0);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_moments_of(Moments(weighted), repeated);
  }
}

TEST_P(EveryStorage, ConstantColumnsHaveDiagonalExactlyZero) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec = random_spec(seed, 5);
    spec.n = std::max<Index>(spec.n, 3);
    spec.intercept = true;
    const OwnedProblem problem(with_constants(random_data(seed, spec)), GetParam());
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << describe(problem.data()));
    expect_moments_of(Moments(problem), problem.data());
  }
}

TEST_P(EveryStorage, WithoutAnInterceptOnlyZeroColumnsAreConstant) {
  ProblemSpec spec{.n = 20, .p = 3, .intercept = false};
  Data data = random_data(2, spec);
  data.append(Vector::Zero(20));
  data.append(Vector::Constant(20, 0.1));
  const OwnedProblem problem(data, GetParam());
  const Moments moments(problem);
  EXPECT_TRUE(moments.constant(3));
  EXPECT_FALSE(moments.constant(4));
  expect_moments_of(moments, data);
}

TEST_P(EveryStorage, ColumnsConstantOnTheRowsThatCountAreConstant) {
  Data data = random_data(6, ProblemSpec{.n = 20, .p = 3, .weights = WeightKind::reals});
  data.w[3] = data.w[11] = data.w[0] = 0;
  for (const double value : {0.0, 0.1, 1e8}) {
    Vector column = Vector::Constant(20, value);
    column[3] = 17;
    column[11] = -1e4;
    column[0] = 5;
    data.append(column);
  }
  const OwnedProblem problem(data, GetParam());
  expect_moments_of(Moments(problem), data);
}

TEST_P(EveryStorage, LargeMeansKeepTheirDigits) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ProblemSpec spec{.n = 50, .p = 6, .mean = 1e8};
    spec.weights = static_cast<WeightKind>(seed % 3);
    const OwnedProblem problem(random_data(seed, spec), GetParam());
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_moments_of(Moments(problem), problem.data());
  }
}

// The first value is far from the mean: a provisional centre taken from it would not do.
TEST_P(EveryStorage, AnOutlierInTheFirstRowDoesNotCostDigits) {
  Data data =
      random_data(8, ProblemSpec{.n = 50, .p = 4, .mean = 1e8, .weights = WeightKind::reals});
  data.w[0] = 0;
  data.X.row(0).setConstant(-1e12);
  const OwnedProblem problem(data, GetParam());
  expect_moments_of(Moments(problem), data);
}

TEST_P(EveryStorage, ColumnsOfAnySizeLiveSideBySide) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Data data =
        random_data(seed, ProblemSpec{.n = 30, .p = 6, .mean = 2, .intercept = seed % 2 == 0});
    const double scales[] = {1e-150, 1e150, 1, 1e-80, 1e80, 1e-8};
    for (Index j = 0; j < 6; ++j) data.X.col(j) *= scales[j];
    data.y *= seed % 3 == 0 ? 1e120 : seed % 3 == 1 ? 1e-120 : 1;
    const OwnedProblem problem(data, GetParam());
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expect_moments_of(Moments(problem), data);
  }
}

TEST_P(EveryStorage, ConstantTargetHasNoProducts) {
  for (const double value : {0.0, 0.1, 1e8}) {
    Data data = random_data(5, ProblemSpec{.n = 25, .p = 4});
    data.y.setConstant(value);
    const OwnedProblem problem(data, GetParam());
    const Moments moments(problem);
    EXPECT_EQ(moments.yty(), 0.0);
    EXPECT_EQ(moments.xty().cwiseAbs().maxCoeff(), 0.0);
    EXPECT_TRUE(std::isfinite(moments.target_scale()) && moments.target_scale() > 0);
  }
}

TEST_P(EveryStorage, OneRow) {
  for (const bool intercept : {true, false}) {
    Data data = random_data(5, ProblemSpec{.n = 1, .p = 3, .intercept = intercept});
    const OwnedProblem problem(data, GetParam());
    expect_moments_of(Moments(problem), data);
  }
}

TEST_P(EveryStorage, EveryWayToAskForGramEntriesAgrees) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const OwnedProblem problem(with_constants(random_general_data(seed, 20)), GetParam());
    const Index p = problem.data().p();
    const Matrix G = full_gram(Moments(problem));
    const double unit = std::max(1.0, G.cwiseAbs().maxCoeff());  // a ridge may be larger
    EXPECT_LT((G - G.transpose()).cwiseAbs().maxCoeff(), 1e-13 * unit);
    Rng rng(seed);
    const Moments lazy(problem);
    EXPECT_LE(lazy.cached_columns(), p);
    for (int ask = 0; ask < 6; ++ask) {
      const auto columns = rng.subset(p, rng.between(0, p)),
                 rows = rng.subset(p, rng.between(0, p));
      if (ask % 2 == 0) lazy.prefetch(columns);
      Matrix cols(p, std::ssize(columns)), block(std::ssize(rows), std::ssize(columns));
      lazy.gram_columns(columns, cols);
      lazy.gram_block(rows, columns, block);
      Vector v(std::ssize(columns)), product(p);
      for (double& entry : v) entry = rng.normal();
      lazy.gram_times(columns, v, product);
      for (Index l = 0; l < cols.cols(); ++l) {
        EXPECT_LT((cols.col(l) - G.col(columns[l])).cwiseAbs().maxCoeff(), 1e-13 * unit);
        for (Index i = 0; i < block.rows(); ++i)
          EXPECT_NEAR(block(i, l), G(rows[i], columns[l]), 1e-13 * unit);
      }
      EXPECT_LT((product - cols * v).cwiseAbs().maxCoeff(), 1e-12 * unit);
    }
    EXPECT_LE(lazy.cached_columns(), p);
  }
}

// Columns may be asked for in any order and twice.
TEST_P(EveryStorage, GramColumnsComeInTheOrderAsked) {
  const OwnedProblem problem(random_data(9, ProblemSpec{.n = 30, .p = 7}), GetParam());
  const Matrix G = full_gram(Moments(problem));
  const std::vector<Index> asked = {5, 0, 5, 3};
  const Moments moments(problem);
  Matrix out(7, 4);
  moments.gram_columns(asked, out);
  for (Index l = 0; l < 4; ++l)
    EXPECT_LT((out.col(l) - G.col(asked[l])).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_P(EveryStorage, TheInterceptOfInternalCoefficientsIsInTheUsersUnits) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const OwnedProblem problem(random_data(seed, 10), GetParam());
    const Centred centred(problem.data());
    const Moments moments(problem);
    Rng rng(seed);
    const auto support = rng.subset(moments.cols(), rng.between(0, moments.cols()));
    Vector b = Vector::Zero(std::ssize(support));
    Real want = centred.y_mean, size = std::abs(want);
    for (Index l = 0; l < b.size(); ++l) {
      if (moments.constant(support[l])) continue;
      b[l] = rng.normal();
      const Real term = b[l] * moments.coefficient_unit(support[l]) * centred.mean[support[l]];
      want -= term;
      size += std::abs(term);
    }
    EXPECT_NEAR(moments.intercept(support, b), static_cast<double>(want),
                1e-12 * static_cast<double>(size));
  }
}

// Of all models with these coefficients outside, the one of least loss.
TEST_P(EveryStorage, AModelHasTheIncludedCoefficientsThatBelongToIt) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ProblemSpec spec = random_spec(seed, 8);
    spec.p = 8;
    spec.n = 30;
    Data data = random_data(seed, spec);
    data.include = {1, 4, 5};
    if (seed % 2 == 0) data.ridge = 3;
    const OwnedProblem problem(data, GetParam());
    const Centred centred(data);
    const Moments moments(problem);
    ASSERT_EQ(moments.included(), data.include);
    Rng rng(seed);
    const std::vector<Index> support = {0, 2, 7};
    Vector b(3);
    for (double& entry : b) entry = rng.normal();
    const Iterate at = moments.model(support, b);
    ASSERT_EQ(at.support, (std::vector<Index>{0, 1, 2, 4, 5, 7}));
    RealVector residual = centred.augmented_y;
    Real mean = centred.y_mean;
    for (std::size_t l = 0; l < at.support.size(); ++l) {
      residual -= at.coefficients[l] * centred.augmented_X.col(at.support[l]);
      mean -= at.coefficients[l] * centred.mean[at.support[l]];
    }
    const Index places[] = {0, 2, 5};  // of the support in the model
    for (Index l = 0; l < 3; ++l)
      EXPECT_EQ(at.coefficients[places[l]], b[l] * moments.coefficient_unit(support[l]));
    for (const Index j : data.include)
      EXPECT_LT(std::abs(centred.augmented_X.col(j).dot(residual)),
                1e-11L * centred.augmented_norm[j] * residual.norm());
    EXPECT_NEAR(at.intercept, static_cast<double>(mean), 1e-10 * (1 + std::abs(at.intercept)));
  }
}

TEST_P(EveryStorage, DependentAndConstantIncludedColumnsAreSkipped) {
  Data data = random_data(3, ProblemSpec{.n = 30, .p = 4});
  data.append(scaled_copy(data, 1, -2.0));     // 4
  data.append(Vector::Constant(30, 0.1));      // 5
  data.append(data.X.col(1) + data.X.col(2));  // 6
  data.include = {1, 2, 4, 5};
  const OwnedProblem problem(data, GetParam());
  const Moments moments(problem);
  EXPECT_EQ(moments.included(), (std::vector<Index>{1, 2}));
  for (const Index j : {1, 2, 4, 5, 6}) EXPECT_FALSE(moments.eligible(j)) << j;
  for (const Index j : {0, 3}) EXPECT_TRUE(moments.eligible(j)) << j;
  for (Index j = 0; j < 7; ++j) EXPECT_EQ(moments.constant(j), j == 5) << j;
  expect_moments_of(moments, data);
}

TEST_P(EveryStorage, ATargetThatIncludedColumnsExplainLeavesNothing) {
  Data data = random_data(3, ProblemSpec{.n = 30, .p = 5, .mean = 2});
  data.y = 2 * data.X.col(1) - data.X.col(3) + Vector::Constant(30, 0.3);
  data.include = {1, 3};
  const OwnedProblem problem(data, GetParam());
  const Moments moments(problem);
  EXPECT_EQ(moments.yty(), 0.0);
  EXPECT_EQ(moments.xty().cwiseAbs().maxCoeff(), 0.0);
  EXPECT_NEAR(moments.target_square(), 1.0, 1e-12);
}

TEST_P(EveryStorage, ValuesThatAreNotFiniteAreNamed) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const Index row : {0, 7, 19}) {
      Data data = random_data(5, ProblemSpec{.n = 20, .p = 5});
      data.X(row, 3) = bad;
      const OwnedProblem problem(data, GetParam());
      try {
        const Moments moments(problem);
        FAIL() << "accepted";
      } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("x4"), std::string::npos) << text;
        EXPECT_NE(text.find(std::to_string(row + 1)), std::string::npos) << text;
      }
    }
    Data data = random_data(5, ProblemSpec{.n = 20, .p = 5});
    data.y[11] = bad;
    const OwnedProblem problem(data, GetParam());
    try {
      const Moments moments(problem);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("12"), std::string::npos) << error.what();
    }
  }
}

TEST_P(EveryStorage, TheBitsDoNotDependOnTheNumberOfThreads) {
  for (const Index n : {37, 3001}) {
    Data data = random_data(7, ProblemSpec{.n = n, .p = 150, .mean = 3});
    data.include = {3, 77};
    data.ridge = 0.5;
    const OwnedProblem problem(data, GetParam());
    std::vector<int> folds(n);
    for (Index i = 0; i < n; ++i) folds[i] = static_cast<int>(i % 4);
    for (const bool folded : {false, true}) {
      const std::span<const int> labels =
          folded ? std::span<const int>(folds) : std::span<const int>();
      const Moments one(problem, {.folds = labels, .control = {.threads = 1}});
      const Matrix G = full_gram(one);
      for (const int threads : {2, 3}) {
        const Moments many(problem, {.folds = labels, .control = {.threads = threads}});
        EXPECT_EQ(one.xty(), many.xty());
        EXPECT_EQ(one.yty(), many.yty());
        EXPECT_EQ(one.diagonal(), many.diagonal());
        EXPECT_EQ(G, full_gram(many));
        if (folded) {
          EXPECT_EQ(full_gram(one.without_fold(2)), full_gram(many.without_fold(2)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace lass0::testing
