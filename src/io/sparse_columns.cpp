#include "io/sparse_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <unordered_map>

#include "util/memory.hpp"

namespace lass0::io {

void Triplets::add(Index i, Index j, double v) {
  row.push_back(static_cast<std::int32_t>(i));
  col.push_back(static_cast<std::int32_t>(j));
  value.push_back(v);
}

void Triplets::keep_columns(std::span<const Index> columns) {
  std::unordered_map<std::int32_t, std::int32_t> position;
  for (std::size_t j = 0; j < columns.size(); ++j)
    position.emplace(static_cast<std::int32_t>(columns[j]), static_cast<std::int32_t>(j));
  std::size_t kept = 0;
  for (std::size_t e = 0; e < value.size(); ++e) {
    const auto found = position.find(col[e]);
    if (found == position.end()) continue;
    row[kept] = row[e];
    col[kept] = found->second;
    value[kept++] = value[e];
  }
  row.resize(kept);
  col.resize(kept);
  value.resize(kept);
  cols = std::ssize(columns);
}

bool mostly_empty(Index rows_or_columns, Index values) {
  constexpr Index always_allowed = 1'000'000, most_per_value = 100;
  return rows_or_columns > always_allowed && rows_or_columns / most_per_value > values;
}

SparseColumns compress(const Triplets& entries, const std::string& source) {
  const std::size_t count = entries.value.size();
  const Index rows = entries.rows, cols = entries.cols;
  // Of a column: its start, twice, and its name and place in X, which are made next.
  constexpr double bytes_per_column = 64, bytes_per_value = 12;
  require_memory(
      bytes_per_column * static_cast<double>(cols) + bytes_per_value * static_cast<double>(count),
      fmt::format("the sparse table of {} ({} columns, {} non-zeros)", source, cols, count));
  SparseColumns out;
  out.rows = rows;
  out.cols = cols;
  out.start.assign(static_cast<std::size_t>(cols) + 1, 0);
  for (std::size_t e = 0; e < count; ++e) ++out.start[static_cast<std::size_t>(entries.col[e]) + 1];
  for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j) out.start[j + 1] += out.start[j];
  std::vector<std::int64_t> next(out.start.begin(), out.start.end() - 1);
  out.row.resize(count);
  out.value.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(entries.col[e])]++);
    out.row[at] = entries.row[e];
    out.value[at] = entries.value[e];
  }

  std::vector<std::pair<std::int32_t, double>> column;
  std::size_t kept = 0;
  for (Index j = 0; j < cols; ++j) {
    const auto first = static_cast<std::size_t>(out.start[static_cast<std::size_t>(j)]);
    const auto last = static_cast<std::size_t>(out.start[static_cast<std::size_t>(j) + 1]);
    column.clear();
    for (std::size_t e = first; e < last; ++e) column.emplace_back(out.row[e], out.value[e]);
    std::sort(column.begin(), column.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    out.start[static_cast<std::size_t>(j)] = static_cast<std::int64_t>(kept);
    for (std::size_t e = 0; e < column.size(); ++e) {
      if (e > 0 && column[e].first == column[e - 1].first) {
        throw Error(fmt::format("{}: row {}, column {} is given twice", source, column[e].first + 1,
                                j + 1));
      }
      if (column[e].second == 0) continue;
      out.row[kept] = column[e].first;
      out.value[kept++] = column[e].second;
    }
  }
  out.start.back() = static_cast<std::int64_t>(kept);
  out.row.resize(kept);
  out.value.resize(kept);
  return out;
}

}  // namespace lass0::io
