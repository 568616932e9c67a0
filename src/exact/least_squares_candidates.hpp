// The candidates of a least-squares proof, with their moments in full.
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>

#include "exact/candidates.hpp"
#include "exact/least_squares_search.hpp"

namespace lass0 {

// With more columns one step of the search would take seconds, and it would need millions.
inline constexpr Index kMostColumnsOfProofs = 1000;

class LeastSquaresCandidates final : public Candidates {
 public:
  LeastSquaresCandidates(const Moments& moments, const Budget& budget);
  LeastSquaresCandidates(const LeastSquaresCandidates&) = delete;  // the search refers to gram_
  LeastSquaresCandidates& operator=(const LeastSquaresCandidates&) = delete;

  Subproblem everything() const override;
  const SubproblemSearch& search() const override { return search_; }
  double loss(const std::vector<Index>& support) const override;
  std::vector<OneSidedBounds> one_sided_bounds(const Goal& goal,
                                               const Budget& budget) const override;
  double total() const override { return total_; }
  double unit() const override { return unit_; }

 private:
  FullGram gram_;
  LeastSquaresSearch search_{gram_};
  double loss_of_all_ = 0, total_ = 0, unit_ = 1;
};

// Null where no search is tried: there are too many columns, or no time. Then `status` says why.
std::unique_ptr<const Candidates> candidates_of(const Moments& moments, const Budget& budget,
                                                Status& status);

// What one internal unit of a loss is in the caller's units.
double unit_of(const Moments& moments);

}  // namespace lass0
