// What a table answers, and how large it is unless asked.
#include <algorithm>
#include <lass0/error.hpp>
#include <lass0/support_table.hpp>

namespace lass0 {
namespace {

constexpr Index kLargestDefault = 100;

}  // namespace

const TableRow& SupportTable::at_k(Index k) const {
  if (k < 0 || k > max_k()) {
    throw UsageError("there is no support of size " + std::to_string(k) + ": the table ends at " +
                     std::to_string(max_k()));
  }
  return rows[static_cast<std::size_t>(k)];
}

const TableRow& SupportTable::at_lambda(double lambda) const {
  const auto value = [&](const TableRow& row) {
    return 0.5 * row.loss + lambda * static_cast<double>(row.support.size());
  };
  const TableRow* best = &rows.front();
  for (const TableRow& row : rows) {
    if (value(row) < value(*best)) best = &row;
  }
  return *best;
}

Index default_max_k(const Moments& moments) {
  Index candidates = 0;
  for (Index j = 0; j < moments.cols(); ++j) candidates += moments.eligible(j) ? 1 : 0;
  // A weight of 2 is the row twice here too; weights below 1 do not make rows fewer.
  const double rows = std::max(static_cast<double>(moments.rows()), moments.weight());
  const double half = std::clamp(rows / 2, 1.0, static_cast<double>(kLargestDefault));
  return std::min(candidates, static_cast<Index>(half));
}

}  // namespace lass0
