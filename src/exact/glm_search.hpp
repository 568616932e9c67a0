// A subproblem of another loss than squares: the subset tree with an exact fit at every node. A
// node is a pair (in, free), fitted on both together; glm_bounds.hpp bounds what dropping each free
// column costs. As in the tree of least squares (subset_tree.hpp), the children of a node drop one
// column each, the one that is worth most first, and keep those that their elder siblings drop.
//
// A support counts as a model where it has a finite fit of independent columns. Where the columns
// of a node separate the classes, nothing is known of its children but what is known of the node,
// and it is closed once the columns of `in` do: so do all that hold them. Where they are dependent,
// its children decide about one dependency.
#pragma once

#include "exact/glm_bounds.hpp"
#include "exact/subproblem_search.hpp"

namespace lass0 {

class GlmSearch final : public SubproblemSearch {
 public:
  // `columns`: those of the candidates, ascending. Both must outlive this.
  GlmSearch(const Panel& panel, const GlmBounds& bounds, const std::vector<Index>& columns)
      : panel_(panel), bounds_(bounds), columns_(columns) {}

  void search(Subproblem sub, std::size_t open, Goal& goal, const Budget& budget,
              SearchOutcome& outcome) const override;

 private:
  class Tree;

  std::vector<Index> columns_of(const std::vector<Index>& candidates) const;

  const Panel& panel_;
  const GlmBounds& bounds_;
  const std::vector<Index>& columns_;
};

}  // namespace lass0
