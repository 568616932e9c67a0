// What swaps find when a member of a support is kept out: how the table filler escapes a local
// optimum, member by member. A tableau of its own would take p x p numbers for each. A move is a
// rank-one change, and the moves are few: so the tableau stays as it is, the trial keeps the column
// of every move, and brings up to date what it looks at - y's column, the diagonal, and the columns
// of the members that a swap could replace.
#pragma once

#include <algorithm>
#include <vector>

#include "search/tableau/pending_updates.hpp"
#include "search/tableau/tableau.hpp"

namespace lass0 {

class Trial {
 public:
  explicit Trial(const Moments& moments);  // which must outlive it

  // From the tableau's support without `kept_out` and with the best other column instead, swaps
  // until none strictly lowers the loss. False: no column can come instead.
  bool without(Index kept_out, const Tableau& tableau, const Budget& budget);

  // False: digits were lost on the way, so that its answer is none. Whoever wants one takes the
  // same moves in a tableau of its own, that can be built anew.
  bool sure() const { return drift_ <= kDriftedTableau; }
  const std::vector<Index>& support() const { return support_; }  // reached, in any order
  double loss() const { return r_[p_]; }
  Step best_add() const;     // the one that strictly lowers the loss most
  Step best_remove() const;  // the one that raises it least

 private:
  double add_gain(Index j) const { return std::min(r_[j] * r_[j] / s_[j], loss()); }
  double remove_loss(std::size_t place) const;
  void start(const Tableau& tableau, Index kept_out);
  Step best_swap();
  void add(Index j);
  void remove(Index j);
  void update_drift();

  const Moments& moments_;
  const Vector least_;
  std::vector<Index> never_;  // columns that explain nothing
  Index p_, lanes_;
  Vector diagonal_;  // of G
  const Tableau* tableau_ = nullptr;
  std::vector<Index> support_;
  std::vector<double> h_;  // the diagonal at the members, by place
  Vector r_, s_;           // y's column and the rest of the diagonal, as Tableau has them
  PendingUpdates pending_;
  Vector scratch_;
  double condition_ = 1, drift_ = 0;  // as Tableau has them
};

}  // namespace lass0
