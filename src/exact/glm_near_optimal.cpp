#include "exact/glm_near_optimal.hpp"

#include <algorithm>

#include "exact/glm_candidates.hpp"
#include "exact/near_optimal_search.hpp"

namespace lass0 {
namespace {

NearOptimal search(Panel& panel, Columns best, std::optional<double> lambda,
                   const NearOptimalOptions& options, const Control& control) {
  const Budget budget(control);
  Status status{};
  const auto candidates = glm_candidates_of(panel, budget, status);
  std::vector<Index> support(best.begin(), best.end());
  std::sort(support.begin(), support.end());
  const double loss =
      candidates ? candidates->incumbent(best).loss : Newton(panel).fit(std::move(support)).loss;
  const double objective = 0.5 * loss + lambda.value_or(0) * static_cast<double>(best.size());
  const double distance = glm_distance_within(options.within, objective, lambda);
  if (!candidates) return near_optimal_unproven(panel.rows().base(), best, objective, distance);
  const Form form{.lambda = lambda, .size = std::ssize(best), .total = candidates->total()};
  return find_near_optimal(*candidates, form, best, distance, options, budget.remaining());
}

}  // namespace

NearOptimal glm_near_optimal_at_lambda(Panel& panel, Columns best, double lambda,
                                       const NearOptimalOptions& options, const Control& control) {
  return search(panel, best, lambda, options, control);
}

NearOptimal glm_near_optimal_of_size(Panel& panel, Columns best, const NearOptimalOptions& options,
                                     const Control& control) {
  return search(panel, best, std::nullopt, options, control);
}

double glm_distance_within(const Within& within, double objective, std::optional<double> lambda) {
  switch (within.kind) {
    case Within::Kind::objective:
      return within.value;
    case Within::Kind::share:
      return within.value * objective;
    case Within::Kind::automatic:
      break;
  }
  return lambda.value_or(kWithinLogLikelihood);
}

}  // namespace lass0
