// The best support of every size k = 0 .. K that the search has seen, and with it the answer for
// every lambda: for the L0 objective the solutions over all lambdas are the lower convex envelope
// of the points (k, RSS_k / 2).
#pragma once

#include <lass0/moments.hpp>
#include <lass0/status.hpp>
#include <optional>
#include <vector>

namespace lass0 {

struct TableOptions {
  Index max_k = -1;  // rows asked for; -1: default_max_k(). Rows that both hold do not depend on it
  Control control = {};
};

struct TableRow {
  std::vector<Index> support;  // ascending; its size is k
  double rss = 0;
  // Where this row is the best of the table: lambda_min <= lambda <= lambda_max (infinity for k =
  // 0). Empty where no lambda selects it.
  std::optional<double> lambda_min = {}, lambda_max = {};
  bool swap_optimal = false;  // no swap of a member for any other column lowers RSS: shown by a
                              // scan over all of them
  bool proven = false;        // no support of this size has a lower loss: shown by prove_table
  std::optional<double> lower_bound = {};  // on the loss of this size, where a proof was tried
};

struct SupportTable {
  std::vector<TableRow> rows;  // rows[k] has k columns; RSS falls strictly from row to row
  Status status = Status::local_optimum;  // time_limit or interrupted: the rows are the best so far
  double seconds = 0;

  Index max_k() const { return std::ssize(rows) - 1; }
  const TableRow& at_k(Index k) const;  // throws UsageError beyond max_k()
  const TableRow& at_lambda(
      double lambda) const;  // the row with the least 1/2 RSS + lambda k; the smaller k of two
};

// min(100, rank, n / 2), at least 1 where there is a column to choose.
Index default_max_k(const Moments& moments);

SupportTable best_supports(const Moments& moments, const TableOptions& options = {});
SupportTable best_supports(const Problem& problem, const TableOptions& options = {});

}  // namespace lass0
