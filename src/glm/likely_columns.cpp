#include "glm/likely_columns.hpp"

#include <algorithm>

#include "glm/move_scores.hpp"

namespace lass0 {
namespace {

// For each column that is asked for, this many are scored: a column that a fit explains in good
// part is correlated with the residual less than its gain is worth.
constexpr Index kScoredPerColumn = 4;

// Nothing is explained but by the intercept, which columns are orthogonal to.
bool is_null(const GlmRows& rows, const GlmFit& fit) {
  return fit.support.empty() && rows.included().empty();
}

// Z'u for all columns: a pass over X, unless the sums of the target know them.
Vector residual_products(const GlmRows& rows, const GlmFit& fit) {
  const bool is_mean = rows.problem().intercept && rows.problem().offset.empty();
  if (!is_null(rows, fit) || !is_mean)
    return rows.products(rows.loss().residual(rows.response(), fit.eta)).col(0);
  const Moments& base = rows.base();
  Vector r(rows.cols());
  for (Index j = 0; j < r.size(); ++j)
    r[j] = base.xty()[j] * base.target_scale() * base.column_scale(j) * rows.unit(j);
  return r;
}

// Those with the largest gains if the curvature were the same in all rows and the fit explained
// nothing of a column.
std::vector<Index> best_correlated(const GlmRows& rows, const GlmFit& fit, Index count) {
  const Vector r = residual_products(rows, fit);
  Vector gains(rows.cols());
  std::vector<Index> columns;
  for (Index j = 0; j < rows.cols(); ++j) {
    if (!rows.eligible(j) || std::binary_search(fit.support.begin(), fit.support.end(), j))
      continue;
    gains[j] = r[j] * r[j] / (rows.square(j) + rows.ridge());
    columns.push_back(j);
  }
  const auto best = columns.begin() + std::min(count, std::ssize(columns));
  std::partial_sort(columns.begin(), best, columns.end(), [&](Index a, Index b) {
    return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
  });
  columns.erase(best, columns.end());
  return columns;
}

}  // namespace

std::vector<Index> likely_columns(const GlmRows& rows, const GlmFit& fit, Index count) {
  const bool null = is_null(rows, fit);
  const std::vector<Index> correlated =
      best_correlated(rows, fit, null ? count : kScoredPerColumn * count);
  if (null) return correlated;
  Panel few(rows);
  few.add(fit.support);
  few.add(correlated);
  const MoveScores scores(few, fit, MoveScores::Among::panel);
  if (!scores.valid())
    return {correlated.begin(), correlated.begin() + std::min(count, std::ssize(correlated))};
  std::vector<Index> best;
  for (const Step& add : scores.adds(count)) best.push_back(add.add);
  return best;
}

}  // namespace lass0
