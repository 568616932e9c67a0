// Every storage gives the same products, squares, columns and values as loops over a dense copy in
// long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <lass0/error.hpp>
#include <limits>

#include "support/oracles.hpp"
#include "support/random_problem.hpp"

namespace lass0::testing {
namespace {

struct Case {
  Matrix X;
  RowMatrix V;
  Vector centre;   // one per column of X
  Vector weights;  // one per row
  std::vector<int> labels;
};

Case random_case(std::uint64_t seed, Storage storage, Index n, Index p, Index m, int groups) {
  Rng rng(seed);
  Case c;
  c.X.resize(n, p);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i) c.X(i, j) = rng.chance(0.5) ? 0 : rng.normal();
  c.X = held_by(storage, c.X);
  c.V.resize(n, m);
  for (Index i = 0; i < n; ++i)
    for (Index l = 0; l < m; ++l) c.V(i, l) = rng.normal();
  c.centre.resize(p);
  for (Index j = 0; j < p; ++j) c.centre[j] = rng.chance(0.3) ? 0 : rng.normal();
  c.weights.resize(n);
  for (Index i = 0; i < n; ++i) c.weights[i] = rng.chance(0.2) ? 0 : rng.uniform(0, 3);
  c.labels.resize(static_cast<std::size_t>(n));
  for (int& label : c.labels) label = static_cast<int>(rng.below(groups));
  for (int g = 0; g < groups && g < n; ++g) c.labels[g] = g;  // every group has a row
  return c;
}

// |got - want| within a few roundings of the sum of the absolute terms.
void expect_sum(double got, Real want, Real absolute_sum, Index terms) {
  const Real tolerance = 4e-16L * (4 + std::sqrt(Real(terms))) * absolute_sum;
  EXPECT_NEAR(got, static_cast<double>(want), static_cast<double>(tolerance));
}

void check_products(const Design& design, const Case& c, Index first, Index count,
                    const RowGroups& groups) {
  const Index n = c.X.rows(), m = c.V.cols();
  const Vector centre = c.centre.segment(first, count);
  Matrix out = Matrix::Constant(count, groups.count * m, 1e300);
  design.products(first, count, centre, groups, c.V, out);
  for (Index j = 0; j < count; ++j) {
    for (Index g = 0; g < groups.count; ++g) {
      for (Index l = 0; l < m; ++l) {
        Real want = 0, absolute = 0;
        for (Index i = 0; i < n; ++i) {
          if (groups.count > 1 && c.labels[i] != g) continue;
          const Real x = c.X(i, first + j);
          want += (x - centre[j]) * c.V(i, l);
          absolute += (std::abs(x) + std::abs(centre[j])) * std::abs(c.V(i, l));
        }
        expect_sum(out(j, g * m + l), want, absolute, n);
      }
    }
  }
}

void check_squares(const Design& design, const Case& c, Index first, Index count,
                   const RowGroups& groups) {
  const Index n = c.X.rows();
  const Vector centre = c.centre.segment(first, count);
  Matrix out = Matrix::Constant(count, groups.count, 1e300);
  design.squares(first, count, centre, groups, c.weights, out);
  for (Index j = 0; j < count; ++j) {
    for (Index g = 0; g < groups.count; ++g) {
      Real want = 0;
      for (Index i = 0; i < n; ++i)
        if (groups.count == 1 || c.labels[i] == g)
          want += c.weights[i] * std::pow(Real(c.X(i, first + j)) - centre[j], 2);
      expect_sum(out(j, g), want, want + std::pow(Real(centre[j]), 2) * c.weights.sum(), n);
    }
  }
}

RowGroups groups_of(const Case& c, int groups) {
  return groups == 1 ? RowGroups::single() : RowGroups::from_labels(c.labels);
}

class EveryStorage : public ::testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Designs, EveryStorage, ::testing::ValuesIn(kAllStorages),
                         [](const auto& one) { return to_string(one.param); });

TEST_P(EveryStorage, ProductsAndSquaresEqualLoops) {
  std::uint64_t seed = 1;
  for (const Index n : {1, 2, 7, 33, 130, 517}) {
    for (const Index m : {1, 2, 5, 17}) {
      for (const int groups : {1, 2, 5}) {
        if (groups > n) continue;
        const Case c = random_case(++seed, GetParam(), n, 11, m, groups);
        const OwnedDesign design(c.X, GetParam());
        SCOPED_TRACE(::testing::Message() << "n=" << n << " m=" << m << " groups=" << groups);
        check_products(*design, c, 0, 11, groups_of(c, groups));
        check_squares(*design, c, 0, 11, groups_of(c, groups));
      }
    }
  }
}

TEST_P(EveryStorage, AnyBlockOfColumnsEqualsLoops) {
  const Case c = random_case(77, GetParam(), 41, 37, 3, 4);
  const OwnedDesign design(c.X, GetParam());
  for (const int groups : {1, 4})
    for (Index first = 0; first <= 37; first += 3)
      for (Index count = 0; first + count <= 37; count += 4) {
        SCOPED_TRACE(::testing::Message() << "first=" << first << " count=" << count);
        check_products(*design, c, first, count, groups_of(c, groups));
        check_squares(*design, c, first, count, groups_of(c, groups));
      }
}

TEST_P(EveryStorage, ManyRowsAndColumnsEqualLoops) {
  for (const int groups : {1, 10}) {
    const Case c = random_case(78, GetParam(), 5003, 67, 2, groups);
    const OwnedDesign design(c.X, GetParam());
    check_products(*design, c, 0, 67, groups_of(c, groups));
    check_squares(*design, c, 0, 67, groups_of(c, groups));
  }
}

// V may be a block of a wider matrix (stride > m) and `out` a block of a taller one.
TEST_P(EveryStorage, StridesOfViewsAreRespected) {
  const Case c = random_case(79, GetParam(), 29, 13, 3, 2);
  const OwnedDesign design(c.X, GetParam());
  RowMatrix wide = RowMatrix::Constant(29, 8, std::numeric_limits<double>::quiet_NaN());
  wide.middleCols(2, 3) = c.V;
  for (const int groups : {1, 2}) {
    Matrix plain(13, 3 * groups), tall = Matrix::Constant(20, 3 * groups, 7.0);
    design.get()->products(0, 13, c.centre, groups_of(c, groups), c.V, plain);
    design.get()->products(0, 13, c.centre, groups_of(c, groups), wide.middleCols(2, 3),
                           tall.middleRows(4, 13));
    EXPECT_LT((plain - tall.middleRows(4, 13)).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_TRUE((tall.topRows(4).array() == 7.0).all() &&
                (tall.bottomRows(3).array() == 7.0).all());
  }
}

TEST_P(EveryStorage, TheSameCallGivesTheSameBits) {
  const Case c = random_case(80, GetParam(), 301, 23, 4, 3);
  const OwnedDesign design(c.X, GetParam());
  for (const int groups : {1, 3}) {
    Matrix once(23, 4 * groups), again(23, 4 * groups);
    (*design).products(0, 23, c.centre, groups_of(c, groups), c.V, once);
    (*design).products(0, 23, c.centre, groups_of(c, groups), c.V, again);
    EXPECT_EQ(once, again);
  }
}

TEST_P(EveryStorage, AddColumnAndValueEqualTheMatrix) {
  const Case c = random_case(81, GetParam(), 38, 9, 1, 1);
  const OwnedDesign design(c.X, GetParam());
  EXPECT_EQ((*design).rows(), 38);
  EXPECT_EQ((*design).cols(), 9);
  for (Index j = 0; j < 9; ++j) {
    Vector out = c.weights;
    (*design).add_column(j, -1.75, out);
    EXPECT_LT((out - (c.weights - 1.75 * c.X.col(j))).cwiseAbs().maxCoeff(), 1e-14);
    for (Index i = 0; i < 38; ++i) EXPECT_EQ((*design).value(i, j), c.X(i, j));
  }
  Vector row(6);
  (*design).row(11, 2, row);
  EXPECT_EQ(row, c.X.row(11).segment(2, 6).transpose());
}

TEST_P(EveryStorage, ProductsWithoutCentresEqualLoops) {
  std::uint64_t seed = 90;
  for (const Index n : {1, 7, 130, 517}) {
    for (const Index m : {1, 2, 8}) {
      Case c = random_case(++seed, GetParam(), n, 11, m, 1);
      c.centre.setZero();
      const OwnedDesign design(c.X, GetParam());
      SCOPED_TRACE(::testing::Message() << "n=" << n << " m=" << m);
      check_products(*design, c, 0, 11, RowGroups::single());
      check_products(*design, c, 3, 5, RowGroups::single());
    }
  }
}

TEST_P(EveryStorage, ColumnsByTheirNonzerosEqualTheMatrix) {
  const Case c = random_case(82, GetParam(), 38, 9, 1, 1);
  const OwnedDesign design(c.X, GetParam());
  for (Index j = 0; j < 9; ++j) {
    const std::optional<SparseColumn> column = (*design).sparse_column(j);
    ASSERT_EQ(column.has_value(), is_sparse(GetParam()));
    if (!column) continue;
    ASSERT_EQ(column->rows.size(), column->values.size());
    for (std::size_t k = 1; k < column->rows.size(); ++k)
      EXPECT_LT(column->rows[k - 1], column->rows[k]);
    Vector out = Vector::Zero(38);
    for (std::size_t k = 0; k < column->rows.size(); ++k) {
      EXPECT_NE(column->values[k], 0.0);
      out[column->rows[k]] = column->values[k];
    }
    EXPECT_EQ(out, c.X.col(j));
  }
}

class EveryStorageOfNumbers : public ::testing::TestWithParam<Storage> {};
INSTANTIATE_TEST_SUITE_P(Designs, EveryStorageOfNumbers, ::testing::ValuesIn(kStorages),
                         [](const auto& one) { return to_string(one.param); });

// A column of mean 1e8 and deviation 1, centred near its mean, has products as exact as those of
// the deviations.
TEST_P(EveryStorageOfNumbers, LargeMeansKeepTheirDigits) {
  Rng rng(5);
  const Index n = 1000;
  Matrix X(n, 3);
  RowMatrix V(n, 2);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 3; ++j) X(i, j) = 1e8 + rng.normal();
    V(i, 0) = rng.normal();
    V(i, 1) = X(i, 0) - 1e8;
  }
  const Vector centre = X.colwise().mean();
  std::vector<int> labels(n);
  for (Index i = 0; i < n; ++i) labels[i] = static_cast<int>(i % 2);
  const OwnedDesign design(X, GetParam());
  for (const bool folded : {false, true}) {
    const RowGroups groups = folded ? RowGroups::from_labels(labels) : RowGroups::single();
    Matrix out(3, 2 * groups.count), squares(3, groups.count);
    (*design).products(0, 3, centre, groups, V, out);
    (*design).squares(0, 3, centre, groups, Vector::Ones(n), squares);
    for (Index j = 0; j < 3; ++j) {
      for (Index g = 0; g < groups.count; ++g) {
        Real want[2] = {0, 0}, absolute[2] = {0, 0}, square = 0;
        for (Index i = 0; i < n; ++i) {
          if (folded && labels[i] != g) continue;
          const Real d = Real(X(i, j)) - centre[j];
          square += d * d;
          for (int l = 0; l < 2; ++l) {
            want[l] += d * V(i, l);
            absolute[l] += std::abs(d * V(i, l));
          }
        }
        EXPECT_NEAR(squares(j, g), static_cast<double>(square),
                    1e-13 * static_cast<double>(square));
        for (int l = 0; l < 2; ++l)
          EXPECT_NEAR(out(j, g * 2 + l), static_cast<double>(want[l]),
                      1e-13 * static_cast<double>(absolute[l]));
      }
    }
  }
}

TEST(RowGroups, FromLabelsSortsRowsByGroupStably) {
  const std::vector<int> labels = {2, 0, 1, 0, 2, 2, 0};
  const RowGroups groups = RowGroups::from_labels(labels);
  EXPECT_EQ(groups.count, 3);
  EXPECT_EQ(groups.of_row, (std::vector<std::int32_t>{2, 0, 1, 0, 2, 2, 0}));
  EXPECT_EQ(groups.order, (std::vector<Index>{1, 3, 6, 2, 0, 4, 5}));
  EXPECT_EQ(groups.start, (std::vector<Index>{0, 3, 4, 7}));
}

TEST(RowGroups, NegativeLabelsAreRefused) {
  EXPECT_THROW(RowGroups::from_labels(std::vector<int>{0, -1, 1}), Error);
}

class SparseChecks : public ::testing::Test {
 protected:
  void expect_refused(std::vector<std::int64_t> start, std::vector<std::int32_t> rows,
                      std::vector<double> values) {
    EXPECT_THROW(SparseDesign(3, 2, start, rows, values), Error);
  }
};

TEST_F(SparseChecks, GoodIndicesAreAccepted) {
  const std::vector<std::int64_t> start = {0, 2, 3};
  const std::vector<std::int32_t> rows = {0, 2, 1};
  const std::vector<double> values = {1, 2, 3};
  const SparseDesign design(3, 2, start, rows, values);
  EXPECT_EQ(design.nonzeros(), 3);
  EXPECT_EQ(design.value(2, 0), 2);
  EXPECT_EQ(design.value(1, 0), 0);
}

TEST_F(SparseChecks, BadIndicesAreRefused) {
  expect_refused({0, 2, 3}, {0, 3, 1}, {1, 2, 3});   // row too large
  expect_refused({0, 2, 3}, {-1, 2, 1}, {1, 2, 3});  // row negative
  expect_refused({0, 2, 3}, {2, 0, 1}, {1, 2, 3});   // rows not ascending
  expect_refused({0, 2, 3}, {1, 1, 1}, {1, 2, 3});   // the same row twice
  expect_refused({0, 4, 3}, {0, 2, 1}, {1, 2, 3});   // starts not ascending
  expect_refused({0, 2, 4}, {0, 2, 1}, {1, 2, 3});   // more than there are values
  expect_refused({0, 2, 2}, {0, 2, 1}, {1, 2, 3});   // fewer than there are values
  expect_refused({1, 2, 3}, {0, 2, 1}, {1, 2, 3});   // does not begin at 0
  expect_refused({0, 2}, {0, 2}, {1, 2});            // a start too few
  expect_refused({0, 2, 3}, {0, 2, 1}, {1, 2});      // rows and values differ in number
}

TEST(DenseChecks, NonsenseSizesAreRefused) {
  const std::vector<double> data(12);
  EXPECT_THROW(DenseDesign(data.data(), 4, 3, 3), Error);  // the stride is shorter than a column
  EXPECT_THROW(DenseDesign(data.data(), -1, 3, 4), Error);
}

}  // namespace
}  // namespace lass0::testing
