#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <lass0/prove.hpp>
#include <optional>

#include "exact/branch_and_bound.hpp"
#include "exact/candidates.hpp"
#include "search/state/support_state.hpp"
#include "search/table/envelope.hpp"

namespace lass0 {
namespace {

constexpr Index kAllSizesAtOnce = 45;

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

// Runs the search as far as it gets.
Proof run(BranchAndBound& search, const Budget& budget) {
  Proof proof;
  try {
    search.run();
  } catch (const Stop& stop) {
    proof.status = stop.status == Status::time_limit ? Status::gap : stop.status;
  }
  proof.nodes = search.nodes();
  proof.seconds = budget.seconds();
  return proof;
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
  BranchAndBound search(candidates->gram(),
                        Goal::at_lambda(lambda / unit, candidates->incumbent(best),
                                        candidates->count(), moments.target_square()),
                        candidates->everything(), control.threads, budget);
  result.proof = run(search, budget);
  result.support = candidates->columns(search.goal().best());
  result.objective = search.goal().objective() * unit;
  result.lower_bound = search.lower_bound() * unit;
  return result;
}

ProvenSupport prove_at_size(const Moments& moments, Columns best, const Control& control) {
  const Budget budget(control);
  const double unit = unit_of(moments);
  const Index k = std::ssize(best);
  ProvenSupport result{{best.begin(), best.end()}, 0, 0, {}};
  result.objective = 0.5 * loss_of(moments, best) * unit;
  const auto candidates = candidates_of(moments, budget, result.proof.status);
  if (!candidates) {
    result.lower_bound = std::min(result.objective, 0.5 * plain_bound(moments, k) * unit);
    return result;
  }
  std::vector<Incumbent> by_size(static_cast<std::size_t>(k) + 1);
  by_size.back() = candidates->incumbent(best);
  const double given = by_size.back().loss;
  BranchAndBound search(
      candidates->gram(),
      Goal::at_sizes(std::move(by_size), std::max(k, candidates->count()), moments.target_square()),
      candidates->everything(), control.threads, budget);
  result.proof = run(search, budget);
  const Incumbent& found = search.goal().best(k);
  if (found.loss < given && 0.5 * found.loss * unit < result.objective) {
    result.support = candidates->columns(found);
    result.objective = 0.5 * found.loss * unit;
  }
  result.lower_bound = std::min(result.objective, 0.5 * search.lower_bound(k) * unit);
  if (result.proof.status == Status::proven_optimal) result.lower_bound = result.objective;
  return result;
}

Proof prove_table(const Moments& moments, SupportTable& table, Index max_k,
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
  proof.status = Status::proven_optimal;
  std::vector<Incumbent> rows;
  for (const TableRow& row : table.rows) rows.push_back(candidates->incumbent(row.support));
  const Index count = max_k < 0 ? std::ssize(rows) : std::min(max_k + 1, std::ssize(rows));
  // Few columns: one search for all sizes visits each node once. Many: size by size, so that the
  // small ones, which are those that can be proven, don't wait for the others.
  const Index together = candidates->count() <= kAllSizesAtOnce ? count : 1;

  for (Index first = 0; first < count; first += together) {
    std::vector<Incumbent> aim(static_cast<std::size_t>(count));
    const auto begin = rows.begin() + first;
    std::copy(begin, begin + together, aim.begin() + first);
    BranchAndBound search(candidates->gram(),
                          Goal::at_sizes(std::move(aim), std::max(count - 1, candidates->count()),
                                         moments.target_square()),
                          candidates->everything(), control.threads, budget);
    const Proof part = run(search, budget);
    proof.nodes += part.nodes;
    proof.seconds = part.seconds;
    if (part.status != Status::proven_optimal) proof.status = part.status;
    for (Index k = first; k < first + together; ++k) {
      TableRow& row = table.rows[static_cast<std::size_t>(k)];
      const Incumbent& best = search.goal().best(k);
      if (best.loss < rows[static_cast<std::size_t>(k)].loss && best.loss * unit < row.loss) {
        row.support = candidates->columns(best);
        row.loss = best.loss * unit;
        row.swap_optimal = false;
      }
      const double lower = search.lower_bound(k);
      row.proven = lower >= best.loss;
      row.lower_bound = row.proven ? row.loss : std::min(row.loss, lower * unit);
      row.swap_optimal = row.swap_optimal || row.proven;
    }
  }
  find_lambda_ranges(table.rows);
  return proof;
}

}  // namespace lass0
