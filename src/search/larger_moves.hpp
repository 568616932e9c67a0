// Larger moves, for a table whose rows no add, remove or swap improves. Where many columns are true
// and rows are few, such rows can be far from the best ones, and what helps is another start and a
// move that exchanges many members at once:
//
//   start            the best support of k columns among those that backward elimination makes of
//                    the Lasso path's supports, whatever its loss is beside the row's
//   expand, shrink   the L best-scoring columns join at once, and elimination goes back to k, for L
//                    from 3 k down to k / 8, until no L lowers the loss
//
// Every size that an elimination passes is a support for the row of that size, too.
#pragma once

#include <cstdint>
#include <functional>
#include <lass0/moments.hpp>
#include <lass0/support_table.hpp>
#include <unordered_set>
#include <vector>

#include "search/best_by_size.hpp"
#include "search/lasso_supports.hpp"
#include "util/budget.hpp"

namespace lass0 {

class LargerMoves {
 public:
  // The table, as far as larger moves look at it.
  struct Rows {
    Index first = 1, last = 0;  // sizes
    std::function<const std::vector<Index>&(Index k)> support;
    std::function<double(Index k)> loss;
    // Takes a support where it is better than its row. True: it was.
    std::function<bool(const std::vector<Index>& support, double loss, bool sure)> offer;
    // The `count` columns whose add lowers the loss of a support most, the best first.
    std::function<std::vector<Index>(const std::vector<Index>& support, Index count)> best_columns;
  };

  LargerMoves(const Moments& moments, const Budget& budget)
      : moments_(moments), budget_(budget), lasso_(moments, budget) {}

  // The Lasso path, not very far; its supports are offered to the rows, and are starts for later.
  void begin(const Rows& rows);
  // Tries a few sizes. Where no row would fall by about as much as a column is worth, nothing
  // changes and that is all (false): on easy data it costs little. Otherwise follows the Lasso path
  // far and tries all sizes; true: rows got better.
  bool run(const Rows& rows);
  // From the rows themselves, those that are new. True: rows got better.
  bool again(const Rows& rows);

  const LargerMovesTried& tried() const { return tried_; }

 private:
  void keep_start(const std::vector<Index>& support, double loss);
  void visit_lasso(const Rows& rows, Index longest);
  void descend(const Rows& rows, BestBySize::Support at, Index most_columns, double least_progress);
  BestBySize::Support shrink(const std::vector<Index>& expanded, Index k);
  bool worth_going_on(const Rows& rows) const;
  bool offer_found(const Rows& rows);
  Index most_columns(Index multiple, Index last) const;
  std::vector<Index> sizes(const Rows& rows, double ratio) const;

  const Moments& moments_;
  const Budget& budget_;
  LassoSupports lasso_;
  std::vector<std::vector<BestBySize::Support>> starts_;  // by size, the best first
  BestBySize found_;                                      // of all that eliminations passed
  std::unordered_set<std::uint64_t> expanded_;            // sets that were taken down before
  LargerMovesTried tried_;
};

}  // namespace lass0
