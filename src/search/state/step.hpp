// A step of a search, what swaps gain, and the loop that makes steps: all searches of src/search/
// stop by the rule that stands here.
#pragma once

#include <algorithm>
#include <lass0/types.hpp>
#include <vector>

#include "util/tolerances.hpp"

namespace lass0 {

// An add, a remove or a swap; neither: there is none.
struct Step {
  Index remove = -1, add = -1;  // columns
  double gain = 0;              // what the loss falls by

  explicit operator bool() const { return remove >= 0 || add >= 0; }

  // Becomes the other swap where that gains more, or as much with lower columns.
  void take_better(Index removed, Index added, double other) {
    const bool tie = other == gain && remove >= 0;
    const bool lower = removed < remove || (removed == remove && added < add);
    if (other > gain || (tie && lower)) *this = {removed, added, other};
  }
};

// The columns of an ascending support after a step.
inline std::vector<Index> after(std::vector<Index> support, const Step& step) {
  if (step.remove >= 0) std::erase(support, step.remove);
  if (step.add >= 0)
    support.insert(std::upper_bound(support.begin(), support.end(), step.add), step.add);
  return support;
}

// The step, where it is a strict improvement of the loss. `total`: y'y, see slack().
inline Step strict(const Step& step, double loss, double total) {
  return step && step.gain > slack(loss, total) ? step : Step{};
}

// A member i that may be swapped for a column j, by the formula of support_state.hpp.
struct Replaced {
  double inverse_h;  // 1 / H_ii
  double beta;       // b_i / H_ii
  double worth;      // b_i^2 / H_ii: what the loss rises by without it

  // What the others do not explain of a column, and its correlation with their residual. B_ij, s_j
  // and r_j are of the support with the member.
  double unexplained(double s, double B) const { return s + B * B * inverse_h; }
  double correlation(double r, double B) const { return r + B * beta; }
  // Of the loss. No column can explain more than there is.
  double gain(double correlation, double unexplained, double loss) const {
    return std::min(correlation * correlation / unexplained - worth, loss);
  }
};

// Steps until none is left. best(): the best strict improvement, or none; make(step): false ends
// it, where the step did not keep what its score had promised; look_again(), where none is left:
// true where the numbers were computed anew, so that there may be one now.
template <class Best, class Make, class LookAgain>
void descend(const Best& best, const Make& make, const LookAgain& look_again) {
  for (;;) {
    if (const auto step = best()) {
      if (!make(step)) return;
    } else if (!look_again()) {
      return;
    }
  }
}

// The same with numbers that have all their digits.
template <class Best, class Make>
void descend(const Best& best, const Make& make) {
  descend(best, make, [] { return false; });
}

}  // namespace lass0
