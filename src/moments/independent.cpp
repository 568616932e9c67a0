#include "moments/independent.hpp"

#include <algorithm>

#include "util/memory.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// The lowest index among the candidates whose unexplained part is within a factor of two of the
// largest: near enough to full pivoting to reveal the rank, and it keeps the first of several equal
// columns.
Index choose_pivot(const Vector& unexplained, const std::vector<char>& taken) {
  double largest = 0;
  for (Index j = 0; j < unexplained.size(); ++j) {
    if (!taken[static_cast<std::size_t>(j)]) largest = std::max(largest, unexplained[j]);
  }
  for (Index j = 0; j < unexplained.size(); ++j) {
    if (!taken[static_cast<std::size_t>(j)] && unexplained[j] > 0.5 * largest) return j;
  }
  return -1;
}

}  // namespace

IndependentColumns independent_columns(const Moments& moments, Columns candidates,
                                       double tolerance) {
  std::vector<Index> columns(candidates.begin(), candidates.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());

  IndependentColumns result;
  std::erase_if(columns, [&](Index j) {
    if (!moments.eligible(j)) result.dropped.push_back(j);
    return !moments.eligible(j);
  });
  const Index m = std::ssize(columns);
  Matrix G = allocate_matrix(m, m, "the Gram matrix of the start support");
  moments.gram_block(columns, columns, G);
  // Unexplained parts are relative to each column's own square, so that scales don't matter.
  Vector unexplained(m), squares(m);
  for (Index j = 0; j < m; ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    squares[j] = moments.squares()[column];
    unexplained[j] = moments.diagonal()[column] / squares[j];
  }
  std::vector<char> taken(static_cast<std::size_t>(m), 0);
  Matrix L(m, 0);  // one column per pivot: the part of all candidates that it explains
  Index rank = 0;
  for (;;) {
    const Index pivot = choose_pivot(unexplained, taken);
    if (pivot < 0 || unexplained[pivot] <= tolerance) break;
    if (rank == L.cols()) L.conservativeResize(m, std::min(m, 2 * rank + 16));
    Vector column = G.col(pivot);
    if (rank > 0) column.noalias() -= L.leftCols(rank) * L.row(pivot).head(rank).transpose();
    column /= std::sqrt(std::max(column[pivot], tolerance * squares[pivot]));
    L.col(rank++) = column;
    unexplained.array() -= column.array().square() / squares.array();
    taken[static_cast<std::size_t>(pivot)] = 1;
  }
  for (Index j = 0; j < m; ++j) {
    auto& list = taken[static_cast<std::size_t>(j)] ? result.kept : result.dropped;
    list.push_back(columns[static_cast<std::size_t>(j)]);
  }
  std::sort(result.dropped.begin(), result.dropped.end());
  return result;
}

bool all_independent(const Cholesky& factor, const Vector& squares) {
  if (!factor.positive_definite()) return false;
  const Vector kept = factor.pivots() / squares.array();
  if (!(kept.array() > kAliasTolerance).all()) return false;
  // What a column leaves unexplained by the others is det(G) over the determinant without it, and
  // that one is at most the product of the squares.
  if (kept.prod() > kAliasTolerance) return true;
  return (factor.inverse_diagonal().array() * squares.array() < 1 / kAliasTolerance).all();
}

}  // namespace lass0
