#include "exact/branch_and_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "util/parallel.hpp"

namespace lass0 {
namespace {

constexpr std::size_t kRound = 16;  // subproblems
constexpr double kSecondsBetweenProgress = 0.2;

}  // namespace

BranchAndBound::BranchAndBound(const SubproblemSearch& search, Goal goal, Subproblem root,
                               int threads, const Budget& budget)
    : search_(search), goal_(std::move(goal)), threads_(threads), budget_(budget) {
  open(std::move(root));
}

BranchAndBound::BranchAndBound(const SubproblemSearch& search, Goal goal, Subproblem root,
                               Collection& collection, int threads, const Budget& budget)
    : BranchAndBound(search, std::move(goal), std::move(root), threads, budget) {
  collection_ = &collection;
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
    std::vector<SearchOutcome> outcomes(round.size());
    for_each_block(std::ssize(round), threads_, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      outcomes[at] = process(round[at]);
    });
    std::optional<Status> stopped;
    for (SearchOutcome& outcome : outcomes) {
      nodes_ += outcome.nodes;
      for (const Incumbent& found : outcome.found) goal_.offer(found);
      if (outcome.collected) collection_->merge(*outcome.collected);
      if (outcome.stopped) stopped = outcome.stopped;
    }
    if (const auto limit = collection_ ? collection_->limit() : std::nullopt)
      goal_.lower_to(*limit);
    for (SearchOutcome& outcome : outcomes) {
      for (Subproblem& sub : outcome.open) open(std::move(sub));
    }
    if (stopped) throw Stop{*stopped};
    tell_progress();
  }
}

SearchOutcome BranchAndBound::process(const Subproblem& sub) const {
  SearchOutcome outcome;
  Goal goal = goal_;
  if (collection_) goal.collect_into(outcome.collected.emplace(collection_->empty()));
  try {
    search_.search(sub, open_.size(), goal, budget_, outcome);
  } catch (const Stop& stop) {
    outcome.open = {sub};
    outcome.stopped = stop.status;
  }
  outcome.found = goal.improvements();
  return outcome;
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
