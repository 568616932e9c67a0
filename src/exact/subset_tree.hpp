// Depth first through the supports of one regular subproblem. A node is a pair (in, free); with all
// of both fitted, H = inv(G) and b of the free columns say exactly what dropping one costs:
//
//   l_i = b_i^2 / H_ii                                      the loss rises by this when i leaves
//   H <- H - H_.i H_i. / H_ii,  b <- b - b_i H_.i / H_ii    and this is then the state without i
//
// while a column that is decided to stay just disappears from H and b. Nothing is ever refitted. No
// support that lacks m of the free columns has a loss below that of all of them plus
//
//   max( the m-th smallest l_i,  the sum of the m smallest Delta_i b_i^2 )
//
// with any diagonal Delta below the Gram matrix of the free columns (relaxation.hpp; it stays valid
// below the node it was found for). The children of a node drop one column each, the one with the
// largest l_i first, and keep those that their elder siblings drop: so each support is seen once,
// and the largest subtrees are those with the highest losses.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/goal.hpp"
#include "exact/subproblem.hpp"
#include "util/budget.hpp"

namespace lass0 {

class SubsetTree {
 public:
  SubsetTree(const FullGram& gram, Goal& goal, const Budget& budget)
      : gram_(gram), goal_(goal), budget_(budget) {}

  // Visits up to max_nodes nodes; what is left then is returned as subproblems. Supports below
  // their threshold go to the goal, each of them once. `reduced` is that of `root`.
  std::vector<Subproblem> run(const Subproblem& root, const Reduced& reduced,
                              std::int64_t max_nodes);
  std::int64_t nodes() const { return nodes_; }  // of all runs

 private:
  using Indices = Eigen::Matrix<Index, Eigen::Dynamic, 1>;

  // A node: its free columns by falling l. Children have fewer, so every depth has its own memory.
  struct Level {
    explicit Level(Index most);

    Index f = 0;
    Indices column, position;  // which columns; their positions in the parent
    Vector b, l, diagonal, delta;
    Vector H;      // f x f by rows; its diagonal is in `diagonal`
    Vector reach;  // a child that keeps t columns matters when its loss is below reach[t]
  };

  void start(const Subproblem& root, const Reduced& reduced);
  void visit(std::size_t depth, double loss);
  bool evaluate_child(const Level& node, Index t, double loss, Level& child);
  bool expand(Level& node, double loss);
  static void build(const Level& node, Index t, Level& child);
  void leave(const Level& node, Index t, double loss);
  void offer(const Level& node, Index dropped);

  const FullGram& gram_;
  Goal& goal_;
  const Budget& budget_;
  std::vector<Level> levels_;
  std::vector<Index> in_;
  Index root_in_ = 0;  // of these, those of the root
  std::vector<double> root_lower_;
  Vector smallest_;     // of Delta_i b_i^2
  double deflate_ = 1;  // times l: what rounding can't have added to it
  std::vector<Subproblem> rest_;
  std::int64_t nodes_ = 0, last_node_ = 0;
};

}  // namespace lass0
