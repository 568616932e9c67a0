#include "exact/least_squares_search.hpp"

#include <algorithm>

#include "exact/subset_tree.hpp"
#include "exact/tighten.hpp"

namespace lass0 {
namespace {

constexpr std::int64_t kFirstNodes = 1000;  // before bounds that cost more than those are computed
constexpr std::int64_t kNodesPerSubproblem = 20000;
// Twice the nodes for each this many open subproblems: the deeper the search, the fewer it leaves.
constexpr std::size_t kManyOpen = 4000;

}  // namespace

void LeastSquaresSearch::search(Subproblem sub, std::size_t open, Goal& goal, const Budget& budget,
                                SearchOutcome& outcome) const {
  Reduced reduced;
  SubsetTree tree(gram_, goal, budget);
  for (bool decided = true; decided;) {
    budget.check();  // once stopped, the rest of a round costs nothing
    ++outcome.nodes;
    reduced = reduce(gram_, sub);
    if (!reduced.feasible) break;
    if (!goal.collects()) offer_smallest(sub, reduced, goal);
    sub.free = reduced.free;
    sub.lower.resize(sub.free.size() + 1);
    if (!reduced.regular && !reduced.free.empty()) return branch_on_circuit(sub, reduced, outcome);
    if (tree.run(sub, reduced, kFirstNodes).empty()) break;
    if (goal.collects()) outcome.collected->clear();  // what follows meets all of it again
    decided = tighten(reduced, goal, budget, sub);
    if (promise(sub, goal) <= 0) break;
    if (!decided) {
      const auto doublings = std::min<std::size_t>(20, open / kManyOpen);
      outcome.open = tree.run(sub, reduced, kNodesPerSubproblem << doublings);
    }
  }
  outcome.nodes += tree.nodes();
}

// `in` alone, and with the best one of the free columns.
void LeastSquaresSearch::offer_smallest(const Subproblem& sub, const Reduced& reduced,
                                        Goal& goal) const {
  const auto offer = [&](Incumbent found) {
    std::sort(found.support.begin(), found.support.end());
    goal.offer(found);
  };
  offer({sub.in, reduced.loss_in});
  if (reduced.free.empty()) return;
  Index best = 0;
  const double gain = reduced.c.cwiseAbs2().cwiseQuotient(reduced.G.diagonal()).maxCoeff(&best);
  Incumbent larger{sub.in, reduced.loss_in - gain};
  larger.support.push_back(reduced.free[static_cast<std::size_t>(best)]);
  if (larger.loss < goal.threshold(std::ssize(larger.support))) {
    std::sort(larger.support.begin(), larger.support.end());
    larger.loss = exact_loss(gram_, larger.support);
    offer(larger);
  }
}

// Not all columns of a dependency can be in: child t leaves out the t-th of them and keeps the ones
// before it. (Nearly dependent ones can: the last child keeps all.)
void LeastSquaresSearch::branch_on_circuit(const Subproblem& sub, const Reduced& reduced,
                                           SearchOutcome& outcome) const {
  Subproblem child{sub.in, reduced.free, {}, {}, sub.offered};
  for (std::size_t t = 0; t <= reduced.circuit.size(); ++t) {
    const bool last = t == reduced.circuit.size();
    const Index column = last ? -1 : reduced.free[static_cast<std::size_t>(reduced.circuit[t])];
    if (!last) std::erase(child.free, column);
    child.lower.assign(child.free.size() + 1, reduced.loss_all);
    outcome.open.push_back(child);
    if (!last) child.in.push_back(column);
  }
}

}  // namespace lass0
