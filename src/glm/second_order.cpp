#include "glm/second_order.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace lass0 {
namespace {

// Of the largest curvature: rows that are predicted without a doubt would have no weight, and a
// target out of any range.
constexpr double kLeastCurvature = 1e-6;

}  // namespace

SecondOrder::SecondOrder(const Panel& panel, const GlmFit& at, const Control& control)
    : panel_(panel) {
  const GlmRows& rows = panel.rows();
  const Vector curvature = *rows.loss().curvature(rows.response(), at.eta)->diagonal();
  const bool null = at.support.empty() && rows.included().empty() && rows.problem().intercept &&
                    rows.problem().offset.empty();
  if (null)
    use_base(at, curvature.sum() / rows.weight());
  else
    use_rows(at, curvature, control);
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

void SecondOrder::use_rows(const GlmFit& at, const Vector& curvature, const Control& control) {
  const GlmRows& rows = panel_.rows();
  weights_ = curvature.cwiseMax(kLeastCurvature * curvature.maxCoeff());
  y_ = at.eta - rows.offset() +
       rows.loss().residual(rows.response(), at.eta).cwiseQuotient(weights_);
  include_.resize(rows.included().size());
  std::iota(include_.begin(), include_.end(), 0);  // they stand first in the panel
  const auto Z = panel_.matrix();
  design_.emplace(Z.data(), Z.rows(), Z.cols(), Z.rows());
  const auto span_of = [](const Vector& v) {
    return std::span(v.data(), static_cast<std::size_t>(v.size()));
  };
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

std::vector<Index> SecondOrder::columns_of(Columns places) const {
  std::vector<Index> columns;
  for (const Index l : places) columns.push_back(panel_.columns()[static_cast<std::size_t>(l)]);
  std::sort(columns.begin(), columns.end());
  return columns;
}

GlmStart SecondOrder::start(const std::vector<Index>& support) const {
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
  start.b = target_ * Eigen::LLT<Matrix>(G).solve(c).cwiseQuotient(scales);
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
  const Vector b = Eigen::LLT<Matrix>(G).solve(c);
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
