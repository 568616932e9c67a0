#include "glm/glm_lasso_gap.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// The residual less what the intercept and (without a ridge) the included columns still explain, in
// the metric of the curvature: like a Newton step it changes a residual in proportion to what it
// may be changed by, so u stays in the domain of the dual.
Vector projected_residual(const Panel& panel, const Vector& eta) {
  const GlmRows& rows = panel.rows();
  const Response response = rows.response();
  Vector u = rows.loss().residual(response, eta);
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0;
  const Index d = first + (rows.ridge() > 0 ? 0 : std::ssize(rows.included()));
  if (d == 0) return u;
  Matrix V(n, d);
  if (first > 0) V.col(0).setOnes();
  V.rightCols(d - first) = panel.matrix().leftCols(d - first);
  const auto curvature = rows.loss().curvature(response, eta);
  Matrix MV(n, d);
  for (Index c = 0; c < d; ++c) MV.col(c) = curvature->times(V.col(c));
  const Eigen::LLT<Matrix> factor(V.transpose() * MV);
  // Twice: once leaves what rounding made of it.
  for (int time = 0; time < 2; ++time) u -= MV * factor.solve(V.transpose() * u);
  return u;
}

// The dual at alpha u, z_j'u given.
double dual_value(const GlmRows& rows, double lambda, double alpha, const Vector& u,
                  const Vector& gradient) {
  const double ridge = rows.ridge();
  double value = rows.loss().dual(rows.response(), alpha * u) - alpha * u.dot(rows.offset());
  if (ridge == 0) return value;
  const std::vector<Index>& included = rows.included();
  for (Index j = 0; j < rows.cols(); ++j) {
    const bool free = std::binary_search(included.begin(), included.end(), j);
    if (!free && !rows.eligible(j)) continue;
    const double excess = std::max(0.0, alpha * std::abs(gradient[j]) - (free ? 0 : lambda));
    value -= excess * excess / (2 * ridge);
  }
  return value;
}

}  // namespace

GlmLassoGap glm_lasso_gap(const Panel& panel, double lambda, const Vector& b, const Vector& eta,
                          double value, double scale) {
  const GlmRows& rows = panel.rows();
  const Index m = panel.size(), q = std::ssize(rows.included());
  const Vector u = projected_residual(panel, eta);
  GlmLassoGap gap;
  gap.gradient = rows.products(RowMatrix(u)).col(0);
  double steepest = 0;
  for (Index j = 0; j < rows.cols(); ++j) {
    if (rows.eligible(j)) steepest = std::max(steepest, std::abs(gap.gradient[j]));
  }
  if (!(scale > 0)) return gap;
  if (lambda == 0) {
    double largest = 0;
    for (Index l = 0; l < m; ++l) {
      const Index j = panel.columns()[static_cast<std::size_t>(l)];
      const double g = gap.gradient[j] - rows.ridge() * b[b.size() - m + l];
      largest = std::max(largest, g * g / panel.matrix().col(l).squaredNorm());
    }
    gap.relative = largest / scale;
    return gap;
  }
  const double primal = value + lambda * b.tail(m - q).lpNorm<1>();
  const double shrunk = steepest > lambda ? lambda / steepest : 1;
  double dual = dual_value(rows, lambda, shrunk, u, gap.gradient);
  // A ridge lets z_j'u be above lambda, at a price.
  if (rows.ridge() > 0 && shrunk < 1)
    dual = std::max(dual, dual_value(rows, lambda, 1, u, gap.gradient));
  // A part of the domain that rounding left: no residual at all is always feasible.
  if (!std::isfinite(dual)) dual = dual_value(rows, lambda, 0, u, gap.gradient);
  gap.relative = std::max(0.0, primal - dual) / scale;
  return gap;
}

}  // namespace lass0
