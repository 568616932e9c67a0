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

#include "search/table/best_by_size.hpp"
#include "search/table/lasso_supports.hpp"
#include "util/budget.hpp"

namespace lass0 {

// The sizes from `first` to `last`, the largest first and each `ratio` times the next, at which
// larger moves may find more than swaps: where rows are few for that many columns, but not too few
// to find anything.
std::vector<Index> hard_sizes(const Moments& moments, Index first, Index last, double ratio);
// A few of them, for a first try.
std::vector<Index> first_hard_sizes(const Moments& moments, Index first, Index last);

// Data on which trying all sizes takes a second or more.
bool is_large(const Moments& moments);

// The largest size for which there are enough rows that a search can find anything.
Index largest_findable(const Moments& moments);

// A sign that many columns are true and rows are few: where they are few for a size, the loss of
// the next sizes, up to `last`, still falls faster than columns that mean nothing would lower it.
// loss(k): in any units.
bool falls_faster_than_noise(const Moments& moments, Index last,
                             const std::function<double(Index k)>& loss);

// How far the Lasso path is followed at first, for a table of sizes up to `last`.
Index first_path_length(const Moments& moments, Index last);

class LargerMoves {
 public:
  // The table, as far as larger moves look at it.
  struct Rows {
    std::function<Index()> first, last;  // sizes
    std::function<const std::vector<Index>&(Index k)> support;
    std::function<double(Index k)> loss;
    // Takes a support where it is better than its row. True: it was.
    std::function<bool(const std::vector<Index>& support, double loss, bool sure)> offer;
    // The `count` columns whose add lowers the loss of a support most, the best first.
    std::function<std::vector<Index>(const std::vector<Index>& support, Index count)> best_columns;
  };

  // Follows the Lasso path, not very far: its supports are offered to the rows, and are starts for
  // later. `tried` is added to.
  LargerMoves(const Moments& moments, Effort effort, const Budget& budget, Rows rows,
              LargerMovesTried& tried);

  // Tries a few sizes. Where no row would fall by about as much as a column is worth, nothing
  // changes and that is all (false): on easy data it costs little. Otherwise follows the Lasso path
  // far and tries all sizes; true: rows got better.
  bool run();
  // From the rows themselves. True: rows got better.
  bool again();

 private:
  void keep_start(const std::vector<Index>& support, double loss);
  void visit_lasso(Index longest);
  void descend(BestBySize::Support at, Index most_columns, double least_progress);
  BestBySize::Support shrink(const std::vector<Index>& expanded, Index k);
  double best_evidence() const;  // of a row, or of no column at all
  bool may_matter(Index k) const;
  bool worth_going_on() const;
  bool offer_found();

  const Moments& moments_;
  const Budget& budget_;
  const bool thorough_;
  const Rows rows_;
  LargerMovesTried& tried_;
  LassoSupports lasso_;
  std::vector<std::vector<BestBySize::Support>> starts_;  // by size, the best first
  BestBySize found_;                                      // of all that eliminations passed
  std::unordered_set<std::uint64_t> expanded_;            // sets that were taken down before
};

}  // namespace lass0
