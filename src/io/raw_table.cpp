#include "io/raw_table.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "util/memory.hpp"

namespace lass0::io {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

// Changes the shape to rows x cols; the new values must already stand packed at the start of the
// storage. Eigen keeps the storage while the size stays, and a matrix of one row shrinks by
// realloc: nothing is copied.
void shrink(Matrix& matrix, Index rows, Index cols) {
  matrix.resize(1, matrix.size());
  matrix.conservativeResize(1, rows * cols);
  matrix.resize(rows, cols);
}

}  // namespace

void Noted::add(Index row, Index line, std::string_view text) {
  if (count++ == 0) first = {row + 1, line, std::string(text)};
}

void TextColumn::put(Index row, std::string_view text, Index line) {
  if (is_missing(text)) {
    missing.add(row, line, text);
    codes.push_back(-1);
    return;
  }
  auto found = code_of_.find(text);
  if (found == code_of_.end()) {
    found = code_of_.emplace(text, static_cast<std::int32_t>(levels.size())).first;
    levels.emplace_back(text);
  }
  codes.push_back(found->second);
}

void Triplets::add(Index i, Index j, double v) {
  row.push_back(static_cast<std::int32_t>(i));
  col.push_back(static_cast<std::int32_t>(j));
  value.push_back(v);
}

SparseColumns compress(const Triplets& entries, Index rows, Index cols, const std::string& source) {
  const std::size_t count = entries.value.size();
  require_memory(
      16.0 * static_cast<double>(cols) + 12.0 * static_cast<double>(count),
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

RawTable::RawTable(const Input& input, const std::vector<std::string>& names, Index capacity,
                   std::string_view default_target)
    : source(input.source),
      plan(plan_columns(input.source, names, input.options, default_target)),
      rows(capacity),
      notes(static_cast<std::size_t>(plan.number_columns)),
      texts(static_cast<std::size_t>(plan.text_columns)) {
  numbers = allocate_matrix(
      capacity, plan.number_columns,
      fmt::format("the table of {} ({} rows x {} columns)", source, capacity, plan.number_columns));
  for (TextColumn& text : texts) text.codes.reserve(static_cast<std::size_t>(capacity));
}

RawTable::RawTable(const Input& input, SparseColumns columns, std::string_view default_target)
    : source(input.source),
      plan(plan_columns(input.source, numbered_names(columns.cols), input.options, default_target)),
      rows(columns.rows),
      sparse(std::move(columns)) {}

double RawTable::number(Index slot, std::string_view text, Index row, Index line) {
  ColumnNotes& about = notes[static_cast<std::size_t>(slot)];
  text = trim(text);
  if (is_missing(text)) {
    about.missing.add(row, line, text);
    return missing_value;
  }
  const std::optional<double> value = parse_number(text);
  if (!value) {
    about.text.add(row, line, text);
    return missing_value;
  }
  if (std::isnan(*value)) about.missing.add(row, line, text);
  if (std::isinf(*value)) about.infinite.add(row, line, text);
  return *value;
}

double RawTable::check(Index slot, double value, Index row) {
  ColumnNotes& about = notes[static_cast<std::size_t>(slot)];
  if (std::isnan(value)) about.missing.add(row, 0, "");
  if (std::isinf(value)) about.infinite.add(row, 0, value > 0 ? "inf" : "-inf");
  return value;
}

void RawTable::put(Index column, std::string_view text, Index row, Index line) {
  const Index number_slot = plan.number_slot[static_cast<std::size_t>(column)];
  const Index text_slot = plan.text_slot[static_cast<std::size_t>(column)];
  if (number_slot >= 0) numbers(row, number_slot) = number(number_slot, text, row, line);
  if (text_slot >= 0) texts[static_cast<std::size_t>(text_slot)].put(row, text, line);
}

void RawTable::put(Index column, double value, Index row) {
  const Index number_slot = plan.number_slot[static_cast<std::size_t>(column)];
  const Index text_slot = plan.text_slot[static_cast<std::size_t>(column)];
  if (number_slot >= 0) numbers(row, number_slot) = check(number_slot, value, row);
  if (text_slot >= 0)
    texts[static_cast<std::size_t>(text_slot)].put(
        row, std::isnan(value) ? "" : fmt::format("{}", value), 0);
}

void RawTable::finish(Index rows_read) {
  if (rows_read < rows) keep_first_rows(numbers, rows_read);
  rows = rows_read;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, value);
  // Out of range is an infinity (reported as such) or a zero.
  if ((parsed.ec != std::errc() && parsed.ec != std::errc::result_out_of_range) ||
      parsed.ptr != end)
    return {};
  return value;
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 10> words = {"",     "NA",   "N/A",  "NaN", "nan",
                                                      "null", "NULL", "None", "?",   "."};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string place(const Cell& cell) {
  return cell.line > 0 ? fmt::format("row {} (line {})", cell.row, cell.line)
                       : fmt::format("row {}", cell.row);
}

std::vector<std::string> numbered_names(Index count) {
  require_memory(sizeof(std::string) * static_cast<double>(count),
                 fmt::format("the names of {} columns", count));
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index j = 1; j <= count; ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

void keep_rows(Matrix& matrix, std::span<const Index> rows) {
  double* to = matrix.data();
  for (Index j = 0; j < matrix.cols(); ++j) {
    const double* column = matrix.data() + j * matrix.rows();
    for (const Index i : rows) *to++ = column[i];
  }
  shrink(matrix, std::ssize(rows), matrix.cols());
}

void keep_first_rows(Matrix& matrix, Index rows) {
  for (Index j = 1; j < matrix.cols(); ++j) {
    const double* column = matrix.data() + j * matrix.rows();
    std::copy(column, column + rows, matrix.data() + j * rows);
  }
  shrink(matrix, rows, matrix.cols());
}

void keep_first_columns(Matrix& matrix, Index cols) { shrink(matrix, matrix.rows(), cols); }

}  // namespace lass0::io
