// A subproblem of least squares: the subset tree without refits, and bounds by the relaxation where
// that alone is not enough.
#pragma once

#include "exact/subproblem_search.hpp"

namespace lass0 {

class LeastSquaresSearch final : public SubproblemSearch {
 public:
  explicit LeastSquaresSearch(const FullGram& gram) : gram_(gram) {}

  void search(Subproblem sub, std::size_t open, Goal& goal, const Budget& budget,
              SearchOutcome& outcome) const override;

 private:
  void offer_smallest(const Subproblem& sub, const Reduced& reduced, Goal& goal) const;
  void branch_on_circuit(const Subproblem& sub, const Reduced& reduced,
                         SearchOutcome& outcome) const;

  const FullGram& gram_;
};

}  // namespace lass0
