#include "exact/subproblem.hpp"

#include <algorithm>
#include <limits>

#include "moments/independent.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// The loss of all columns together, and a dependency among them, by Cholesky with the best
// conditioned column next.
void resolve_dependency(const Vector& diagonal, Reduced& reduced) {
  const Index f = std::ssize(reduced.free);
  Matrix S = reduced.G;
  Vector r = reduced.c;
  std::vector<Index> basis;
  std::vector<char> used(static_cast<std::size_t>(f), 0);
  reduced.loss_all = reduced.loss_in;
  Index extra = -1;  // the first column that the basis explains nearly or entirely
  for (;;) {
    Index next = -1;
    for (Index j = 0; j < f; ++j) {
      if (used[static_cast<std::size_t>(j)]) continue;
      if (next < 0 || S(j, j) * diagonal[next] > S(next, next) * diagonal[j]) next = j;
    }
    if (next < 0) break;
    if (extra < 0 && S(next, next) * kIllConditionedForProofs <= diagonal[next]) extra = next;
    if (S(next, next) <= kNothingLeft * diagonal[next]) break;
    if (extra < 0) basis.push_back(next);
    used[static_cast<std::size_t>(next)] = 1;
    const double pivot = S(next, next), b = r[next] / pivot;
    const Vector column = S.col(next);
    reduced.loss_all -= r[next] * b;
    r -= b * column;
    S.noalias() -= column * (column.transpose() / pivot);
  }
  reduced.loss_all = std::max(0.0, reduced.loss_all);
  if (extra < 0) extra = basis.back();  // near the border: no single step showed it
  std::erase(basis, extra);
  const Index k = std::ssize(basis);
  const Matrix G_BB = reduced.G(basis, basis);
  const Vector coefficients = Cholesky(G_BB).solve(reduced.G(basis, extra));
  reduced.circuit = {extra};
  for (Index i = 0; i < k; ++i) {
    const Index j = basis[static_cast<std::size_t>(i)];
    const double standardised =
        std::abs(coefficients[i]) * std::sqrt(reduced.G(j, j) / reduced.G(extra, extra));
    if (standardised > kInDependency) reduced.circuit.push_back(j);
  }
  const auto gain = [&](Index j) { return reduced.c[j] * reduced.c[j] / reduced.G(j, j); };
  std::sort(reduced.circuit.begin(), reduced.circuit.end(),
            [&](Index i, Index j) { return gain(i) != gain(j) ? gain(i) > gain(j) : i < j; });
}

}  // namespace

Reduced reduce(const FullGram& gram, const Subproblem& sub) {
  Reduced reduced;
  Vector c_I = gram.c(sub.in);
  Matrix W = gram.G(sub.in, sub.free);
  if (!sub.in.empty()) {
    const Cholesky inner(gram.G(sub.in, sub.in));
    if (!all_independent(inner, gram.square(sub.in))) return reduced;
    inner.solve_lower_in_place(c_I);
    inner.solve_lower_in_place(W);
  }
  reduced.feasible = true;
  reduced.loss_in = std::max(0.0, gram.total - c_I.squaredNorm());

  std::vector<Index> kept;  // positions in sub.free
  for (Index j = 0; j < std::ssize(sub.free); ++j) {
    const Index column = sub.free[static_cast<std::size_t>(j)];
    const double left = gram.G(column, column) - W.col(j).squaredNorm();
    if (left <= kAliasTolerance * gram.square[column]) continue;
    kept.push_back(j);
    reduced.free.push_back(column);
  }
  const Matrix W_kept = W(Eigen::all, kept);
  reduced.G = gram.G(reduced.free, reduced.free);
  reduced.G.noalias() -= W_kept.transpose() * W_kept;
  reduced.c = gram.c(reduced.free) - W_kept.transpose() * c_I;
  reduced.loss_all = reduced.loss_in;
  const Index f = std::ssize(kept);
  if (f == 0) return reduced;

  const Vector original = gram.square(reduced.free);
  const Cholesky factor(reduced.G);
  if (factor.positive_definite()) {
    reduced.H = factor.inverse();
    const Vector inflation = reduced.H.diagonal().array() * original.array();
    if ((inflation.array() <= kIllConditionedForProofs).all()) {
      reduced.regular = true;
      reduced.inflation = inflation.maxCoeff();
      reduced.b = factor.solve(reduced.c);
      reduced.b += factor.solve(reduced.c - reduced.G * reduced.b);
      reduced.loss_all = std::max(0.0, reduced.loss_in - reduced.c.dot(reduced.b));
      reduced.delta = Vector::Zero(f);
      if (!sub.delta.empty()) {
        reduced.delta = Eigen::Map<const Vector>(sub.delta.data(), std::ssize(sub.delta))(kept);
      }
      return reduced;
    }
  }
  resolve_dependency(original, reduced);
  return reduced;
}

double exact_loss(const FullGram& gram, const std::vector<Index>& support) {
  if (support.empty()) return gram.total;
  const Matrix G = gram.G(support, support);
  const Cholesky factor(G);
  if (!all_independent(factor, gram.square(support)))
    return std::numeric_limits<double>::infinity();
  const Vector c = gram.c(support);
  Vector b = factor.solve(c);
  b += factor.solve(c - G * b);
  // With the residual of the equations in it, so that an error in b counts only squared.
  return std::max(0.0, gram.total - c.dot(b) - b.dot(c - G * b));
}

}  // namespace lass0
