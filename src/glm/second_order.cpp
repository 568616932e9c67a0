#include "glm/second_order.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
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
  const Response response = rows.response();
  weights_ = *rows.loss().curvature(response, at.eta)->diagonal();
  weights_ = weights_.cwiseMax(kLeastCurvature * weights_.maxCoeff());
  y_ = at.eta - rows.offset() + rows.loss().residual(response, at.eta).cwiseQuotient(weights_);
  include_.resize(rows.included().size());
  std::iota(include_.begin(), include_.end(), 0);  // they stand first in the panel
  const auto Z = panel.matrix();
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
}

std::vector<Index> SecondOrder::columns_of(Columns places) const {
  std::vector<Index> columns;
  for (const Index l : places) columns.push_back(panel_.columns()[static_cast<std::size_t>(l)]);
  std::sort(columns.begin(), columns.end());
  return columns;
}

GlmStart SecondOrder::start(const std::vector<Index>& support) const {
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
  GlmStart start{at.intercept, Vector::Zero(q + k)};
  for (std::size_t l = 0; l < at.support.size(); ++l) {
    const Index place = at.support[l];
    const Index to =
        place < q ? place : q + (std::find(places.begin(), places.end(), place) - places.begin());
    start.b[to] = at.coefficients[static_cast<Index>(l)];
  }
  return start;
}

}  // namespace lass0
