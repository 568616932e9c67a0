#include "glm/panel_curvature.hpp"

#include <algorithm>
#include <cmath>

#include "util/blas.hpp"

namespace lass0 {
namespace {

// Root mean square change of predictions up to which sums of curvatures over rows stay close enough
// to rank moves, which are then judged by exact fits.
constexpr double kLittleChange = 0.4;
// Rows that are looked at together: their part of the panel stays in the cache.
constexpr Index kBlockOfRows = 512;
// Where products are estimated: from this many rows per column, in groups of this many that are
// next to each other.
constexpr Index kRowsPerColumn = 64, kGroup = 32;
// Curvatures that are kept: each has two numbers per row.
constexpr std::size_t kMostKnown = 6;

// C += sum of M_i z_i z_i' over these rows, its lower triangle.
class Products {
 public:
  Products(const Panel& panel, const Vector& M)
      : panel_(panel),
        M_(M),
        first_(panel.rows().problem().intercept ? 1 : 0),
        A_(std::min(M.size(), kBlockOfRows), first_ + panel.size()),
        C_(Matrix::Zero(A_.cols(), A_.cols())) {}

  void add_rows(Index begin, Index count) {
    while (count > 0) {
      const Index fit = std::min(count, A_.rows() - filled_);
      copy(begin, fit);
      begin += fit;
      count -= fit;
      if (filled_ == A_.rows()) flush();
    }
  }
  Matrix take() {
    flush();
    C_.triangularView<Eigen::StrictlyUpper>() = C_.transpose();
    return std::move(C_);
  }

 private:
  void copy(Index begin, Index count) {
    const Vector roots = M_.segment(begin, count).cwiseSqrt();
    if (first_ > 0) A_.col(0).segment(filled_, count) = roots;
    const auto Z = panel_.matrix();
    for (Index l = 0; l < Z.cols(); ++l)
      A_.col(first_ + l).segment(filled_, count) =
          Z.col(l).segment(begin, count).cwiseProduct(roots);
    filled_ += count;
  }
  void flush() {
    if (C_.rows() > 0)
      blas::add_lower_square(C_.rows(), filled_, A_.data(), A_.rows(), C_.data(), C_.rows());
    filled_ = 0;
  }

  const Panel& panel_;
  const Vector& M_;
  const Index first_;
  Matrix A_;
  Index filled_ = 0;
  Matrix C_;
};

}  // namespace

Matrix weighted_products(const Panel& panel, const Vector& M) {
  Products products(panel, M);
  products.add_rows(0, M.size());
  return products.take();
}

Matrix estimated_products(const Panel& panel, const Vector& M) {
  const Index n = M.size(), first = panel.rows().problem().intercept ? 1 : 0;
  const Index groups = kRowsPerColumn * (first + panel.size()) / kGroup;
  if (n < 2 * groups * kGroup) return weighted_products(panel, M);
  // One group of each of equal parts of the rows; where in it varies without a period.
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double part = static_cast<double>(n - kGroup) / static_cast<double>(groups);
  Products products(panel, M);
  Vector squares = Vector::Zero(first + panel.size());
  for (Index g = 0; g < groups; ++g) {
    const double turns = kGoldenRatio * static_cast<double>(g);
    const auto begin =
        static_cast<Index>(part * (static_cast<double>(g) + turns - std::floor(turns)));
    products.add_rows(begin, kGroup);
    const auto w = panel.rows().case_weights().segment(begin, kGroup);
    if (first > 0) squares[0] += w.sum();
    squares.tail(panel.size()) +=
        panel.matrix().middleRows(begin, kGroup).cwiseAbs2().transpose() * w;
  }
  Matrix C = products.take();
  // The squares of all columns by the case weights alone are known.
  Vector scale(squares.size());
  if (first > 0) scale[0] = panel.rows().weight();
  for (Index l = 0; l < panel.size(); ++l)
    scale[first + l] = panel.rows().square(panel.columns()[static_cast<std::size_t>(l)]);
  for (Index c = 0; c < scale.size(); ++c)
    scale[c] = squares[c] > 0 ? std::sqrt(scale[c] / squares[c]) : 0;
  return scale.asDiagonal() * C * scale.asDiagonal();
}

NearbyFits::NearbyFits(const GlmRows& rows, const GlmFit& at) : eta_(at.eta) {
  const auto curvature = rows.loss().curvature(rows.response(), at.eta);
  const Vector* M = curvature->diagonal();
  M_ = M ? *M : curvature->times(Vector::Ones(rows.rows()));
}

bool NearbyFits::holds_at(const GlmFit& fit, double most) const {
  return M_.dot((fit.eta - eta_).cwiseAbs2()) <= most * most * M_.sum();
}

PanelCurvature::PanelCurvature(const Panel& panel, const GlmFit& at)
    : nearby_(panel.rows(), at), columns_(panel.size()) {
  const GlmRows& rows = panel.rows();
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0, d = first + columns_;
  const auto curvature = rows.loss().curvature(rows.response(), at.eta);
  if (curvature->diagonal()) {
    C_ = weighted_products(panel, nearby_.curvature());
    return;
  }
  Matrix A(n, d);
  if (first > 0) A.col(0).setOnes();
  A.rightCols(columns_) = panel.matrix();
  C_.resize(d, d);
  for (Index c = 0; c < d; ++c) C_.col(c) = A.transpose() * curvature->times(A.col(c));
}

bool PanelCurvature::holds_at(const Panel& panel, const GlmFit& fit) const {
  return panel.size() == columns_ && nearby_.holds_at(fit, kLittleChange);
}

const PanelCurvature& KnownCurvatures::near(const Panel& panel, const GlmFit& fit) {
  for (const PanelCurvature& one : known_) {
    if (one.holds_at(panel, fit)) return one;
  }
  if (known_.size() == kMostKnown) known_.pop_front();
  return known_.emplace_back(panel, fit);
}

}  // namespace lass0
