#include "glm/panel_curvature.hpp"

#include <algorithm>

#include "util/blas.hpp"

namespace lass0 {
namespace {

// Root mean square change of predictions up to which curvatures of rows change by a few percent:
// enough to rank moves, which are then judged by exact fits.
constexpr double kLittleChange = 0.25;
// Rows that are looked at together: their part of the panel stays in the cache.
constexpr Index kBlockOfRows = 512;

}  // namespace

PanelCurvature::PanelCurvature(const Panel& panel, const GlmFit& at)
    : eta_(at.eta), columns_(panel.size()) {
  const GlmRows& rows = panel.rows();
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0, d = first + columns_;
  const auto curvature = rows.loss().curvature(rows.response(), at.eta);
  const auto Z = panel.matrix();
  C_ = Matrix::Zero(d, d);
  if (const Vector* M = curvature->diagonal()) {
    M_ = *M;
    const Vector root = M_.cwiseSqrt();
    Matrix A(std::min(n, kBlockOfRows), d);
    for (Index begin = 0; begin < n; begin += kBlockOfRows) {
      const Index count = std::min(kBlockOfRows, n - begin);
      const auto weights = root.segment(begin, count);
      if (first > 0) A.col(0).head(count) = weights;
      for (Index l = 0; l < columns_; ++l)
        A.col(first + l).head(count) = Z.col(l).segment(begin, count).cwiseProduct(weights);
      if (d > 0) blas::add_lower_square(d, count, A.data(), A.rows(), C_.data(), d);
    }
    C_.triangularView<Eigen::StrictlyUpper>() = C_.transpose();
    return;
  }
  M_ = curvature->times(Vector::Ones(n));
  Matrix A(n, d);
  if (first > 0) A.col(0).setOnes();
  A.rightCols(columns_) = Z;
  for (Index c = 0; c < d; ++c) C_.col(c) = A.transpose() * curvature->times(A.col(c));
}

bool PanelCurvature::holds_at(const Panel& panel, const GlmFit& fit) const {
  if (panel.size() != columns_) return false;
  const double change = M_.dot((fit.eta - eta_).cwiseAbs2());
  return change <= kLittleChange * kLittleChange * M_.sum();
}

}  // namespace lass0
