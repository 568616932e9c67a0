// The best support that the search has found for every size k = 0 .. K. It also has the answer for
// every lambda: the solutions over all lambdas are the corners of the lower convex envelope of the
// points (k, loss_k / 2).
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace lass0 {

// How thorough a search is. Up to 128 columns, and with sign constraints, both are the same.
enum class Effort {
  full,
  quick,  // fewer trials to escape local optima; with more than 1024 columns only a short list is
          // considered (for the first 128 rows or so): the columns most correlated with y and with
          // the residuals of good models
};

std::string_view to_string(Effort effort);  // "full", "quick"

struct TableOptions {
  // The largest size; by default default_max_k(). Asking for more sizes never changes the smaller
  // ones: the default rows are always computed, and further rows in blocks of a quarter (so up to a
  // quarter more rows are computed than this).
  std::optional<Index> max_k = {};
  Effort effort = Effort::full;
  Control control = {};
};

struct TableRow {
  std::vector<Index> support;  // the k chosen columns, ascending, without included ones
  double loss = 0;             // its RSS plus, with a ridge, the ridge term
  // This row is the best of the table for lambda_min <= lambda <= lambda_max (infinity for k = 0).
  // Empty if no lambda selects it.
  std::optional<double> lambda_min = {}, lambda_max = {};
  bool swap_optimal = false;  // no swap of a member for any other column lowers the loss: all were
                              // checked
  bool proven = false;        // no support of this size has a lower loss: proven by prove_table
  std::optional<double> lower_bound = {};  // on the loss of this size, if a proof was tried
};

// The sizes at which moves larger than swaps were tried (docs/table.md).
struct LargerMovesTried {
  std::vector<Index> sizes;  // ascending
  Index improved = 0;        // number of rows that they improved
};

struct SupportTable {
  std::vector<TableRow> rows;  // rows[k] has k columns; the loss falls strictly from row to row
  // local_optimum; unchecked: a quick search, which compared no row with all columns; time_limit or
  // interrupted: the rows are the best so far.
  Status status = Status::local_optimum;
  Effort effort = Effort::full;  // of the search; full if a quick one would be the same
  LargerMovesTried larger_moves;
  // Of a target of two classes, where the table had to end: some combination of these columns (and
  // of the included ones) separates the classes, so a model with them has no finite coefficients.
  // Empty: it did not.
  std::vector<Index> separated_by = {};
  double seconds = 0;

  Index max_k() const { return std::ssize(rows) - 1; }
  const TableRow& at_k(Index k) const;  // throws UsageError beyond max_k()
  const TableRow& at_lambda(double lambda)
      const;  // the row with the lowest 1/2 loss + lambda k; of equal rows, the smaller
};

// min(100, columns that can be chosen, n / 2), but at least 1 if there is a column. n is the number
// of rows, or the sum of their weights if that is larger. (The table itself ends if no independent
// column is left.)
Index default_max_k(const Moments& moments);

SupportTable best_supports(const Moments& moments, const TableOptions& options = {});
SupportTable best_supports(const Problem& problem, const TableOptions& options = {});

}  // namespace lass0
