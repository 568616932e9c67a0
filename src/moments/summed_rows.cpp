#include "moments/summed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "util/blas.hpp"
#include "util/memory.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// S = L L' for a correlation matrix S of which the lower triangle is given: Cholesky with pivots,
// which ends where what is left is rounding. L has a column for each pivot, and the rows of S.
Matrix pivoted_cholesky(const Matrix& S, Index most) {
  const Index q = S.rows();
  std::vector<Index> order(static_cast<std::size_t>(q));
  std::iota(order.begin(), order.end(), Index{0});
  Vector left = S.diagonal();
  Matrix L = allocate_matrix(q, std::min(most, q), "the rows of a fold's sums");
  Vector row(q);
  Index rank = 0;
  for (; rank < L.cols(); ++rank) {
    Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > kNothingOfSums)) break;
    const double root = std::sqrt(left[pivot]);
    auto column = L.col(rank);
    column.head(pivot) = S.row(pivot).head(pivot).transpose();
    column.tail(q - pivot) = S.col(pivot).tail(q - pivot);
    row.head(rank) = L.row(pivot).head(rank).transpose();
    if (rank > 0) blas::add_times(q, rank, -1.0, L.data(), q, row.data(), column.data());
    column /= root;
    for (Index j = 0; j < q; ++j) {
      if (left[j] < 0)
        column[j] = 0;  // a pivot before
      else
        left[j] = std::max(0.0, left[j] - column[j] * column[j]);
    }
    column[pivot] = root;
    left[pivot] = -1;
  }
  return L.leftCols(rank);
}

}  // namespace

Matrix rows_of_sums(const FoldSum& sum, const Vector& centre) {
  const Index q = centre.size();
  if (sum.rows == 0) return Matrix(0, q);
  Vector scale = sum.squares.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Index j = 0; j < q; ++j)  // constant in this fold, but for the rounding of its mean
    if (scale[j] <= kConstantDeviation * std::sqrt(sum.weight) * std::abs(sum.mean[j]))
      scale[j] = 0;
  const Vector unit = (scale.array() > 0).select(scale.cwiseInverse(), 0.0);
  Matrix S = sum.squares;
  for (Index j = 0; j < q; ++j) S.col(j) = S.col(j).cwiseProduct(unit) * unit[j];
  const Matrix L = pivoted_cholesky(S, sum.rows - 1);
  const Index r = L.cols();
  const double size = std::sqrt(static_cast<double>(r + 1) / sum.weight);
  Matrix rows(r + 1, q);
  for (Index j = 0; j < q; ++j) {
    // Q are Helmert's contrasts: the k-th is 1 in the rows before row k, -k in it, and 0 below it.
    double later = 0;
    for (Index i = r; i >= 0; --i) {
      double value = later;
      if (i > 0) {
        const double k = static_cast<double>(i), entry = L(j, i - 1) / std::sqrt(k * (k + 1));
        value -= k * entry;
        later += entry;
      }
      rows(i, j) = centre[j] + (sum.mean[j] + size * scale[j] * value);
    }
  }
  return rows;
}

}  // namespace lass0
