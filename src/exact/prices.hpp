// What each column is worth: the best objective without a column of the best support, and with a
// column that it lacks. Each is a branch and bound of its own, in which that column is decided
// beforehand. Internal units of the candidates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exact/candidates.hpp"
#include "exact/goal.hpp"

namespace lass0 {

// What is minimised: 1/2 loss + lambda * size over all sizes, or 1/2 loss over one.
struct Form {
  std::optional<double> lambda;
  Index size = 0;    // where there is no lambda
  double total = 0;  // that of the candidates

  double objective(const Incumbent& at) const;
  // Looks for supports with an objective below this one.
  Goal goal(double objective, const Candidates& candidates) const;
};

struct PriceSearch {
  Index column = 0;        // a candidate
  bool forced_in = false;  // else it is left out
  // Of the best support that does so; equal once it is known. kNoLoss / 2: none is known.
  double lower = 0, upper = 0.5 * kNoLoss;
  bool exact = false;
};

// The best objective that one change of `best` reaches: a swap, or, at a lambda, an add or a
// removal.
double best_single_change(const Candidates& candidates, const Form& form, const Incumbent& best,
                          const PriceSearch& search);

// Raises the lower bounds of all searches at once, from bounds on the whole problem. `end`:
// the largest objective of interest. Nothing happens where there are no such bounds.
void bound_prices(const Candidates& candidates, const Form& form, double end,
                  std::vector<PriceSearch>& searches, const Budget& budget);

// Completes all searches, or as many as the budget allows: then the bounds are what is known.
// Returns the number of nodes visited.
std::int64_t find_prices(const Candidates& candidates, const Form& form,
                         std::vector<PriceSearch>& searches, const Control& control);

}  // namespace lass0
