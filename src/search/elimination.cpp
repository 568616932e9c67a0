#include "search/elimination.hpp"

#include <algorithm>
#include <lass0/search.hpp>

#include "search/support_state.hpp"
#include "util/blas.hpp"
#include "util/cholesky.hpp"

namespace lass0 {

bool eliminate(const Moments& moments, std::vector<Index> support, const Visit& visit) {
  Index k = std::ssize(support);
  const Index most = k;
  Matrix G(k, k);
  Vector c(k);
  moments.gram_block(support, support, G);
  for (Index i = 0; i < k; ++i) c[i] = moments.xty()[support[static_cast<std::size_t>(i)]];
  const Cholesky factor(std::move(G));
  const Vector squares = moments.squares()(support);
  if (!factor.positive_definite()) return false;
  Matrix H = factor.inverse();
  const auto inflation = H.diagonal().array() * squares.array();
  if (!(inflation < 1 / kAliasTolerance).all()) return false;
  Vector b = factor.solve(c);
  double loss = std::max(0.0, moments.yty() - c.dot(b));
  const bool sure = (inflation < kIllConditioned).all();
  for (;;) {
    if (!visit(support, loss, sure) || k == 0) return true;
    Index least = 0;
    for (Index i = 1; i < k; ++i) {
      if (b[i] * b[i] * H(least, least) < b[least] * b[least] * H(i, i)) least = i;
    }
    loss += b[least] * b[least] / H(least, least);
    const Vector shift = H.col(least).head(k) / H(least, least);
    b.head(k) -= b[least] * shift;
    blas::add_outer(k, k, -H(least, least), shift.data(), shift.data(), H.data(), most);
    // The last member takes the place that became free.
    --k;
    b[least] = b[k];
    H.col(least).head(k + 1) = H.col(k).head(k + 1);
    H.row(least).head(k + 1) = H.row(k).head(k + 1);
    support[static_cast<std::size_t>(least)] = support.back();
    support.pop_back();
  }
}

std::optional<SupportTable> eliminated_table(const Moments& moments) {
  std::vector<Index> all;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) all.push_back(j);
  }
  if (std::ssize(all) >= moments.rows()) return {};
  const double unit = moments.target_scale() * moments.target_scale();
  SupportTable table;
  const bool independent =
      eliminate(moments, all, [&](std::vector<Index> support, double loss, bool sure) {
        std::sort(support.begin(), support.end());
        if (!sure) loss = fit_support(moments, support).loss;
        table.rows.push_back({.support = std::move(support), .loss = loss * unit});
        return true;
      });
  if (!independent) return {};
  std::reverse(table.rows.begin(), table.rows.end());
  // To where the fit is perfect, to the last digits.
  const double least = kRoundingOfSums * moments.target_square() * unit;
  const auto end = std::find_if(table.rows.begin() + 1, table.rows.end(), [&](const TableRow& row) {
    return (&row - 1)->loss - row.loss <= std::max(least, kStrictImprovement * row.loss);
  });
  if (end != table.rows.end()) return {};
  return table;
}

}  // namespace lass0
