#include "glm/predictions.hpp"

#include <algorithm>

#include "util/blas.hpp"

namespace lass0 {
namespace {

// Rows that are looked at together: their part of the panel stays in the cache.
constexpr Index kBlockOfRows = 256;

}  // namespace

void predict(const Panel& panel, GlmFit& fit) {
  const GlmRows& rows = panel.rows();
  if (fit.eta.size() == rows.rows()) return;
  fit.eta = rows.offset().array() + fit.intercept;
  Index c = 0;
  for (const auto* list : {&rows.included(), &std::as_const(fit.support)}) {
    for (const Index j : *list) blas::add(rows.rows(), fit.b[c++], panel.column(j), fit.eta.data());
  }
}

Matrix residual_products(const Panel& panel, std::span<GlmFit* const> fits) {
  const GlmRows& rows = panel.rows();
  const Index n = rows.rows(), m = panel.size(), count = std::ssize(fits);
  Matrix products = Matrix::Zero(m, count), B = Matrix::Zero(m, count);
  bool known = true;
  for (Index s = 0; s < count; ++s) {
    GlmFit& fit = *fits[static_cast<std::size_t>(s)];
    known = known && fit.eta.size() == n;
    fit.eta.conservativeResize(n);
    Index c = 0;
    for (const auto* list : {&rows.included(), &std::as_const(fit.support)}) {
      for (const Index j : *list) B(panel.place(j), s) = fit.b[c++];
    }
  }
  if (count == 0) return products;
  const auto Z = panel.matrix();
  Matrix eta(std::min(n, kBlockOfRows), count), U(eta.rows(), count);
  Vector M(eta.rows());
  for (Index begin = 0; begin < n; begin += kBlockOfRows) {
    const Index some = std::min(kBlockOfRows, n - begin);
    const Response response = rows.response().rows(begin, some);
    if (!known && m > 0)
      blas::product(some, count, m, Z.data() + begin, n, B.data(), m, eta.data(), eta.rows());
    for (Index s = 0; s < count; ++s) {
      GlmFit& fit = *fits[static_cast<std::size_t>(s)];
      auto predicted = fit.eta.segment(begin, some);
      if (!known) {
        predicted = rows.offset().segment(begin, some).array() + fit.intercept;
        if (m > 0) predicted += eta.col(s).head(some);
      }
      rows.loss().evaluate(response, predicted, U.col(s).head(some), M.head(some));
    }
    if (m > 0)
      blas::add_transposed_times(m, count, some, Z.data() + begin, n, U.data(), U.rows(),
                                 products.data(), m);
  }
  return products;
}

}  // namespace lass0
