// The columns that a proof chooses from, with their moments in full. Of duplicate columns only one
// takes part: any support is as good with another of them in its place.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>
#include <vector>

#include "exact/goal.hpp"
#include "exact/subproblem.hpp"
#include "util/budget.hpp"

namespace lass0 {

// The loss of a support that has none; internal units of Moments.
inline constexpr double kNoLoss = 1e100;

// With more columns one step of the search would take seconds, and it would need millions.
inline constexpr Index kMostColumnsOfProofs = 1000;

class Candidates {
 public:
  Candidates(const Moments& moments, const Budget& budget);

  const FullGram& gram() const { return gram_; }
  Index count() const { return gram_.c.size(); }
  Subproblem everything() const;  // all supports

  // A support of the caller's, in terms of the candidates, and back.
  Incumbent incumbent(Columns support) const;
  std::vector<Index> columns(const Incumbent& at) const;

  // All columns that candidate r stands for, itself among them, ascending.
  const std::vector<Index>& copies(Index r) const { return copies_[static_cast<std::size_t>(r)]; }

 private:
  FullGram gram_;
  double loss_of_all_ = 0;
  std::vector<Index> representative_;  // of each column, among those of gram_
  std::vector<std::vector<Index>> copies_;
};

// Empty where no search is tried: there are too many columns, or no time. Then `status` says why.
std::optional<Candidates> candidates_of(const Moments& moments, const Budget& budget,
                                        Status& status);

// What one internal unit of a loss is in the caller's units.
double unit_of(const Moments& moments);

}  // namespace lass0
