#include "exact/prove_candidates.hpp"

#include <algorithm>

#include "exact/branch_and_bound.hpp"
#include "search/table/envelope.hpp"

namespace lass0 {
namespace {

constexpr Index kAllSizesAtOnce = 45;

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

ProvenSupport prove_at_lambda(const Candidates& candidates, Columns best, double lambda,
                              const Budget& budget) {
  const double unit = candidates.unit();
  BranchAndBound search(candidates.search(),
                        Goal::at_lambda(lambda / unit, candidates.incumbent(best),
                                        candidates.count(), candidates.total()),
                        candidates.everything(), budget.threads(), budget);
  ProvenSupport result;
  result.proof = run(search, budget);
  result.support = candidates.columns(search.goal().best());
  result.objective = search.goal().objective() * unit;
  result.lower_bound = search.lower_bound() * unit;
  return result;
}

ProvenSupport prove_at_size(const Candidates& candidates, Columns best, double objective,
                            const Budget& budget) {
  const double unit = candidates.unit();
  const Index k = std::ssize(best);
  ProvenSupport result{{best.begin(), best.end()}, objective, 0, {}};
  std::vector<Incumbent> by_size(static_cast<std::size_t>(k) + 1);
  by_size.back() = candidates.incumbent(best);
  const double given = by_size.back().loss;
  BranchAndBound search(
      candidates.search(),
      Goal::at_sizes(std::move(by_size), std::max(k, candidates.count()), candidates.total()),
      candidates.everything(), budget.threads(), budget);
  result.proof = run(search, budget);
  const Incumbent& found = search.goal().best(k);
  if (found.loss < given && 0.5 * found.loss * unit < result.objective) {
    result.support = candidates.columns(found);
    result.objective = 0.5 * found.loss * unit;
  }
  result.lower_bound = std::min(result.objective, 0.5 * search.lower_bound(k) * unit);
  if (result.proof.status == Status::proven_optimal) result.lower_bound = result.objective;
  return result;
}

Proof prove_table(const Candidates& candidates, SupportTable& table, std::optional<Index> max_k,
                  const Budget& budget) {
  const double unit = candidates.unit();
  Proof proof;
  std::vector<Incumbent> rows;
  for (const TableRow& row : table.rows) rows.push_back(candidates.incumbent(row.support));
  const Index all = std::ssize(rows), count = max_k ? std::min(*max_k + 1, all) : all;
  // Few columns: one search for all sizes visits each node once. Many: size by size, so that the
  // small ones, which are those that can be proven, don't wait for the others.
  const Index together = candidates.count() <= kAllSizesAtOnce ? count : 1;

  for (Index first = 0; first < count; first += together) {
    std::vector<Incumbent> aim(static_cast<std::size_t>(count));
    const auto begin = rows.begin() + first;
    std::copy(begin, begin + together, aim.begin() + first);
    BranchAndBound search(
        candidates.search(),
        Goal::at_sizes(std::move(aim), std::max(count - 1, candidates.count()), candidates.total()),
        candidates.everything(), budget.threads(), budget);
    const Proof part = run(search, budget);
    proof.nodes += part.nodes;
    proof.seconds = part.seconds;
    if (part.status != Status::proven_optimal) proof.status = part.status;
    for (Index k = first; k < first + together; ++k) {
      TableRow& row = table.rows[static_cast<std::size_t>(k)];
      const Incumbent& best = search.goal().best(k);
      if (best.loss < rows[static_cast<std::size_t>(k)].loss && best.loss * unit < row.loss) {
        row.support = candidates.columns(best);
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
