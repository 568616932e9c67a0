// What a branch and bound over supports asks of the loss: to search one subproblem for a while. It
// hands over whatever it has found, and what is left as smaller subproblems. Least squares and
// other losses each have one (least_squares_search.hpp, glm_search.hpp); everything else about a
// proof is the same for both.
#pragma once

#include <cstdint>
#include <lass0/status.hpp>
#include <optional>
#include <vector>

#include "exact/collection.hpp"
#include "exact/goal.hpp"
#include "exact/subproblem.hpp"
#include "util/budget.hpp"

namespace lass0 {

struct SearchOutcome {
  std::vector<Subproblem> open;  // what is left
  std::vector<Incumbent> found;
  std::optional<Collection> collected;  // where the goal collects
  std::int64_t nodes = 0;
  std::optional<Status> stopped;
};

class SubproblemSearch {
 public:
  virtual ~SubproblemSearch() = default;

  // Offers supports to the goal, and sets outcome.open and outcome.nodes. `open`: how many other
  // subproblems wait. From many threads at once. The budget may throw Stop.
  virtual void search(Subproblem sub, std::size_t open, Goal& goal, const Budget& budget,
                      SearchOutcome& outcome) const = 0;
};

// How far below a threshold a support of the subproblem may still get; <= 0: it is closed.
double promise(const Subproblem& sub, const Goal& goal);

}  // namespace lass0
