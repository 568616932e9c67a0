#include "exact/glm_prove.hpp"

#include <algorithm>

#include "exact/glm_candidates.hpp"
#include "exact/prove_candidates.hpp"

namespace lass0 {
namespace {

std::vector<Index> ascending(Columns columns) {
  std::vector<Index> sorted(columns.begin(), columns.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// What is known of every size up to max_size without a search, from the fit on one support.
std::vector<double> plain_bounds(Panel& panel, const GlmFit& at, Index max_size) {
  return GlmBounds(panel).by_size(eligible_columns(panel.rows()), at, max_size);
}

}  // namespace

ProvenSupport glm_prove_at_lambda(Panel& panel, Columns best, double lambda,
                                  const Control& control) {
  const Budget budget(control);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  const auto candidates = glm_candidates_of(panel, budget, result.proof.status);
  if (candidates) return prove_at_lambda(*candidates, best, lambda, budget);
  const GlmFit at = Newton(panel).fit(ascending(best));
  result.objective = 0.5 * at.loss + lambda * static_cast<double>(best.size());
  result.lower_bound = result.objective;
  const std::vector<double> lower =
      plain_bounds(panel, at, std::ssize(eligible_columns(panel.rows())));
  for (std::size_t k = 0; k < lower.size(); ++k)
    result.lower_bound =
        std::min(result.lower_bound, 0.5 * lower[k] + lambda * static_cast<double>(k));
  return result;
}

ProvenSupport glm_prove_at_size(Panel& panel, Columns best, const Control& control) {
  const Budget budget(control);
  const GlmFit at = Newton(panel).fit(ascending(best));
  ProvenSupport result{{best.begin(), best.end()}, 0.5 * at.loss, 0, {}};
  const auto candidates = glm_candidates_of(panel, budget, result.proof.status);
  if (candidates) return prove_at_size(*candidates, best, result.objective, budget);
  result.lower_bound =
      std::min(result.objective, 0.5 * plain_bounds(panel, at, std::ssize(best)).back());
  return result;
}

Proof glm_prove_table(Panel& panel, SupportTable& table, std::optional<Index> max_k,
                      const Control& control) {
  const Budget budget(control);
  Proof proof;
  const auto candidates = glm_candidates_of(panel, budget, proof.status);
  if (candidates) return prove_table(*candidates, table, max_k, budget);
  const GlmBounds bounds(panel);
  const std::vector<Index> columns = eligible_columns(panel.rows());
  for (TableRow& row : table.rows) {
    const GlmFit at = bounds.fit_alone(row.support);
    row.lower_bound =
        std::min(row.loss, bounds.by_size(columns, at, std::ssize(row.support)).back());
  }
  return proof;
}

}  // namespace lass0
