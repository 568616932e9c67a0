// The candidates of a proof for another loss than squares, with their columns in one panel.
#pragma once

#include <lass0/status.hpp>

#include "exact/candidates.hpp"
#include "exact/glm_search.hpp"

namespace lass0 {

// With more columns a proof by exact fits is hopeless; with a ridge its bounds reach further.
inline constexpr Index kMostColumnsOfGlmProofs = 200, kMostColumnsOfRidgedGlmProofs = 1000;

class GlmCandidates final : public Candidates {
 public:
  // `panel` gets all columns that can be chosen, and must outlive this.
  GlmCandidates(Panel& panel, const Budget& budget);
  GlmCandidates(const GlmCandidates&) = delete;  // the search refers to its parts
  GlmCandidates& operator=(const GlmCandidates&) = delete;

  Subproblem everything() const override;
  const SubproblemSearch& search() const override { return search_; }
  double loss(const std::vector<Index>& support) const override;
  std::vector<OneSidedBounds> one_sided_bounds(const Goal& goal,
                                               const Budget& budget) const override;
  double total() const override { return bounds_.null_loss(); }
  double unit() const override { return 1; }

 private:
  GlmCandidates(Panel& panel, const Budget& budget, std::vector<Index> eligible);
  void merge_copies(const std::vector<Index>& eligible);

  Panel& panel_;
  std::vector<Index> columns_;  // of each candidate
  GlmBounds bounds_;
  GlmSearch search_;
  BoundedFit all_;             // the fit on all candidates
  std::vector<double> lower_;  // on the loss of every size
};

std::vector<Index> eligible_columns(const GlmRows& rows);

// Null where no search is tried: there are too many columns, or no time. Then `status` says why.
std::unique_ptr<const Candidates> glm_candidates_of(Panel& panel, const Budget& budget,
                                                    Status& status);

}  // namespace lass0
