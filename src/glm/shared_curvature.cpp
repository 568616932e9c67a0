#include "glm/shared_curvature.hpp"

#include <algorithm>

#include "util/blas.hpp"

namespace lass0 {

SharedCurvature::SharedCurvature(const Panel& panel, std::span<const GlmFit* const> fits,
                                 Among among)
    : among_(among) {
  const GlmRows& rows = panel.rows();
  const Index n = rows.rows(), first = rows.problem().intercept ? 1 : 0;
  std::vector<Index> support;
  for (const GlmFit* fit : fits)
    support.insert(support.end(), fit->support.begin(), fit->support.end());
  std::sort(support.begin(), support.end());
  support.erase(std::unique(support.begin(), support.end()), support.end());
  const Index fixed = first + std::ssize(rows.included());
  for (const GlmFit* fit : fits) {
    std::vector<Index>& places = places_.emplace_back();
    for (Index c = 0; c < fixed; ++c) places.push_back(c);
    for (const Index j : fit->support) {
      const auto at = std::lower_bound(support.begin(), support.end(), j);
      places.push_back(fixed + (at - support.begin()));
    }
  }

  const Index d = fixed + std::ssize(support), count = std::ssize(fits);
  Matrix Z(n, d), MZ(n, d);
  if (first > 0) Z.col(0).setOnes();
  Index c = first;
  for (const auto* list : {&rows.included(), &std::as_const(support)}) {
    for (const Index j : *list) Z.col(c++) = Eigen::Map<const Vector>(panel.column(j), n);
  }
  const Response response = rows.response();
  const auto curvature = rows.loss().curvature(response, fits.front()->eta);
  const Vector* M = curvature->diagonal();
  for (c = 0; c < d; ++c) MZ.col(c) = M ? M->cwiseProduct(Z.col(c)) : curvature->times(Z.col(c));
  C_.resize(d, d);
  if (d > 0) blas::transposed_times(d, d, n, Z.data(), n, MZ.data(), n, C_.data(), d);

  Matrix V(n, d + count);
  V.leftCols(d) = MZ;
  for (Index s = 0; s < count; ++s)
    V.col(d + s) = rows.loss().residual(response, fits[static_cast<std::size_t>(s)]->eta);
  // Without a diagonal: the case weights bound nothing, but rank well enough for a first look.
  const Vector diagonal = M ? *M : curvature->times(Vector::Ones(n));
  Matrix P;
  if (among == Among::panel) {
    const auto all = panel.matrix();
    P.resize(panel.size(), V.cols());
    blas::transposed_times(panel.size(), V.cols(), n, all.data(), n, V.data(), n, P.data(),
                           panel.size());
    squares_.resize(panel.size());
    for (Index l = 0; l < panel.size(); ++l)
      squares_[l] = (diagonal.array() * all.col(l).array().square()).sum();
  } else {
    P = rows.products(V);
    squares_ = rows.squares(diagonal);
  }
  P_ = P.leftCols(d);
  R_ = P.rightCols(count);
}

}  // namespace lass0
