// Sums per fold against the definition in long double, and rows made from them.
#include <gtest/gtest.h>

#include "moments/summed_rows.hpp"
#include "support/random_problem.hpp"

namespace lass0 {
namespace {

using testing::Rng;

struct Rows {
  RowMatrix Z;
  std::vector<double> weights;
  std::vector<Index> fold;
};

Rows random_rows(Rng& rng, Index n, Index q, Index folds, double mean) {
  Rows rows{RowMatrix(n, q), {}, {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < q; ++j)
      rows.Z(i, j) =
          mean * static_cast<double>(j + 1) + rng.normal() + (j > 0 ? rows.Z(i, 0) - mean : 0);
    rows.weights.push_back(rng.chance(0.5) ? 1.0 : rng.uniform(0.1, 3));
    rows.fold.push_back(rng.below(folds));
  }
  return rows;
}

// Adds the rows first .. last - 1.
void add(FoldSums& sums, const Rows& rows, Index first, Index last, int threads = 1) {
  BlockColumns values;
  for (Index j = 0; j < rows.Z.cols(); ++j) {
    values.base.push_back(rows.Z.data() + first * rows.Z.cols() + j);
    values.step.push_back(rows.Z.cols());
  }
  std::vector<Index> places, fold;
  for (Index i = first; i < last; ++i) {
    places.push_back(i - first);
    fold.push_back(rows.fold[static_cast<std::size_t>(i)]);
  }
  sums.add(values, places, rows.weights.data() + first, fold, threads);
}

FoldSums sums_of(const Rows& rows, Index folds, Index block, int threads = 1) {
  FoldSums sums(rows.Z.cols(), folds);
  for (Index first = 0; first < rows.Z.rows(); first += block)
    add(sums, rows, first, std::min(rows.Z.rows(), first + block), threads);
  sums.flush(threads);
  return sums;
}

void expect_sums(const FoldSums& sums, const Rows& rows, double tolerance) {
  const Index q = rows.Z.cols();
  for (Index f = 0; f < sums.folds(); ++f) {
    long double weight = 0;
    std::vector<long double> mean(static_cast<std::size_t>(q), 0);
    Index count = 0;
    for (Index i = 0; i < rows.Z.rows(); ++i) {
      if (rows.fold[static_cast<std::size_t>(i)] != f) continue;
      const long double w = rows.weights[static_cast<std::size_t>(i)];
      ++count;
      weight += w;
      for (Index j = 0; j < q; ++j) mean[static_cast<std::size_t>(j)] += w * rows.Z(i, j);
    }
    EXPECT_EQ(sums.fold(f).rows, count);
    if (count == 0) continue;
    EXPECT_NEAR(sums.fold(f).weight, static_cast<double>(weight),
                1e-12 * static_cast<double>(weight));
    for (long double& m : mean) m /= weight;
    for (Index a = 0; a < q; ++a) {
      for (Index b = 0; b <= a; ++b) {
        long double product = 0, size = 0;
        for (Index i = 0; i < rows.Z.rows(); ++i) {
          if (rows.fold[static_cast<std::size_t>(i)] != f) continue;
          const long double u = rows.Z(i, a) - mean[static_cast<std::size_t>(a)],
                            v = rows.Z(i, b) - mean[static_cast<std::size_t>(b)];
          product += rows.weights[static_cast<std::size_t>(i)] * u * v;
          size += rows.weights[static_cast<std::size_t>(i)] * std::abs(u * v);
        }
        EXPECT_NEAR(sums.fold(f).squares(a, b), static_cast<double>(product),
                    tolerance * static_cast<double>(size) + 1e-20)
            << "fold " << f << ", columns " << a << " and " << b;
      }
    }
  }
}

TEST(FoldSums, AreThoseOfTheDefinitionWhateverTheMeans) {
  Rng rng(1);
  for (const double mean : {0.0, 1e6, 1e8}) {
    for (const auto& [n, q, folds] :
         {std::tuple<Index, Index, Index>{1300, 7, 3}, {900, 70, 2}, {40, 5, 30}}) {
      const Rows rows = random_rows(rng, n, q, folds, mean);
      expect_sums(sums_of(rows, folds, 137), rows, mean > 1e7 ? 1e-9 : 1e-11);
    }
  }
}

TEST(FoldSums, HaveTheSameBitsForAnyBlocksAndThreads) {
  Rng rng(2);
  const Rows rows = random_rows(rng, 2500, 80, 3, 5);
  const FoldSums once = sums_of(rows, 3, 2500), often = sums_of(rows, 3, 1),
                 threads = sums_of(rows, 3, 211, 4);
  for (Index f = 0; f < 3; ++f) {
    for (const FoldSums* other : {&often, &threads}) {
      EXPECT_EQ(once.fold(f).mean, other->fold(f).mean);
      EXPECT_EQ(once.fold(f).squares, other->fold(f).squares);
    }
  }
}

TEST(FoldSums, OfPartsAddUpInAnyOrder) {
  Rng rng(3);
  Rows rows = random_rows(rng, 3000, 6, 2, 1e6);
  for (Index i = 0; i < 3000; ++i) rows.Z(i, 2) += static_cast<double>(i / 1000) * 1e4;  // a drift
  const auto part = [&](Index first) {
    FoldSums sums(6, 2);
    add(sums, rows, first, first + 1000);
    sums.flush(1);
    return sums;
  };
  const std::vector<Index> same = {0, 1};
  FoldSums left = part(0), right = part(1000), tail = part(2000);
  left.merge(right, same, 1);
  left.merge(tail, same, 1);
  expect_sums(left, rows, 1e-10);
  FoldSums other = part(0);
  right.merge(tail, same, 1);
  right.merge(other, same, 1);
  expect_sums(right, rows, 1e-10);
}

TEST(FoldSums, ThatLeaveTheRangeOfDoublesAreNamed) {
  for (const double size : {1e200, 1e-200}) {
    Rows rows{RowMatrix::Random(50, 3), std::vector<double>(50, 1.0), std::vector<Index>(50, 0)};
    rows.Z.col(1) *= size;
    EXPECT_EQ(sums_of(rows, 1, 50).extreme_column(), 1);
  }
  Rows rows{RowMatrix::Random(50, 3), std::vector<double>(50, 1.0), std::vector<Index>(50, 0)};
  rows.Z.col(1).setConstant(3);
  EXPECT_EQ(sums_of(rows, 1, 50).extreme_column(), -1);
}

TEST(SummedRows, HaveTheSumsOfTheFold) {
  Rng rng(4);
  for (const Index n : {1, 2, 5, 60}) {
    const Rows rows = random_rows(rng, n, 9, 1, 20);
    const FoldSums sums = sums_of(rows, 1, n);
    const Matrix made = rows_of_sums(sums.fold(0), sums.centre());
    EXPECT_LE(made.rows(), std::min<Index>(n, 10));
    Rows again{made,
               std::vector<double>(static_cast<std::size_t>(made.rows()),
                                   sums.fold(0).weight / static_cast<double>(made.rows())),
               std::vector<Index>(static_cast<std::size_t>(made.rows()), 0)};
    const FoldSums back = sums_of(again, 1, made.rows());
    const Vector mean = sums.centre() + sums.fold(0).mean;
    EXPECT_LT((back.centre() + back.fold(0).mean - mean).norm(), 1e-12 * mean.norm());
    const double size = sums.fold(0).squares.diagonal().maxCoeff();
    EXPECT_LT((back.fold(0).squares - sums.fold(0).squares).norm(), 1e-12 * size + 1e-20);
  }
}

TEST(SummedRows, KeepConstantColumnsAndExactRelations) {
  Rng rng(5);
  Rows rows = random_rows(rng, 200, 5, 1, 3);
  rows.Z.col(1).setConstant(7.25);
  rows.Z.col(4) = 2 * rows.Z.col(0) - rows.Z.col(2);
  const FoldSums sums = sums_of(rows, 1, 200);
  const Matrix made = rows_of_sums(sums.fold(0), sums.centre());
  EXPECT_EQ(made.rows(), 4);  // three independent columns
  EXPECT_TRUE((made.col(1).array() == 7.25).all());
  EXPECT_LT((made.col(4) - 2 * made.col(0) + made.col(2)).norm(), 1e-11);
}

}  // namespace
}  // namespace lass0
