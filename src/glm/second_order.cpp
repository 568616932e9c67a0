#include "glm/second_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "glm/panel_curvature.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"
#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Of the largest curvature: rows that are predicted without a doubt would have no weight, and a
// target out of any range.
constexpr double kLeastCurvature = 1e-6;
// From this many rows per column on, the products of all pairs of columns stand for the rows.
constexpr Index kManyRows = 4;

Vector at_least(const Vector& curvature) {
  return curvature.cwiseMax(kLeastCurvature * curvature.maxCoeff());
}

std::span<const double> span_of(const Vector& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// R with R'R = C; columns that depend on those before them add no row.
Matrix root_of(Matrix C) {
  const Index m = C.rows();
  const Vector squares = C.diagonal();
  Matrix L = Matrix::Zero(m, m);
  for (Index l = 0; l < m; ++l) {
    if (!(C(l, l) > kAliasTolerance * squares[l])) continue;
    L.col(l).tail(m - l) = C.col(l).tail(m - l) / std::sqrt(C(l, l));
    for (Index c = l + 1; c < m; ++c) C.col(c).tail(m - c) -= L(c, l) * L.col(l).tail(m - c);
  }
  return L.transpose();
}

}  // namespace

SecondOrder::SecondOrder(const Panel& panel, const GlmFit& at, bool roughly, const Control& control)
    : panel_(panel) {
  const GlmRows& rows = panel.rows();
  Vector u(rows.rows()), curvature(rows.rows());
  rows.loss().evaluate(rows.response(), at.eta, u, curvature);
  const bool null = at.support.empty() && rows.included().empty() && rows.problem().intercept &&
                    rows.problem().offset.empty() && rows.cols() <= kAllInPanel;
  if (null) {
    use_base(at, curvature.sum() / rows.weight());
  } else if (rows.included().empty() && rows.rows() >= kManyRows * panel.size()) {
    weights_ = at_least(curvature);
    use_products(at, u,
                 roughly ? estimated_products(panel, weights_) : weighted_products(panel, weights_),
                 control);
  } else {
    use_rows(at, u, curvature, control);
  }
}

SecondOrder::SecondOrder(const Panel& panel, const GlmFit& at, const PanelCurvature& nearby,
                         const Control& control)
    : panel_(panel) {
  const GlmRows& rows = panel.rows();
  Vector u(rows.rows()), curvature(rows.rows());
  rows.loss().evaluate(rows.response(), at.eta, u, curvature);
  weights_ = at_least(curvature);
  use_products(at, u, nearby.matrix(), control);
}

// With the curvature c of all rows, the target eta + u / (c w) is (y - mean) / c and the intercept.
void SecondOrder::use_base(const GlmFit& at, double curvature) {
  const GlmRows& rows = panel_.rows();
  moments_.emplace(rows.base().with_ridge(rows.ridge() / curvature).among(panel_.columns()));
  target_ = moments_->target_scale() / std::sqrt(curvature);
  level_ = at.intercept;
  total_ = curvature * rows.weight();
  means_ = Vector::Zero(panel_.size());
  scales_.resize(panel_.size());
  for (Index l = 0; l < panel_.size(); ++l) {
    const Index j = panel_.columns()[static_cast<std::size_t>(l)];
    scales_[l] = std::sqrt(curvature) * rows.base().column_scale(j) * rows.unit(j);
  }
}

void SecondOrder::use_rows(const GlmFit& at, const Vector& u, const Vector& curvature,
                           const Control& control) {
  const GlmRows& rows = panel_.rows();
  weights_ = at_least(curvature);
  y_ = at.eta - rows.offset() + u.cwiseQuotient(weights_);
  include_.resize(rows.included().size());
  std::iota(include_.begin(), include_.end(), 0);  // they stand first in the panel
  const auto Z = panel_.matrix();
  design_.emplace(Z.data(), Z.rows(), Z.cols(), Z.rows());
  problem_ = {.design = &*design_,
              .y = span_of(y_),
              .weights = span_of(weights_),
              .intercept = rows.problem().intercept,
              .standardize = false,
              .include = include_,
              .ridge = rows.ridge()};
  moments_.emplace(problem_, MomentsOptions{.control = control});
  target_ = moments_->target_scale();
  total_ = weights_.sum();
  level_ = problem_.intercept ? weights_.dot(y_) / total_ : 0;
  means_ = Vector::Zero(panel_.size());
  scales_.resize(panel_.size());
  for (Index l = 0; l < panel_.size(); ++l) {
    scales_[l] = moments_->column_scale(l);
    if (problem_.intercept) means_[l] = moments_->mean(l);
  }
}

// The same problem with one row per column, from its sums of products, and one more for what no
// column explains.
void SecondOrder::use_products(const GlmFit& at, const Vector& u, const Matrix& C,
                               const Control& control) {
  const GlmRows& rows = panel_.rows();
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0, m = panel_.size();
  // Of y, the target of the rows: what the fit predicts, and u / M.
  Vector gradient(first + m), b = Vector::Zero(first + m);
  if (first > 0) gradient[0] = u.sum();
  blas::transposed_times(m, 1, n, panel_.matrix().data(), n, u.data(), n, gradient.data() + first,
                         m);
  if (first > 0) b[0] = at.intercept;
  for (std::size_t l = 0; l < at.support.size(); ++l)
    b[first + panel_.place(at.support[l])] = at.b[static_cast<Index>(l)];
  const Vector predicted = C * b, products = predicted + gradient;
  double square =
      b.dot(predicted) + 2 * b.dot(gradient) + (u.array().square() / weights_.array()).sum();
  products_ = products;
  H_ = C;
  H_.diagonal().tail(m).array() += rows.ridge();
  Vector c = products.tail(m);
  Matrix centred = C.bottomRightCorner(m, m);
  total_ = weights_.sum();
  means_ = Vector::Zero(m);
  if (first > 0) {
    total_ = C(0, 0);
    level_ = products[0] / total_;
    means_ = C.col(0).tail(m) / total_;
    centred -= total_ * means_ * means_.transpose();
    c -= total_ * level_ * means_;
    square -= total_ * level_ * level_;
  }
  few_rows_ = Matrix::Zero(m + 1, m);
  few_rows_.topRows(m) = root_of(std::move(centred));
  y_ = Vector::Zero(m + 1);
  for (Index l = 0; l < m; ++l) {
    if (few_rows_(l, l) > 0)
      y_[l] = (c[l] - few_rows_.col(l).head(l).dot(y_.head(l))) / few_rows_(l, l);
  }
  y_[m] = std::sqrt(std::max(0.0, square - y_.squaredNorm()));
  design_.emplace(few_rows_.data(), m + 1, m, m + 1);
  problem_ = {.design = &*design_,
              .y = span_of(y_),
              .intercept = false,
              .standardize = false,
              .ridge = rows.ridge()};
  moments_.emplace(problem_, MomentsOptions{.control = control});
  target_ = moments_->target_scale();
  scales_.resize(m);
  for (Index l = 0; l < m; ++l) scales_[l] = moments_->column_scale(l);
}

std::vector<Index> SecondOrder::columns_of(Columns places) const {
  std::vector<Index> columns;
  for (const Index l : places) columns.push_back(panel_.columns()[static_cast<std::size_t>(l)]);
  std::sort(columns.begin(), columns.end());
  return columns;
}

GlmStart SecondOrder::start(const std::vector<Index>& support) const {
  if (H_.size() > 0) return start_by_products(support);
  if (!include_.empty()) return start_with_included(support);
  const Index k = std::ssize(support), first = panel_.rows().problem().intercept ? 1 : 0;
  std::vector<Index> places;
  for (const Index j : support) places.push_back(panel_.place(j));
  Matrix G(k, k);
  moments_->gram_block(places, places, G);
  Vector c(k), scales(k), means(k);
  for (Index l = 0; l < k; ++l) {
    const Index place = places[static_cast<std::size_t>(l)];
    c[l] = moments_->xty()[place];
    scales[l] = scales_[place];
    means[l] = means_[place];
  }
  GlmStart start;
  start.b = target_ * Cholesky(G).solve(c).cwiseQuotient(scales);
  start.intercept = level_ - means.dot(start.b);
  start.H.resize(first + k, first + k);
  start.H.bottomRightCorner(k, k) = scales.asDiagonal() * G * scales.asDiagonal();
  if (first > 0) {
    start.H(0, 0) = total_;
    start.H.col(0).tail(k) = total_ * means;
    start.H.bottomRightCorner(k, k) += total_ * means * means.transpose();
  }
  return start;
}

GlmStart SecondOrder::start_by_products(const std::vector<Index>& support) const {
  const Index first = panel_.rows().problem().intercept ? 1 : 0;
  std::vector<Index> places(static_cast<std::size_t>(first), 0);
  for (const Index j : support) places.push_back(first + panel_.place(j));
  GlmStart start;
  start.H = H_(places, places);
  const Vector b = Cholesky(start.H).solve(products_(places));
  if (first > 0) start.intercept = b[0];
  start.b = b.tail(b.size() - first);
  return start;
}

// The moments project the included columns out, so their curvature is not known here.
GlmStart SecondOrder::start_with_included(const std::vector<Index>& support) const {
  const Index k = std::ssize(support), q = std::ssize(include_);
  std::vector<Index> places;
  for (const Index j : support) places.push_back(panel_.place(j));
  std::vector<Index> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  Matrix G(k, k);
  moments_->gram_block(sorted, sorted, G);
  Vector c(k);
  for (Index l = 0; l < k; ++l) c[l] = moments_->xty()[sorted[static_cast<std::size_t>(l)]];
  const Vector b = Cholesky(G).solve(c);
  const Iterate at = moments_->model(sorted, b);
  // at.support: the included places, then the sorted ones; the support is in another order.
  GlmStart start{.intercept = at.intercept, .b = Vector::Zero(q + k)};
  for (std::size_t l = 0; l < at.support.size(); ++l) {
    const Index place = at.support[l];
    const Index to =
        place < q ? place : q + (std::find(places.begin(), places.end(), place) - places.begin());
    start.b[to] = at.coefficients[static_cast<Index>(l)];
  }
  return start;
}

}  // namespace lass0
