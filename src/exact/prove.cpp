#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/prove.hpp>

#include "exact/least_squares_candidates.hpp"
#include "exact/prove_candidates.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {
namespace {

// What is known without a search, for too many columns: the loss of no column and of the best one;
// nothing of larger sizes. Internal units.
double plain_bound(const Moments& moments, Index size) {
  if (size == 0) return moments.yty();
  if (size > 1) return 0;
  double most = 0;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (!moments.eligible(j)) continue;
    most = std::max(most, moments.xty()[j] * moments.xty()[j] / moments.diagonal()[j]);
  }
  return moments.yty() - most;
}

double loss_of(const Moments& moments, Columns support) {
  return fit_support(moments, support).loss;
}

}  // namespace

void check_provable(const Problem& problem, Effort effort) {
  if (effort == Effort::quick)
    throw UsageError("a proof considers all columns: it works only with the full effort");
  if (has_signs(problem))
    throw UsageError("a proof does not work with sign constraints: remove one of the two");
}

ProvenSupport prove_at_lambda(const Moments& moments, Columns best, double lambda,
                              const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  const auto candidates = candidates_of(moments, budget, result.proof.status);
  if (!candidates) {
    const double size = static_cast<double>(best.size());
    result.objective = 0.5 * loss_of(moments, best) * unit + lambda * size;
    result.lower_bound = std::min({result.objective, 0.5 * plain_bound(moments, 0) * unit,
                                   0.5 * plain_bound(moments, 1) * unit + lambda, 2 * lambda});
    return result;
  }
  return prove_at_lambda(*candidates, best, lambda, budget);
}

ProvenSupport prove_at_size(const Moments& moments, Columns best, const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  result.objective = 0.5 * loss_of(moments, best) * unit;
  const auto candidates = candidates_of(moments, budget, result.proof.status);
  if (!candidates) {
    result.lower_bound =
        std::min(result.objective, 0.5 * plain_bound(moments, std::ssize(best)) * unit);
    return result;
  }
  return prove_at_size(*candidates, best, result.objective, budget);
}

Proof prove_table(const Moments& moments, SupportTable& table, std::optional<Index> max_k,
                  const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  Proof proof;
  const auto candidates = candidates_of(moments, budget, proof.status);
  if (!candidates) {
    for (TableRow& row : table.rows) {
      row.lower_bound = std::min(row.loss, plain_bound(moments, std::ssize(row.support)) * unit);
    }
    return proof;
  }
  return prove_table(*candidates, table, max_k, budget);
}

}  // namespace lass0
