#include "exact/branch_and_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact/subset_tree.hpp"
#include "exact/tighten.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kRound = 16;          // subproblems
constexpr std::int64_t kFirstNodes = 1000;  // before bounds that cost more than those are computed
constexpr std::int64_t kNodesPerSubproblem = 20000;
// Twice the nodes for each this many open subproblems: the deeper the search, the fewer it leaves.
constexpr std::size_t kManyOpen = 4000;
constexpr double kSecondsBetweenProgress = 0.2;

}  // namespace

BranchAndBound::BranchAndBound(const FullGram& gram, Goal goal, Subproblem root, int threads,
                               const Budget& budget)
    : gram_(gram), goal_(std::move(goal)), threads_(threads), budget_(budget) {
  open(std::move(root));
}

BranchAndBound::BranchAndBound(const FullGram& gram, Goal goal, Subproblem root,
                               Collection& collection, int threads, const Budget& budget)
    : BranchAndBound(gram, std::move(goal), std::move(root), threads, budget) {
  collection_ = &collection;
}

// How far below a threshold a support of the subproblem may still get; <= 0: it is closed.
double BranchAndBound::promise(const Subproblem& sub, const Goal& goal) const {
  double most = -kInfinity;
  for (std::size_t m = 0; m < sub.lower.size(); ++m) {
    const Index size = static_cast<Index>(sub.in.size() + m);
    if (size > goal.max_size()) break;
    most = std::max(most, goal.threshold(size) - sub.lower[m]);
  }
  return most;
}

void BranchAndBound::open(Subproblem sub) {
  const double most = promise(sub, goal_);
  if (most > 0) open_.emplace(most, std::move(sub));
}

void BranchAndBound::run(std::int64_t max_nodes) {
  while (!open_.empty() && nodes_ < max_nodes) {
    budget_.check();
    std::vector<Subproblem> round;
    while (!open_.empty() && round.size() < kRound) {
      auto next = open_.extract(open_.begin());
      if (promise(next.mapped(), goal_) > 0) round.push_back(std::move(next.mapped()));
    }
    std::vector<Outcome> outcomes(round.size());
    for_each_block(std::ssize(round), threads_, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      outcomes[at] = process(round[at]);
    });
    std::optional<Status> stopped;
    for (Outcome& outcome : outcomes) {
      nodes_ += outcome.nodes;
      for (const Incumbent& found : outcome.found) goal_.offer(found);
      if (outcome.collected) collection_->merge(*outcome.collected);
      if (outcome.stopped) stopped = outcome.stopped;
    }
    if (const auto limit = collection_ ? collection_->limit() : std::nullopt)
      goal_.lower_to(*limit);
    for (Outcome& outcome : outcomes) {
      for (Subproblem& sub : outcome.open) open(std::move(sub));
    }
    if (stopped) throw Stop{*stopped};
    tell_progress();
  }
}

BranchAndBound::Outcome BranchAndBound::process(const Subproblem& sub) const {
  Outcome outcome;
  Goal goal = goal_;
  if (collection_) goal.collect_into(outcome.collected.emplace(collection_->empty()));
  try {
    search(sub, goal, outcome);
  } catch (const Stop& stop) {
    outcome.open = {sub};
    outcome.stopped = stop.status;
  }
  outcome.found = goal.improvements();
  return outcome;
}

void BranchAndBound::search(Subproblem sub, Goal& goal, Outcome& outcome) const {
  Reduced reduced;
  SubsetTree tree(gram_, goal, budget_);
  for (bool decided = true; decided;) {
    budget_.check();  // once stopped, the rest of a round costs nothing
    ++outcome.nodes;
    reduced = reduce(gram_, sub);
    if (!reduced.feasible) break;
    if (!collection_) offer_smallest(sub, reduced, goal);
    sub.free = reduced.free;
    sub.lower.resize(sub.free.size() + 1);
    if (!reduced.regular && !reduced.free.empty()) return branch_on_circuit(sub, reduced, outcome);
    if (tree.run(sub, reduced, kFirstNodes).empty()) break;
    if (collection_) outcome.collected->clear();  // what follows meets all of it again
    decided = tighten(reduced, goal, budget_, sub);
    if (promise(sub, goal) <= 0) break;
    if (!decided) {
      const auto doublings = std::min<std::size_t>(20, open_.size() / kManyOpen);
      outcome.open = tree.run(sub, reduced, kNodesPerSubproblem << doublings);
    }
  }
  outcome.nodes += tree.nodes();
}

// `in` alone, and with the best one of the free columns.
void BranchAndBound::offer_smallest(const Subproblem& sub, const Reduced& reduced,
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
void BranchAndBound::branch_on_circuit(const Subproblem& sub, const Reduced& reduced,
                                       Outcome& outcome) const {
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

double BranchAndBound::lower_bound(Index size) const {
  double least = goal_.best(size).loss;
  for (const auto& [key, sub] : open_) {
    const Index kept = size - std::ssize(sub.in);
    if (kept < 0 || kept >= std::ssize(sub.lower)) continue;
    least = std::min(least, sub.lower[static_cast<std::size_t>(kept)]);
  }
  return least;
}

double BranchAndBound::lower_bound() const {
  double least = goal_.objective();
  for (const auto& [key, sub] : open_) {
    for (std::size_t kept = 0; kept < sub.lower.size(); ++kept) {
      const double size = static_cast<double>(sub.in.size() + kept);
      least = std::min(least, 0.5 * sub.lower[kept] + *goal_.lambda() * size);
    }
  }
  return least;
}

void BranchAndBound::tell_progress() {
  if (open_.empty() || budget_.seconds() < next_progress_) return;
  next_progress_ = budget_.seconds() + kSecondsBetweenProgress;
  std::string done;
  if (goal_.lambda()) {
    done = fmt::format("gap {:.2g} %", 100 * (1 - lower_bound() / goal_.objective()));
  } else {
    Index sizes = 0, proven = 0;
    for (Index k = 0; k <= goal_.max_size(); ++k) {
      if (!std::isfinite(goal_.best(k).loss)) continue;
      ++sizes;
      proven += lower_bound(k) >= goal_.best(k).loss ? 1 : 0;
    }
    done = fmt::format("{} of {} sizes proven", proven, sizes);
  }
  budget_.progress(fmt::format("proof: {} nodes, {} open, {}", nodes_, open_.size(), done), -1);
}

}  // namespace lass0
