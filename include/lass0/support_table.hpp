// The best support of every size k = 0 .. K that the search has seen, and with it the answer for
// every lambda: for the L0 objective the solutions over all lambdas are the lower convex envelope
// of the points (k, loss_k / 2).
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace lass0 {

// How hard a search tries. Up to 128 columns, and with signs, there is no difference.
enum class Effort {
  full,
  quick,  // fewer ways out of local optima; of more than 1024 columns only a short list is looked
          // at (for the first 128 rows or so): those nearest to y and to the residuals of good
          // models
};

std::string_view to_string(Effort effort);  // "full", "quick"

struct TableOptions {
  // Rows asked for; -1: default_max_k(). Asking for more rows never changes the smaller ones: the
  // default rows are always computed, and those beyond them in steps of a quarter (so that up to a
  // quarter more rows are computed than were asked for).
  Index max_k = -1;
  Effort effort = Effort::full;
  Control control = {};
};

struct TableRow {
  std::vector<Index>
      support;      // the columns chosen, ascending: k of them, included ones not counted
  double loss = 0;  // its RSS, with the ridge term where the problem has a ridge
  // Where this row is the best of the table: lambda_min <= lambda <= lambda_max (infinity for k =
  // 0). Empty where no lambda selects it.
  std::optional<double> lambda_min = {}, lambda_max = {};
  bool swap_optimal = false;  // no swap of a member for any other column lowers the loss: shown by
                              // a scan over all of them
  bool proven = false;        // no support of this size has a lower loss: shown by prove_table
  std::optional<double> lower_bound = {};  // on the loss of this size, where a proof was tried
};

// Where larger moves than swaps were tried (docs/table.md).
struct LargerMovesTried {
  std::vector<Index> sizes;  // ascending
  Index improved = 0;        // rows that got better by them
};

struct SupportTable {
  std::vector<TableRow> rows;  // rows[k] has k columns; the loss falls strictly from row to row
  // local_optimum; unchecked: by a quick search, so that no row was compared with all columns;
  // time_limit or interrupted: the rows are the best so far.
  Status status = Status::local_optimum;
  Effort effort = Effort::full;  // of the search; full where a quick one would have been the same
  LargerMovesTried larger_moves;
  double seconds = 0;

  Index max_k() const { return std::ssize(rows) - 1; }
  const TableRow& at_k(Index k) const;  // throws UsageError beyond max_k()
  const TableRow& at_lambda(
      double lambda) const;  // the row with the least 1/2 loss + lambda k; the smaller k of two
};

// min(100, columns that can be chosen, n / 2), at least 1 where there is one; n is the number of
// rows, or the sum of their weights where that is larger. (The table itself ends where no
// independent column is left: at the rank.)
Index default_max_k(const Moments& moments);

SupportTable best_supports(const Moments& moments, const TableOptions& options = {});
SupportTable best_supports(const Problem& problem, const TableOptions& options = {});

}  // namespace lass0
