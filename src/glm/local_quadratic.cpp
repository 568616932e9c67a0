#include "glm/local_quadratic.hpp"

#include <algorithm>

#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

// Of the largest curvature: rows that are predicted without a doubt would leave columns without
// any, and steps without a bound.
constexpr double kLeastCurvature = 1e-6;

}  // namespace

LocalQuadratic::LocalQuadratic(const Panel& panel, double target_square)
    : panel_(panel),
      target_square_(target_square),
      first_(panel.rows().problem().intercept ? 1 : 0),
      free_(first_ + std::ssize(panel.rows().included())) {}

void LocalQuadratic::renew(const Vector& eta) {
  const GlmRows& rows = panel_.rows();
  M_ = *rows.loss().curvature(rows.response(), eta)->diagonal();
  M_ = M_.cwiseMax(kLeastCurvature * M_.maxCoeff());
  H_.resize(0, 0);
  grow();
}

void LocalQuadratic::grow() {
  const Index n = panel_.rows().rows(), m = panel_.size();
  const Index before = H_.rows(), after = first_ + m;
  if (before == after) return;
  Matrix H(after, after);
  H.topLeftCorner(before, before) = H_;
  // The columns that are new, times M, with all columns.
  const Index from = std::max<Index>(0, before - first_), fresh = m - from;
  const auto Z = panel_.matrix();
  const Matrix MZ = M_.asDiagonal() * Z.rightCols(fresh);
  Matrix products(m, fresh);
  blas::transposed_times(m, fresh, n, Z.data(), n, MZ.data(), n, products.data(), m);
  H.bottomRightCorner(m, fresh) = products;
  H.block(first_ + from, first_, fresh, m) = products.transpose();
  for (Index l = from; l < m; ++l) H(first_ + l, first_ + l) += panel_.rows().ridge();
  if (first_ > 0) {
    H(0, 0) = M_.sum();
    H.row(0).tail(fresh) = MZ.colwise().sum();
    H.col(0).tail(fresh) = H.row(0).tail(fresh).transpose();
  }
  H_ = std::move(H);
  project();
}

void LocalQuadratic::project() {
  const Index others = H_.rows() - free_;
  G_ = H_.bottomRightCorner(others, others);
  squares_ = G_.diagonal();
  U_ = H_.bottomLeftCorner(others, free_);
  if (free_ > 0) {
    L_ = Cholesky(H_.topLeftCorner(free_, free_)).L();
    blas::solve_lower_transposed_right(others, free_, L_.data(), free_, U_.data(), others);
    blas::add_product_transposed(others, others, free_, -1.0, U_.data(), others, U_.data(), others,
                                 G_.data(), others);
  }
  diagonal_ = G_.diagonal();
}

void LocalQuadratic::move_to(const Vector& b, const Vector& gradient) {
  b_ = b;
  free_gradient_ = gradient.head(free_);
  blas::lower_solve(free_, L_.data(), free_, free_gradient_.data());
  g_ = gradient.tail(G_.rows()) - U_ * free_gradient_;
  c_ = g_;
  blas::add_times(G_.rows(), G_.rows(), 1.0, G_.data(), G_.rows(), penalised(b).data(), c_.data());
}

Vector LocalQuadratic::all_coefficients(const Vector& penalised) const {
  Vector all = b_;
  const Vector change = penalised - this->penalised(b_);
  Vector step = free_gradient_ - U_.transpose() * change;
  blas::lower_transposed_solve(free_, L_.data(), free_, step.data());
  all.head(free_) += step;
  all.tail(penalised.size()) = penalised;
  return all;
}

const double* LocalQuadratic::column(Columns W, Index place, Vector& room) const {
  const Index j = W[static_cast<std::size_t>(place)];
  room.resize(std::ssize(W));
  for (Index i = 0; i < room.size(); ++i) room[i] = G_(W[static_cast<std::size_t>(i)], j);
  return room.data();
}

}  // namespace lass0
