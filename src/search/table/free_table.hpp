// The table of best supports without signs: what the filler makes of the supports of the Lasso
// path, taken down by elimination, of eliminations without each column, and of larger moves.
#pragma once

#include <lass0/support_table.hpp>
#include <vector>

#include "search/table/free_walker.hpp"
#include "search/table/larger_moves.hpp"
#include "search/table/leave_one_out.hpp"
#include "search/table/table_filler.hpp"

namespace lass0 {

// Up to this many columns a quick search is a full one.
inline constexpr Index kSameEffort = 128;

// Kind: FewColumns or ManyColumns.
template <class Kind>
class FreeTable {
 public:
  FreeTable(const Moments& moments, Index max_k, Effort effort, const Budget& budget,
            bool with_larger_moves = true)
      : moments_(moments),
        budget_(budget),
        effort_(effort),
        with_larger_moves_(with_larger_moves),
        filler_(moments, max_k,
                effort == Effort::quick || moments.cols() <= kSameEffort ? kLittleEscapeWork
                                                                         : kEscapeWork,
                budget) {}

  const std::vector<Row>& rows() const { return filler_.rows(); }
  const LargerMovesTried& larger_moves() const { return tried_; }
  // A support to begin with: it is offered to its row.
  void start_from(const std::vector<Index>& support) {
    filler_.offer(filler_.walker().fitted(support, 0.0, false));
  }
  void begin_with(std::vector<Row> rows) { filler_.begin_with(std::move(rows)); }

  void run() {
    LargerMoves larger_moves(moments_, effort_, budget_, rows_to_improve(), tried_);
    if (!filler_.fill()) return;
    if (leave_one_out()) filler_.settle();
    if (!with_larger_moves_ || !larger_moves.run()) return;
    filler_.settle();
    for (int i = 0; i < kMoreLargerMoves && larger_moves.again(); ++i) filler_.settle();
  }

  // From rows that are there for every size: until no move makes any of them better.
  void settle() { filler_.settle(); }

  void extend(Index from, Index asked) {
    filler_.extend(from, asked, [&] { run(); });
  }
  void extend_to(Index max_k, const std::vector<std::vector<Index>>& starts = {}) {
    filler_.extend_to(max_k, [&] {
      start_from(starts);
      run();
    });
  }
  // By moves from the starts alone.
  void extend_near(Index max_k, const std::vector<std::vector<Index>>& starts) {
    filler_.extend_to(max_k, [&] {
      start_from(starts);
      filler_.fill_by_moves();
    });
  }

 private:
  static constexpr int kMoreLargerMoves = 3;  // rounds of larger moves from the rows themselves

  void start_from(const std::vector<std::vector<Index>>& supports) {
    for (const std::vector<Index>& support : supports) start_from(support);
  }

  LargerMoves::Rows rows_to_improve() {
    LargerMoves::Rows rows;
    rows.first = [&] { return filler_.first(); };
    rows.last = [&] { return filler_.max_k(); };
    rows.support = [&](Index k) -> const std::vector<Index>& { return filler_.row(k).support; };
    rows.loss = [&](Index k) { return filler_.row(k).loss; };
    rows.offer = [&](const std::vector<Index>& support, double loss, bool sure) {
      return filler_.offer(support, loss, sure);
    };
    rows.best_columns = [&](const std::vector<Index>& support, Index count) {
      filler_.walker().walk_to(support);
      return filler_.walker().best_adds(count);
    };
    return rows;
  }

  bool leave_one_out() {
    bool improved = false;
    eliminate_without_each(
        moments_, filler_.max_k(), [&](Index k) { return filler_.row(k).loss; },
        [&](const std::vector<Index>& support, double loss) {
          improved = filler_.offer(support, loss, true) || improved;
        });
    return improved;
  }

  const Moments& moments_;
  const Budget& budget_;
  const Effort effort_;
  const bool with_larger_moves_;
  LargerMovesTried tried_;
  TableFiller<FreeWalker<Kind>> filler_;
};

}  // namespace lass0
