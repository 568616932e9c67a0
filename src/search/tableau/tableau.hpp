// A support of few columns with everything about it in one matrix, so that a move is one rank-one
// change of it: SupportState where p x p numbers are little. The swept Gram matrix T has a row for
// each column and one for y. With S the members and N the other columns and y,
//
//   T_NN = G_NN - G_NS H G_SN     r_j = T_jy,  s_j = T_jj,  loss = T_yy
//   T_NS = G_NS H                 B_ij = T_ji,  b_i = T_yi
//   T_SS = -H
//
// and a column comes in or leaves by the same step: T_ij falls by T_ia T_ja / T_aa. At once that is
// done for y and the diagonal alone; columns wait until they are looked at.
#pragma once

#include <lass0/moments.hpp>
#include <memory>
#include <vector>

#include "search/state/support_state.hpp"
#include "search/tableau/pending_updates.hpp"

namespace lass0 {

inline constexpr Index kTableauColumns = 256;  // at most; more are too many to change all of T

// The names are those of SupportState. A move that costs digits is not followed by building anew:
// see has_drifted().
class Tableau {
 public:
  Tableau(const Moments& moments, std::vector<Index> support, const Budget& budget);

  // Of kLanes numbers in each of its columns: for p columns, y, and zeros.
  static Index lanes(Index p) { return (p + kLanes) / kLanes; }

  Index size() const { return std::ssize(support_); }
  const std::vector<Index>& support() const { return support_; }
  bool contains(Index j) const { return position_[static_cast<std::size_t>(j)] >= 0; }
  Index position(Index j) const { return position_[static_cast<std::size_t>(j)]; }
  double loss() const { return T_(p_, p_); }
  double condition() const { return condition_; }
  bool has_drifted() const { return drift_ > kDriftedTableau; }
  double drift() const { return drift_; }
  bool independent() const { return condition_ < 1 / kAliasTolerance; }
  auto r() const { return T_.col(p_).head(p_); }       // of columns outside S
  const std::vector<double>& h() const { return h_; }  // -H_ii, by place
  const Vector& s() const { return s_; }               // beyond all reach for what is not outside S
  bool addable(Index j) const;
  double add_gain(Index j) const;
  double add_gain_rounding(Index j) const;
  double remove_loss(Index i) const;

  void add(Index j);
  void remove(Index j);
  void swap(Index removed, Index added) {
    remove(removed);
    add(added);
  }
  void move_to(std::vector<Index> support);
  void walk_to(const std::vector<Index>& support);
  void rebuild();

  const double* column(Index j) const;  // of T, up to the next move; column p is y's

 private:
  void sweep(Index a, double sign);
  void after_move();
  void clear_pending();
  void set_unexplained();
  void update_condition();

  const Moments* moments_;
  const Budget* budget_;
  std::shared_ptr<const Matrix> G_;  // of all columns
  Index p_, lanes_;
  std::vector<Index> support_, position_;
  mutable Matrix T_;  // by columns, y the last; the others as they were before the last moves
  mutable std::vector<Index> age_;  // of each of these, the first of pending_ that it has not seen
  PendingUpdates pending_;
  Vector s_;
  std::vector<double> h_;  // the diagonal at the members, by place
  double condition_ = 1;
  double drift_ = 0;  // what moves have done since it was built, in units in the last place
};

// The swap that lowers the loss most, from T itself; ties go to the lower columns.
class TableauScan {
 public:
  explicit TableauScan(const Moments& moments);
  Step best(const Tableau& tableau, Index kept_out = -1);

 private:
  Vector least_, diagonal_, r_, s_;
};

}  // namespace lass0
