// Rows with missing values: an error, or left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>

#include "io/assemble.hpp"

namespace lass0::io {
namespace {

// Text columns that are no features: a target of two classes, and those that say which rows belong
// together.
bool is_label(const Plan& plan, Index slot) {
  return slot == classes_slot(plan) ||
         (plan.folds >= 0 && plan.text_slot[at(plan.folds)] == slot) ||
         (plan.groups >= 0 && plan.text_slot[at(plan.groups)] == slot);
}

Index count_missing(const RawTable& raw) {
  Index count = 0;
  for (const ColumnNotes& notes : raw.notes) count += notes.missing.count;
  for (const TextColumn& text : raw.texts) count += text.missing.count;
  return count;
}

[[noreturn]] void throw_missing(const RawTable& raw) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& name, const Noted& missing) {
    if (missing.count > 0)
      columns.push_back(
          fmt::format("{} ({}, first in row {})", name, missing.count, missing.first.row));
  };
  for (Index slot = 0; slot < raw.plan.number_columns; ++slot)
    add(raw.plan.number_names[at(slot)], raw.notes[at(slot)].missing);
  for (Index slot = 0; slot < raw.plan.text_columns; ++slot)
    add(raw.plan.text_names[at(slot)], raw.texts[at(slot)].missing);
  if (raw.piece)  // how many there are, nobody knows yet
    throw Error(fmt::format("{}: missing values, the first ones in {}; use --missing drop",
                            raw.source, list(columns)));
  throw Error(fmt::format("{}: {} in {}: {}; use --missing drop or --missing mean", raw.source,
                          plural(count_missing(raw), "missing value"),
                          plural(std::ssize(columns), "column"), list(columns)));
}

}  // namespace

Dropped drop_rows(RawTable& raw, MissingValues missing) {
  Dropped dropped;
  if (count_missing(raw) == 0) return dropped;
  if (missing == MissingValues::error) throw_missing(raw);
  std::vector<bool> bad(at(raw.rows), false);
  for (Index slot = 0; slot < raw.plan.number_columns; ++slot) {
    const bool needed = missing == MissingValues::drop || slot == target_slot(raw.plan) ||
                        slot == weights_slot(raw.plan) || slot == offset_slot(raw.plan);
    if (!needed || raw.notes[at(slot)].missing.count == 0) continue;
    dropped.by.emplace_back(raw.plan.number_names[at(slot)], raw.notes[at(slot)].missing.count);
    for (Index i = 0; i < raw.rows; ++i)
      if (std::isnan(raw.numbers(i, slot))) bad[at(i)] = true;
  }
  for (Index slot = 0; slot < raw.plan.text_columns; ++slot) {
    const TextColumn& text = raw.texts[at(slot)];
    const bool needed = missing == MissingValues::drop || is_label(raw.plan, slot);
    if (!needed || text.missing.count == 0) continue;
    dropped.by.emplace_back(raw.plan.text_names[at(slot)], text.missing.count);
    for (Index i = 0; i < raw.rows; ++i)
      if (text.codes[at(i)] < 0) bad[at(i)] = true;
  }
  std::stable_sort(dropped.by.begin(), dropped.by.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });

  std::vector<Index> kept;
  for (Index i = 0; i < raw.rows; ++i) {
    if (bad[at(i)])
      dropped.rows.push_back(raw.first_row + i + 1);
    else
      kept.push_back(i);
  }
  if (kept.empty() && !raw.piece)
    throw Error(fmt::format(
        "{}: every row has a missing value, most often in {}, so no row is left: --exclude these "
        "columns, or use --missing mean",
        raw.source, dropped.by.front().first));
  if (dropped.rows.empty()) return dropped;
  keep_rows(raw.numbers, kept);
  for (TextColumn& text : raw.texts) {
    for (std::size_t i = 0; i < kept.size(); ++i) text.codes[i] = text.codes[at(kept[i])];
    text.codes.resize(kept.size());
  }
  raw.rows = std::ssize(kept);
  return dropped;
}

}  // namespace lass0::io
