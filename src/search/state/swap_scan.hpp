// The best swap of a support, without looking at most of them.
//
// Let d_i^2 = b_i^2 / H_ii be what member i is worth and t = B_ij / sqrt(H_ii) how much of column j
// only i explains. Swapping i for j lowers the loss when (r_j + t d_i)^2 > d_i^2 (s_j + t^2), and
// t^2 is at most what all of S explains of j, T_j^2 = G_jj - s_j. So it can only when
//
//   d_i^2 s_j - 2 |r_j| T_j d_i - r_j^2 < 0,  that is  d_i < |r_j| (T_j + sqrt(T_j^2 + s_j)) / s_j.
//
// Few columns reach even the weakest member like that; B is computed for those alone.
#pragma once

#include <vector>

#include "search/state/support_state.hpp"

namespace lass0 {

// The swap that lowers the loss most; ties go to the lower columns. `kept_out` can't come in.
class SwapScan {
 public:
  explicit SwapScan(const Moments& moments);
  Step best(const SupportState& state, Index kept_out = -1);

 private:
  void find_candidates(const SupportState& state, double weakest, Index kept_out);
  double reach(const SupportState& state, Index j) const;
  void rank(const SupportState& state);
  void score(const SupportState& state, Columns candidates, Columns places, Step& best);

  const Moments& moments_;
  Vector least_;  // what of a column must be left unexplained for it to be addable
  std::vector<char> in_reach_;
  std::vector<Index> candidates_;  // columns, those of the longest reach first
  std::vector<Index> places_;      // of all members, the weakest first
  Vector reach_, worth_;           // of each column and place
  Matrix G_, H_, B_;
};

}  // namespace lass0
