#include "io/raw_table.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// Predictions need few of the columns, of which the file may claim any number: the others are left
// out, and the plan counts among those that stay.
void keep_planned_columns(Triplets& entries, Plan& plan) {
  std::vector<Index> kept;
  std::unordered_map<Index, Index> position;
  const auto keep = [&](Index& column) {
    const auto [found, is_new] = position.emplace(column, std::ssize(kept));
    if (is_new) kept.push_back(column);
    column = found->second;
  };
  for (Plan::Feature& feature : plan.features) keep(feature.column);
  if (plan.target >= 0) keep(plan.target);
  if (plan.offset >= 0) keep(plan.offset);
  if (plan.id >= 0) keep(plan.id);
  entries.keep_columns(kept);
}

}  // namespace

Plan plan_with_slots(const ColumnNames& names, const ReadOptions& options,
                     std::string_view default_target) {
  Plan plan = plan_columns(names, options, default_target);
  give_slots(names, plan);
  return plan;
}

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

RawTable::RawTable(const Input& input, const ColumnNames& names, Index capacity,
                   std::string_view default_target)
    : RawTable(input, plan_with_slots(names, input.options, default_target), capacity) {}

RawTable::RawTable(const Input& input, const Plan& made, Index capacity)
    : source(input.source), plan(made), rows(capacity), decimal(input.options.decimal) {
  make_room();
}

RawTable::RawTable(const Input& input, const ColumnNames& names, Plan planned, Index row_count,
                   ColumnsInPlace columns_in_place)
    : source(input.source),
      plan(std::move(planned)),
      rows(row_count),
      in_place(std::move(columns_in_place)),
      decimal(input.options.decimal) {
  give_slots(names, plan, in_place->columns);
  make_room();
}

void RawTable::make_room() {
  notes.resize(static_cast<std::size_t>(plan.number_columns));
  texts.resize(static_cast<std::size_t>(plan.text_columns));
  numbers = allocate_matrix(
      rows, plan.number_columns,
      fmt::format("the table of {} ({} rows x {} columns)", source, rows, plan.number_columns));
  for (TextColumn& text : texts) text.codes.reserve(static_cast<std::size_t>(rows));
  if (plan.id >= 0) ids.resize(static_cast<std::size_t>(rows));
}

RawTable::RawTable(const Input& input, Triplets entries, std::string_view default_target)
    : source(input.source),
      plan(
          plan_columns(ColumnNames::numbered(source, entries.cols), input.options, default_target)),
      rows(entries.rows) {
  for (const Plan::Feature& feature : plan.features) {
    if (!feature.text) continue;
    throw Error(fmt::format(
        "{}: column 'x{}' can't be one-hot coded: the file is sparse, its columns are numbers",
        source, feature.column + 1));
  }
  if (plan.predicting) keep_planned_columns(entries, plan);
  sparse = compress(entries, source);
}

double RawTable::number(Index slot, std::string_view text, Index row, Index line) {
  ColumnNotes& about = notes[static_cast<std::size_t>(slot)];
  row += first_row;
  text = trim(text);
  if (is_missing(text)) {
    about.missing.add(row, line, text);
    return missing_value;
  }
  const std::optional<double> value = cell_value(about, text, row, line);
  if (!value) {
    about.text.add(row, line, text);
    return missing_value;
  }
  if (std::isnan(*value)) about.missing.add(row, line, text);
  if (std::isinf(*value)) about.infinite.add(row, line, text);
  return *value;
}

// A number, by the decimal sign of the file; notes what the text would be by another one.
std::optional<double> RawTable::cell_value(ColumnNotes& about, std::string_view text, Index row,
                                           Index line) const {
  if (decimal == '.') {
    const std::optional<double> value = parse_number(text);
    if (!value && delimited) {
      about.other_decimal += parse_comma_number(text).has_value();
      about.thousands += has_thousands_commas(text);
    }
    return value;
  }
  const std::optional<CommaNumber> number = parse_comma_number(text);
  if (!number) {
    about.other_decimal += parse_number(text).has_value();
    return {};
  }
  if (number->points == CommaNumber::Points::doubtful) about.doubtful.add(row, line, text);
  if (number->points == CommaNumber::Points::proof) about.points_are_thousands = true;
  return number->value;
}

double RawTable::check(Index slot, double value, Index row) {
  ColumnNotes& about = notes[static_cast<std::size_t>(slot)];
  row += first_row;
  if (std::isnan(value)) about.missing.add(row, 0, "");
  if (std::isinf(value)) about.infinite.add(row, 0, value > 0 ? "inf" : "-inf");
  return value;
}

void RawTable::put(Index column, std::string_view text, Index row, Index line) {
  const Index number_slot = plan.number_slot[static_cast<std::size_t>(column)];
  const Index text_slot = plan.text_slot[static_cast<std::size_t>(column)];
  if (number_slot >= 0) numbers(row, number_slot) = number(number_slot, text, row, line);
  if (text_slot >= 0) texts[static_cast<std::size_t>(text_slot)].put(row, text, line);
  if (column == plan.id) ids[static_cast<std::size_t>(row)] = text;
}

void RawTable::put(Index column, double value, Index row) {
  const Index number_slot = plan.number_slot[static_cast<std::size_t>(column)];
  const Index text_slot = plan.text_slot[static_cast<std::size_t>(column)];
  if (number_slot >= 0) numbers(row, number_slot) = check(number_slot, value, row);
  if (text_slot >= 0)
    texts[static_cast<std::size_t>(text_slot)].put(
        row, std::isnan(value) ? "" : fmt::format("{}", value), 0);
  if (column == plan.id) ids[static_cast<std::size_t>(row)] = fmt::format("{}", value);
}

void RawTable::finish(Index rows_read) {
  if (rows_read < rows) keep_first_rows(numbers, rows_read);
  rows = rows_read;
  if (plan.id >= 0) ids.resize(static_cast<std::size_t>(rows));
}

std::string place(const Cell& cell) {
  return cell.line > 0 ? fmt::format("row {} (line {})", cell.row, cell.line)
                       : fmt::format("row {}", cell.row);
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
