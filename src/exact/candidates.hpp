// The columns that a proof chooses from, and how supports of them are judged. Of duplicate columns
// only one takes part: any support is as good with another of them in its place. Candidates are
// numbered 0 .. count() - 1 among themselves.
#pragma once

#include <memory>
#include <vector>

#include "exact/goal.hpp"
#include "exact/subproblem_search.hpp"
#include "util/budget.hpp"

namespace lass0 {

// The loss of a support that has none; internal units.
inline constexpr double kNoLoss = 1e100;

class Candidates {
 public:
  virtual ~Candidates() = default;

  Index count() const { return std::ssize(copies_); }
  // All columns that candidate r stands for, itself the first of them, ascending.
  const std::vector<Index>& copies(Index r) const { return copies_[static_cast<std::size_t>(r)]; }

  virtual Subproblem everything() const = 0;  // all supports
  virtual const SubproblemSearch& search() const = 0;
  // The loss on an ascending support of candidates; infinite: it is not a model.
  virtual double loss(const std::vector<Index>& support) const = 0;
  // Of all candidates, by bounds alone; empty: there are none.
  virtual std::vector<OneSidedBounds> one_sided_bounds(const Goal& goal,
                                                       const Budget& budget) const = 0;
  virtual double total() const = 0;  // what rounding is relative to: y'y, or the null model's loss
  virtual double unit() const = 0;   // one internal unit of a loss in the caller's units

  // A support of the caller's, in terms of the candidates, and back.
  Incumbent incumbent(Columns support) const;
  std::vector<Index> columns(const Incumbent& at) const;

 protected:
  std::vector<Index> representative_;  // the candidate for each column; -1: none
  std::vector<std::vector<Index>> copies_;
};

}  // namespace lass0
