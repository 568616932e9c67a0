#include "exact/glm_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// A dual point that leaves the domain is tried again with half of the step, this often.
constexpr int kMostHalvings = 3;
// What is left of z_j'u by rounding is multiplied by a coefficient of a model: at most this, times
// the standard deviation of the column.
constexpr double kLargestCoefficient = 1e3;
// Of the diagonal, where the classes are separated and the curvature is nearly gone.
constexpr double kDamping = 1e-6;

// Z'MZ, and MZ.
Matrix weighted_gram(const Curvature& curvature, const Matrix& Z, Matrix& MZ) {
  const Index n = Z.rows(), d = Z.cols();
  Matrix G = Matrix::Zero(d, d);
  if (const Vector* M = curvature.diagonal()) {
    MZ.noalias() = M->cwiseSqrt().asDiagonal() * Z;
    blas::add_lower_square(d, n, MZ.data(), n, G.data(), d);
    MZ.noalias() = M->asDiagonal() * Z;
  } else {
    MZ.resize(n, d);
    for (Index c = 0; c < d; ++c) MZ.col(c) = curvature.times(Z.col(c));
    G.noalias() = Z.transpose() * MZ;
  }
  G.triangularView<Eigen::StrictlyUpper>() = G.transpose();
  return G;
}

}  // namespace

GlmStart BoundedFit::start_without(Index place) const {
  const Index first = H.rows() - fit.b.size(), before = fit.b.size() - std::ssize(fit.support);
  const Index i = before + place;  // in fit.b
  const double step = fit.b[i] / H(first + i, first + i);
  const Vector moved = fit.b - step * H.col(first + i).tail(fit.b.size());
  GlmStart start;
  start.intercept = fit.intercept - (first > 0 ? step * H(0, first + i) : 0);
  start.b.resize(moved.size() - 1);
  start.b << moved.head(i), moved.tail(moved.size() - i - 1);
  return start;
}

GlmBounds::GlmBounds(Panel& panel)
    : panel_(panel),
      rows_(panel.rows()),
      newton_(panel),
      first_(rows_.problem().intercept ? 1 : 0),
      ridge_(rows_.ridge()) {
  least_ = 2 * dual_value(Vector::Zero(rows_.rows()));
  null_loss_ = newton_.fit({}).loss;
}

double GlmBounds::dual_value(const Vector& u) const {
  return rows_.loss().dual(rows_.response(), u) - u.dot(rows_.offset());
}

Matrix GlmBounds::columns_of(const std::vector<Index>& support) const {
  const std::vector<Index>& included = rows_.included();
  Matrix Z(rows_.rows(), first_ + std::ssize(included) + std::ssize(support));
  if (first_ > 0) Z.col(0).setOnes();
  Index c = first_;
  for (const auto* list : {&included, &support}) {
    for (const Index j : *list)
      Z.col(c++) = Eigen::Map<const Vector>(panel_.column(j), rows_.rows());
  }
  return Z;
}

BoundedFit GlmBounds::fit(std::vector<Index> support, const GlmStart* start) const {
  BoundedFit at;
  at.fit = newton_.fit(std::move(support), start);
  at.lower = least_;
  const Index k = std::ssize(at.fit.support);
  at.worth = at.share = at.order = Vector::Zero(k);
  if (at.fit.state == GlmFit::State::dependent) return at;

  const Matrix Z = columns_of(at.fit.support);
  const Index n = Z.rows(), d = Z.cols(), free = d - k;
  if (d == 0) {  // the offset alone
    at.lower = at.fit.loss;
    at.regular = true;
    return at;
  }
  Vector b(d);
  if (first_ > 0) b[0] = at.fit.intercept;
  b.tail(d - first_) = at.fit.b;
  Vector ridge = Vector::Constant(d, ridge_);
  ridge.head(first_).setZero();

  Matrix MZ;
  Matrix G = weighted_gram(*rows_.loss().curvature(rows_.response(), at.fit.eta), Z, MZ);
  G.diagonal() += ridge;
  const Vector diagonal = G.diagonal();
  if (!at.fit.fitted()) G.diagonal() += kDamping * diagonal;
  const Cholesky factor(std::move(G));
  if (!factor.positive_definite()) return at;
  at.H = factor.inverse();
  for (Index i = 0; i < k; ++i) at.order[i] = b[free + i] * b[free + i] / at.H(free + i, free + i);
  const double inflation = at.H.diagonal().cwiseProduct(diagonal).maxCoeff();
  if (!at.fit.fitted() || !(inflation < kFewDigitsLeft)) return at;

  // The residual, with the last of its products with the columns taken out.
  Vector u = rows_.loss().residual(rows_.response(), at.fit.eta);
  for (int pass = 0; pass < 2; ++pass) {
    const Vector g = Z.transpose() * u - ridge.cwiseProduct(b);
    const Vector step = at.H * g;
    u -= MZ * step;
    b += step;
  }
  const Vector products = Z.transpose() * u;
  double value = dual_value(u);
  for (Index j = 0; j < d; ++j)
    value -= ridge[j] > 0 ? 0.5 * products[j] * products[j] / ridge[j]
                          : kLargestCoefficient * std::abs(products[j]);
  if (!std::isfinite(value)) return at;
  at.lower = std::max(at.lower, std::min(2 * value, at.fit.loss));
  at.regular = true;
  at.share = ridge_ * b.tail(k).cwiseAbs2();

  // All directions MZ H_.i / H_ii at once.
  Matrix scaled = at.H.rightCols(k);
  for (Index i = 0; i < k; ++i) scaled.col(i) *= b[free + i] / at.H(free + i, free + i);
  Matrix moves(n, k);
  if (k > 0) blas::product(n, k, d, MZ.data(), n, scaled.data(), d, moves.data(), n);
  for (Index i = 0; i < k; ++i) {
    double t = 1, best = value + 0.5 * at.share[i];
    for (int halvings = 0; halvings <= kMostHalvings; ++halvings, t /= 2) {
      double without = dual_value(u + t * moves.col(i));
      if (!std::isfinite(without)) continue;
      for (Index j = 0; j < d; ++j) {
        if (j == free + i) continue;
        const double left = b[j] - t * scaled(j, i);
        without -= ridge[j] > 0 ? 0.5 * ridge[j] * left * left
                                : kLargestCoefficient * std::abs(products[j]);
      }
      best = std::max(best, without);
      break;
    }
    at.worth[i] = std::max(0.0, 2 * best - at.lower);
  }
  at.order = at.worth;
  return at;
}

std::vector<double> GlmBounds::by_size(Columns columns, const GlmFit& at, Index max_size) const {
  std::vector<double> lower(static_cast<std::size_t>(max_size) + 1, least_);
  lower[0] = fit({}).lower;
  if (!has_ridge() || !at.fitted()) return lower;
  Vector u = rows_.loss().residual(rows_.response(), at.eta);
  // Orthogonal to the intercept: by rows in proportion to their curvature, so that all stay within
  // the domain.
  if (first_ > 0) {
    const Vector M =
        rows_.loss().curvature(rows_.response(), at.eta)->times(Vector::Ones(u.size()));
    u -= M * (u.sum() / M.sum());
  }
  double value = dual_value(u) - (first_ > 0 ? kLargestCoefficient * std::abs(u.sum()) : 0);
  if (!std::isfinite(value)) return lower;
  const Matrix g = rows_.products(u);
  for (const Index j : rows_.included()) value -= 0.5 * g(j, 0) * g(j, 0) / ridge_;
  std::vector<double> squares;
  for (const Index j : columns) squares.push_back(g(j, 0) * g(j, 0) / ridge_);
  std::sort(squares.begin(), squares.end(), std::greater<>());
  value *= 2;
  for (std::size_t s = 0; s < lower.size(); ++s) {
    if (s > 0) value -= s <= squares.size() ? squares[s - 1] : 0;
    lower[s] = std::max(lower[s], value);
  }
  return lower;
}

Dependency find_dependency(const Panel& panel, Columns fixed, Columns free) {
  const GlmRows& rows = panel.rows();
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0;
  std::vector<Index> columns(rows.included());
  columns.insert(columns.end(), fixed.begin(), fixed.end());
  const Index decided = first + std::ssize(columns);
  columns.insert(columns.end(), free.begin(), free.end());
  Matrix Q(n, first + std::ssize(columns));
  if (first > 0) Q.col(0).setOnes();
  for (Index c = first; c < Q.cols(); ++c)
    Q.col(c) =
        Eigen::Map<const Vector>(panel.column(columns[static_cast<std::size_t>(c - first)]), n);
  const Vector root = rows.case_weights().cwiseSqrt();
  Q = root.asDiagonal() * Q;
  Matrix R = Matrix::Identity(Q.cols(), Q.cols());  // Q = (the columns) R^-1, unit diagonal
  for (Index c = 0; c < Q.cols(); ++c) {
    const double square = Q.col(c).squaredNorm();
    Vector parts = Vector::Zero(c);
    for (int pass = 0; pass < 2; ++pass) {  // the second takes out what rounding left
      const Vector more = Q.leftCols(c).transpose() * Q.col(c);
      Q.col(c) -= Q.leftCols(c) * more;
      parts += more;
    }
    const double left = Q.col(c).squaredNorm();
    if (left <= kAliasTolerance * square) {
      // The coefficients of this column on those before it.
      Dependency found{.none = false, .columns = {}};
      const Vector b = R.topLeftCorner(c, c).triangularView<Eigen::Upper>().solve(parts);
      for (Index a = decided; a < c; ++a) {
        const Index j = columns[static_cast<std::size_t>(a - first)];
        const double size =
            std::abs(b[a]) * root.cwiseProduct(Eigen::Map<const Vector>(panel.column(j), n)).norm();
        if (size > kInDependency * std::sqrt(square)) found.columns.push_back(j);
      }
      if (c >= decided) found.columns.push_back(columns[static_cast<std::size_t>(c - first)]);
      return found;
    }
    R.col(c).head(c) = parts;
    R(c, c) = std::sqrt(left);
    Q.col(c) /= R(c, c);
  }
  return {};
}

}  // namespace lass0
