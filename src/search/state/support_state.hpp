// A support S with everything needed to score every move from it exactly, without refitting any
// candidate. With H = inv(G_SS), in the internal units of Moments and positions i = 0 .. k-1 of S:
//
//   b = H c_S                    the least-squares coefficients on S
//   B = H G_S.                   one row per member, p columns: how S explains each column
//   r_j = c_j - G_jS b           the correlation of column j with the residual
//   s_j = G_jj - G_jS B_.j       what of column j S does not explain
//
//   add j        loss falls by  r_j^2 / s_j
//   remove i     loss rises by  b_i^2 / H_ii
//   swap i -> j  loss falls by  (r_j + B_ij b_i / H_ii)^2 / (s_j + B_ij^2 / H_ii)  -  b_i^2 / H_ii
//
// A move costs one Gram column (an add) and O(k p). B is kept only where it is asked for: adds and
// removes need r, s, b and H alone. docs/algorithm.md derives all of it.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

#include "search/state/step.hpp"
#include "util/budget.hpp"

namespace lass0 {

class SupportState {
 public:
  enum class Detail {
    gains,  // what scores adds and removes
    swaps,  // B too: scores swaps, and knows how every coefficient changes with every add
  };

  enum class Rebuild {
    at_once,    // after each move that cost digits
    on_demand,  // by the caller, where has_drifted() and digits matter; at once where few are left
  };

  // `support`: independent columns, in any order.
  SupportState(const Moments& moments, std::vector<Index> support, Detail detail,
               const Budget& budget, Rebuild rebuild = Rebuild::at_once);

  Index size() const { return std::ssize(support_); }
  const std::vector<Index>& support() const { return support_; }  // by position, not sorted
  bool contains(Index j) const { return position_[static_cast<std::size_t>(j)] >= 0; }
  Index position(Index j) const { return position_[static_cast<std::size_t>(j)]; }
  double loss() const { return loss_; }
  double condition() const {
    return condition_;
  }  // the largest variance inflation factor of a member
  bool has_drifted() const { return drifted_; }  // a move has cost digits since it was built
  bool independent() const { return condition_ < 1 / kAliasTolerance; }
  auto b() const { return b_.head(size()); }
  double B(Index i, Index j) const { return B_(j, i); }        // Detail::swaps only
  const double* B(Index i) const { return B_.col(i).data(); }  // row i, p values; likewise
  double H(Index i) const { return H_(i, i); }
  auto H_column(Index i) const { return H_.col(i).head(size()); }
  const Vector& r() const { return r_; }
  const Vector& s() const { return s_; }

  bool addable(Index j) const;        // outside S and not aliased to it
  double add_gain(Index j) const;     // of the loss; j must be addable
  double remove_loss(Index i) const;  // of the loss, by position
  // The member at a position, for a swap.
  Replaced replaced(Index i) const {
    const double inverse_h = 1 / H_(i, i);
    return {inverse_h, b_[i] * inverse_h, remove_loss(i)};
  }
  // What rounding can have done, O(k^2): the normal equations are solved as if G were off in its
  // last digits, which changes s_j by those digits times (1 + sum_i |B_ij|)^2 and the loss by those
  // times (1 + sum_i |b_i|)^2.
  double unexplained_rounding(Index j) const;
  double add_gain_rounding(Index j) const { return add_gain(j) * unexplained_rounding(j) / s_[j]; }

  double added_coefficient(Index j) const { return r_[j] / s_[j]; }
  // The coefficients of the others after member i has left: b - shift * b_i (its own becomes 0).
  Vector removal_shift(Index i) const { return H_.col(i).head(size()) / H_(i, i); }

  void add(Index j);
  void remove(Index j);
  void swap(Index removed, Index added);     // both, looking at the Gram columns of S once
  void move_to(std::vector<Index> support);  // any other support of independent columns, built anew
  void walk_to(
      const std::vector<Index>& support);  // the same, by adds and removes where it is near

  // Everything anew from the Gram matrix, at the detail asked for: ends the drift of many updates.
  void rebuild(Detail detail);
  void rebuild() { rebuild(detail_); }

 private:
  static constexpr Index kPositionNone = -1;

  // Many moves at once, where B is not kept (exchange.cpp). False: what comes is too nearly
  // dependent, and all is to be built anew.
  bool exchange(Columns leaving, Columns coming);
  bool exchange_some(Columns leaving, Columns coming);
  bool add_all(Columns coming, std::vector<Index> places, Matrix U, const ConstMat& explained);
  void leave_all(Columns leaving, std::vector<Index> places, Index taken);

  void reserve(Index k);
  void rebuild_if_drifted();
  void fetch(Index j) const;
  void update_condition();

  const Moments& moments_;
  const Budget& budget_;
  Detail detail_;
  Rebuild rebuild_;
  bool drifted_ = false;
  std::vector<Index> support_;
  std::vector<Index> position_;  // of each column in support_, or -1
  Matrix H_;                     // leading k x k
  Matrix B_;  // p x capacity, column i is row i of B: contiguous, since p is the long side
  Vector b_, r_, s_;
  double loss_ = 0;
  double condition_ = 1;  // max_i H_ii G_ii
  Index moves_since_rebuild_ = 0;
};

// A support and what is known of its loss.
struct FittedSupport {
  std::vector<Index> support;
  double loss = 0;
  double rounding = 0;      // what rounding can have done to the loss
  bool independent = true;  // false: its columns are not, and nothing else is to be used
};

// The loss on a support by itself, O(k^3), and what rounding can have done to it. `extra`: one more
// column, whose Gram column is not asked for.
struct SupportFit {
  double loss;
  double rounding;
  bool independent;  // its columns are, in whatever order one looks at them
};
SupportFit fit_support(const Moments& moments, Columns support, Index extra = -1);

}  // namespace lass0
