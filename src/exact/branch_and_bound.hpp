// Best first over subproblems, each of which is searched depth first for a while; what is then left
// of it goes back among the open ones. In rounds of a fixed number of subproblems, all of which
// start from the incumbents at the beginning of the round: so that the result, and the nodes
// visited, are the same for any number of threads.
#pragma once

#include <cstdint>
#include <map>

#include "exact/collection.hpp"
#include "exact/goal.hpp"
#include "exact/subproblem_search.hpp"
#include "util/budget.hpp"

namespace lass0 {

class BranchAndBound {
 public:
  // Searches the supports of `root`. `search`, `collection` and `budget` must outlive this.
  BranchAndBound(const SubproblemSearch& search, Goal goal, Subproblem root, int threads,
                 const Budget& budget);
  // Collects all of them that are below the goal's thresholds, instead of looking for the best one.
  BranchAndBound(const SubproblemSearch& search, Goal goal, Subproblem root, Collection& collection,
                 int threads, const Budget& budget);

  // To the end, or up to about max_nodes nodes, or until the budget throws Stop; then what is still
  // open bounds what is not shown.
  void run(std::int64_t max_nodes = std::numeric_limits<std::int64_t>::max());
  bool finished() const { return open_.empty(); }

  const Goal& goal() const { return goal_; }
  std::int64_t nodes() const { return nodes_; }
  double lower_bound(Index size) const;  // on the loss of all supports of this size
  double lower_bound() const;            // at_lambda: on the objective of all supports

 private:
  SearchOutcome process(const Subproblem& sub) const;
  void open(Subproblem sub);
  void tell_progress();

  const SubproblemSearch& search_;
  Goal goal_;
  Collection* collection_ = nullptr;
  int threads_;
  const Budget& budget_;
  std::multimap<double, Subproblem, std::greater<>>
      open_;  // by how far below its threshold it may get
  std::int64_t nodes_ = 0;
  double next_progress_ = 0;  // in seconds of the budget
};

}  // namespace lass0
