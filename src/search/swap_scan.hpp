// All swaps of a support scored in one scan of k p values.
#pragma once

#include "search/support_state.hpp"

namespace lass0 {

struct ScannedSwap {
  Index remove = -1;  // column; -1: no swap lowers the loss
  Index add = -1;
  double gain = 0;  // of the loss
};

// The swap that lowers the loss most; ties go to the lower columns. `kept_out` can't come in. The
// state must have Detail::swaps.
class SwapScan {
 public:
  explicit SwapScan(const Moments& moments);
  ScannedSwap best(const SupportState& state, Index kept_out = -1);

 private:
  const Moments& moments_;
  Vector least_;   // what of a column must be left unexplained for it to be addable
  Vector masked_;  // s, infinite where a column can't move in
  Vector regain_;  // of the best column for each place
};

}  // namespace lass0
