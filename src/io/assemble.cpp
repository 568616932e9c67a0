#include "io/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>
#include <numeric>

#include "design/side_by_side.hpp"
#include "io/classes.hpp"
#include "util/memory.hpp"

namespace lass0::io {
namespace {

[[noreturn]] void throw_not_a_number(const RawTable& raw, Index slot) {
  const Cell& cell = raw.notes[at(slot)].text.first;
  throw Error(fmt::format("{}: {}, column '{}': '{}' is not a number", raw.source, place(cell),
                          raw.plan.number_names[at(slot)], cell.text));
}

// A column of which less than half is numbers is meant as text; in others, single cells are wrong.
bool is_text(const RawTable& raw, Index slot) {
  const ColumnNotes& notes = raw.notes[at(slot)];
  const Index present = raw.rows - notes.missing.count;
  return notes.text.count > 0 && 2 * notes.text.count > present;
}

// What a column of numbers is if it is not one of X.
std::string_view role_of_numbers(const Plan& plan, Index slot) {
  if (slot == target_slot(plan)) return "target";
  if (slot == weights_slot(plan)) return "weights column";
  if (slot == offset_slot(plan)) return "offset column";
  return "";
}

void check_texts(const RawTable& raw) {
  std::vector<std::string> columns, examples;
  for (Index slot = 0; slot < raw.plan.number_columns; ++slot) {
    if (!is_text(raw, slot) || raw.plan.predicting) continue;
    const Cell& cell = raw.notes[at(slot)].text.first;
    const std::string& name = raw.plan.number_names[at(slot)];
    const std::string_view role = role_of_numbers(raw.plan, slot);
    if (!role.empty()) {
      throw Error(fmt::format(
          "{}: the {} '{}' is text, not numbers ('{}' in {}){}", raw.source, role, name, cell.text,
          place(cell),
          slot == target_slot(raw.plan) ? "; if it has two classes, use --family binomial" : ""));
    }
    columns.push_back(name);
    examples.push_back(fmt::format("{} ('{}' in row {})", name, cell.text, cell.row));
  }
  if (!columns.empty()) {
    // The advice must not be lost behind a long list.
    constexpr std::size_t kFew = 8;
    const bool few = columns.size() <= kFew;
    const std::string all = few ? fmt::format("{}", fmt::join(columns, ",")) : "for them";
    if (!few) examples.resize(kFew);
    throw Error(fmt::format("{}: {}: {}{}; use --one-hot {} or --exclude {}", raw.source,
                            plural(std::ssize(columns), "text column"), fmt::join(examples, ", "),
                            few ? "" : ", ...", all, few ? all : "them"));
  }
  for (Index slot = 0; slot < raw.plan.number_columns; ++slot) {
    if (raw.notes[at(slot)].text.count > 0) throw_not_a_number(raw, slot);
  }
}

void check_infinities(const RawTable& raw) {
  for (Index slot = 0; slot < raw.plan.number_columns; ++slot) {
    if (raw.notes[at(slot)].infinite.count == 0) continue;
    const Cell& cell = raw.notes[at(slot)].infinite.first;
    throw Error(fmt::format("{}: {}, column '{}': '{}' is not a finite number", raw.source,
                            place(cell), raw.plan.number_names[at(slot)], cell.text));
  }
}

// Predictions have no row to spare.
void check_offset(const RawTable& raw) {
  const Index slot = offset_slot(raw.plan);
  if (slot < 0 || raw.notes[at(slot)].missing.count == 0) return;
  const Noted& missing = raw.notes[at(slot)].missing;
  throw Error(fmt::format(
      "{}: {}, column '{}': the offset is missing ({} in all); fill it in or drop such rows",
      raw.source, place(missing.first), raw.plan.offset_name, plural(missing.count, "row")));
}

// A y that is not there for every row is no y; predictions don't need one.
void forget_incomplete_target(RawTable& raw) {
  if (const Index text = classes_slot(raw.plan); text >= 0) {
    if (raw.texts[at(text)].missing.count == 0) return;
  } else {
    const Index slot = target_slot(raw.plan);
    if (slot < 0) return;
    ColumnNotes& notes = raw.notes[at(slot)];
    if (notes.missing.count + notes.text.count + notes.infinite.count == 0) return;
    notes = {};
  }
  raw.plan.target = -1;
  raw.plan.target_name.clear();
}

// The levels that occur.
std::vector<std::string> sorted_levels(const TextColumn& text) {
  std::vector<bool> occurs(text.levels.size(), false);
  for (const std::int32_t code : text.codes)
    if (code >= 0) occurs[at(code)] = true;
  std::vector<std::string> levels;
  for (std::size_t l = 0; l < text.levels.size(); ++l)
    if (occurs[l]) levels.push_back(text.levels[l]);
  return sorted_labels(std::move(levels));
}

// The labels of all rows as numbers 0, 1, ... in the order of the levels, which are named. `column`
// of the file; -1: no labels.
std::vector<int> take_labels(const RawTable& raw, Index column, std::vector<std::string>& levels) {
  std::vector<int> labels;
  if (column < 0) return labels;
  const TextColumn& text = raw.texts[at(raw.plan.text_slot[at(column)])];
  std::map<std::string_view, int> number;
  levels = sorted_levels(text);
  for (const std::string& level : levels) number.emplace(level, static_cast<int>(number.size()));
  labels.reserve(text.codes.size());
  for (const std::int32_t code : text.codes) labels.push_back(number.at(text.levels[at(code)]));
  return labels;
}

// Those that do not stay in the file.
std::vector<Plan::Feature> stored_features(const Plan& plan) {
  std::vector<Plan::Feature> stored;
  for (const Plan::Feature& feature : plan.features)
    if (has_slot(plan, feature)) stored.push_back(feature);
  return stored;
}

std::vector<std::string> stored_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const Plan::Feature& feature : plan.features)
    if (has_slot(plan, feature)) names.push_back(feature_name(plan, feature));
  return names;
}

// The rows have no other level than the known ones.
void check_levels(const RawTable& raw, const TextColumn& text, const std::string& column,
                  const std::vector<std::string>& known) {
  for (std::size_t code = 0; code < text.levels.size(); ++code) {
    if (std::find(known.begin(), known.end(), text.levels[code]) != known.end()) continue;
    const auto first =
        std::find(text.codes.begin(), text.codes.end(), static_cast<std::int32_t>(code));
    if (first == text.codes.end()) continue;  // in rows that were dropped
    throw Error(
        fmt::format("{}: row {}, column '{}': '{}' is not among the {}: {}", raw.source,
                    raw.first_row + (first - text.codes.begin()) + 1, column, text.levels[code],
                    raw.plan.predicting ? "levels of the fit" : "known levels", list(known)));
  }
}

// A text feature of a fit becomes one feature a level; from here on every feature is one column of
// X.
void expand_levels(RawTable& raw, const std::map<std::string, std::vector<std::string>>& known,
                   std::map<std::string, std::vector<std::string>>& one_hot) {
  std::vector<Plan::Feature> expanded;
  for (const Plan::Feature& feature : raw.plan.features) {
    if (!feature.text) {
      expanded.push_back(feature);
      continue;
    }
    const TextColumn& text = raw.texts[at(raw.plan.text_slot[at(feature.column)])];
    const auto given = known.find(feature_name(raw.plan, feature));
    std::vector<std::string> levels = given != known.end() ? given->second : sorted_levels(text);
    if (given != known.end()) check_levels(raw, text, given->first, levels);
    if (levels.empty() && !raw.piece)
      throw Error(fmt::format("{}: column '{}' is missing in every row; exclude it", raw.source,
                              feature_name(raw.plan, feature)));
    for (std::size_t l = 1; l < levels.size(); ++l) {
      expanded.push_back(feature);
      expanded.back().level = static_cast<std::int32_t>(raw.plan.levels.size());
      raw.plan.levels.push_back(levels[l]);
    }
    one_hot[feature_name(raw.plan, feature)] = std::move(levels);
  }
  raw.plan.features = std::move(expanded);
  if (raw.plan.features.empty() && !raw.piece)
    throw Error(fmt::format(
        "{}: no columns are left for X: the one-hot columns have one level each", raw.source));

  std::vector<std::string> names = stored_names(raw.plan);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw Error(
        fmt::format("{}: one-hot coding makes a second column '{}'; rename or exclude the first",
                    raw.source, *twice));
  }
}

void fill_indicator(const TextColumn& text, const std::string& level, Eigen::Ref<Vector> out) {
  const auto found = std::find(text.levels.begin(), text.levels.end(), level);
  const auto wanted = found == text.levels.end()
                          ? std::int32_t{-2}
                          : static_cast<std::int32_t>(found - text.levels.begin());
  for (Index i = 0; i < out.size(); ++i) {
    const std::int32_t code = text.codes[at(i)];
    out(i) = code < 0 ? std::numeric_limits<double>::quiet_NaN() : (code == wanted ? 1.0 : 0.0);
  }
}

// X in the order of the features. In the usual case it is the stored numbers without the last
// columns, and nothing moves.
Matrix take_features(RawTable& raw, const std::vector<Plan::Feature>& features) {
  const Index p = std::ssize(features);
  bool in_place = p <= raw.plan.number_columns;
  for (Index j = 0; j < p && in_place; ++j) {
    const Plan::Feature& feature = features[at(j)];
    in_place = !feature.text && raw.plan.number_slot[at(feature.column)] == j;
  }
  if (in_place) {
    keep_first_columns(raw.numbers, p);
    return std::move(raw.numbers);
  }
  Matrix X = allocate_matrix(
      raw.rows, p, fmt::format("the table of {} ({} rows x {} columns)", raw.source, raw.rows, p));
  for (Index j = 0; j < p; ++j) {
    const Plan::Feature& feature = features[at(j)];
    if (feature.text)
      fill_indicator(raw.texts[at(raw.plan.text_slot[at(feature.column)])],
                     raw.plan.levels[at(feature.level)], X.col(j));
    else
      X.col(j) = raw.numbers.col(raw.plan.number_slot[at(feature.column)]);
  }
  return X;
}

bool has_missing(const RawTable& raw, const Plan::Feature& feature) {
  return feature.text ? raw.texts[at(raw.plan.text_slot[at(feature.column)])].missing.count > 0
                      : raw.notes[at(raw.plan.number_slot[at(feature.column)])].missing.count > 0;
}

// The mean of the values that are there, weighted: a row of weight 2 counts as two. NaN when there
// are none.
double present_mean(const ConstVec& column, const Vector& weights) {
  long double sum = 0, total = 0;  // wide enough that values near 1e308 don't overflow
  for (Index i = 0; i < column.size(); ++i) {
    const double weight = weights.size() > 0 ? weights(i) : 1.0;
    if (std::isnan(column(i)) || weight == 0) continue;
    sum += static_cast<long double>(weight) * column(i);
    total += weight;
  }
  return static_cast<double>(sum / total);
}

std::map<std::string, double> impute(const RawTable& raw,
                                     const std::vector<Plan::Feature>& features,
                                     const ReadOptions& options, const Vector& weights, Matrix& X) {
  std::map<std::string, double> used;
  for (Index j = 0; j < X.cols(); ++j) {
    const Plan::Feature& feature = features[at(j)];
    if (!has_missing(raw, feature)) continue;
    Index first = 0;
    while (first < X.rows() && !std::isnan(X(first, j))) ++first;
    if (first == X.rows()) continue;  // the rows concerned were dropped for their target
    const std::string name = feature_name(raw.plan, feature);
    double mean = 0;
    if (raw.plan.predicting) {
      const auto known = options.known_means.find(name);
      if (known == options.known_means.end()) {
        throw Error(fmt::format(
            "{}: row {}, column '{}' is missing ({} in all), and the model has no mean for it; "
            "fill it in or drop such rows (a fit with --missing mean keeps the means of "
            "columns that have missing values)",
            raw.source, first + 1, name, plural(X.col(j).array().isNaN().count(), "row")));
      }
      mean = known->second;
    } else {
      mean = present_mean(X.col(j), weights);
      if (std::isnan(mean)) {
        throw Error(
            fmt::format("{}: column '{}' is missing in every row, so it has no mean; exclude it",
                        raw.source, name));
      }
    }
    X.col(j) = X.col(j).unaryExpr([mean](double x) { return std::isnan(x) ? mean : x; });
    used[name] = mean;
  }
  return used;
}

// The rows that are left where some were dropped.
std::optional<std::vector<Index>> kept_rows(const RawTable& raw, const Dropped& dropped) {
  if (dropped.rows.empty()) return {};
  std::vector<Index> kept;
  kept.reserve(at(raw.rows));
  auto next = dropped.rows.begin();
  for (Index i = 0; std::ssize(kept) < raw.rows; ++i) {
    if (next != dropped.rows.end() && *next == i + 1)
      ++next;
    else
      kept.push_back(i);
  }
  return kept;
}

// The columns that stay in the file, and after them those that were read.
Table with_columns_in_place(RawTable& raw, const Dropped& dropped, const Vector& weights,
                            Table read) {
  Table about = read;
  std::shared_ptr<const Design> design =
      raw.in_place->design(kept_rows(raw, dropped), weights, about);
  std::vector<std::string> names = std::move(raw.in_place->names);
  if (read.design().cols() > 0) {
    names.insert(names.end(), read.names().begin(), read.names().end());
    const auto after = std::make_shared<const Table>(read);
    design = std::make_shared<const SideBySide>(
        std::move(design), std::shared_ptr<const Design>(after, &after->design()));
  }
  Table table(std::move(design), read.y(), std::move(names));
  table.genotypes = std::move(about.genotypes);
  table.alleles = std::move(about.alleles);
  table.alleles.resize(table.genotypes ? table.names().size() : 0);
  return table;
}

}  // namespace

Index target_slot(const Plan& plan) {
  return plan.target < 0 ? -1 : plan.number_slot[at(plan.target)];
}
Index weights_slot(const Plan& plan) {
  return plan.weights < 0 ? -1 : plan.number_slot[at(plan.weights)];
}
Index offset_slot(const Plan& plan) {
  return plan.offset < 0 ? -1 : plan.number_slot[at(plan.offset)];
}
Index classes_slot(const Plan& plan) {
  return plan.classes && plan.target >= 0 ? plan.text_slot[at(plan.target)] : -1;
}

std::vector<std::string> sorted_labels(std::vector<std::string> labels) {
  std::sort(labels.begin(), labels.end());
  const auto is_number = [](const std::string& label) { return parse_number(label).has_value(); };
  if (std::all_of(labels.begin(), labels.end(), is_number)) {
    std::stable_sort(labels.begin(), labels.end(), [](const std::string& a, const std::string& b) {
      return *parse_number(a) < *parse_number(b);
    });
  }
  return labels;
}

std::string plural(Index count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string list(const std::vector<std::string>& items) {
  constexpr std::size_t most = 8;  // more would not be one line
  const std::span<const std::string> shown(items.data(), std::min(most, items.size()));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (items.size() > shown.size()) text += fmt::format(" and {} more", items.size() - shown.size());
  return text;
}

std::vector<Index> included_features(const Plan& plan) {
  std::vector<Index> columns;
  for (Index j = 0; j < std::ssize(plan.features); ++j)
    if (plan.features[at(j)].include) columns.push_back(j);
  return columns;
}

std::vector<int> feature_signs(const Plan& plan) {
  std::vector<int> signs;
  const auto has_sign = [](const Plan::Feature& feature) { return feature.sign != 0; };
  if (std::none_of(plan.features.begin(), plan.features.end(), has_sign)) return signs;
  for (const Plan::Feature& feature : plan.features) signs.push_back(feature.sign);
  return signs;
}

void check_no_negative(const std::string& source, const std::string& column, const Vector& weights,
                       Index first_row) {
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights(i) < 0) {
      throw Error(fmt::format("{}: row {}, column '{}': the weight {} is negative", source,
                              first_row + i + 1, column, weights(i)));
    }
  }
}

void check_weights(const std::string& source, const std::string& column, const Vector& weights) {
  check_no_negative(source, column, weights, 0);
  if (weights.size() > 0 && weights.maxCoeff<Eigen::PropagateNumbers>() == 0)
    throw Error(fmt::format("{}: column '{}': all weights are zero", source, column));
}

void keep_plan(const RawTable& raw, Vector weights, Vector offset, std::vector<std::string> classes,
               Table& table) {
  if (weights.size() > 0) table.set_weights(std::move(weights));
  if (offset.size() > 0) table.set_offset(std::move(offset));
  table.source = raw.source;
  table.target = raw.plan.target_name;
  table.offset_name = raw.plan.offset_name;
  table.classes = std::move(classes);
  table.include = included_features(raw.plan);
  table.signs = feature_signs(raw.plan);
  table.id = raw.plan.id_name;
}

Table assemble(RawTable raw, const ReadOptions& options) {
  if (raw.rows == 0) throw Error(fmt::format("{}: there are no data rows", raw.source));
  if (raw.plan.predicting) forget_incomplete_target(raw);
  check_decimal_signs(raw);
  check_texts(raw);
  check_infinities(raw);
  if (raw.plan.weights >= 0) {
    const auto weights = raw.numbers.col(weights_slot(raw.plan));
    check_no_negative(raw.source, raw.plan.weights_name, weights, raw.first_row);
    if (!raw.piece) check_weights(raw.source, raw.plan.weights_name, weights);
  }

  Dropped dropped;
  std::map<std::string, std::vector<std::string>> one_hot;
  if (raw.plan.predicting) {
    check_offset(raw);
    for (const Plan::Feature& feature : raw.plan.features) {
      if (!feature.text) continue;
      const Index slot = raw.plan.text_slot[at(feature.column)];
      const std::string& column = raw.plan.text_names[at(slot)];
      check_levels(raw, raw.texts[at(slot)], column, options.known_levels.at(column));
      one_hot[column] = options.known_levels.at(column);
    }
  } else {
    dropped = drop_rows(raw, options.missing);
    const auto is_text_feature = [](const Plan::Feature& feature) { return feature.text; };
    if (std::ranges::any_of(raw.plan.features, is_text_feature))
      expand_levels(raw, options.known_levels, one_hot);
  }

  Classes two;
  if (const Index slot = classes_slot(raw.plan); slot >= 0)
    two = classes_of(raw, raw.texts[at(slot)], options.known_classes);
  Vector y = std::move(two.y), weights, offset;
  if (target_slot(raw.plan) >= 0) y = raw.numbers.col(target_slot(raw.plan));
  if (raw.plan.offset >= 0) offset = raw.numbers.col(offset_slot(raw.plan));
  if (raw.plan.weights >= 0) weights = raw.numbers.col(weights_slot(raw.plan));
  if (!raw.piece) check_weights(raw.source, raw.plan.weights_name, weights);
  if (raw.summed) {
    weights = std::move(raw.summed_weights);
    one_hot = std::move(raw.summed_one_hot);
  }
  const std::vector<Plan::Feature> features = stored_features(raw.plan);
  Matrix X = take_features(raw, features);
  std::map<std::string, double> imputed = impute(raw, features, options, weights, X);

  Table table = Table::dense(std::move(X), std::move(y), stored_names(raw.plan));
  if (raw.in_place) table = with_columns_in_place(raw, dropped, weights, std::move(table));
  keep_plan(raw, std::move(weights), std::move(offset), std::move(two.names), table);
  table.one_hot = std::move(one_hot);
  table.imputed = std::move(imputed);
  table.rows_dropped = std::move(dropped.rows);
  table.dropped_by = std::move(dropped.by);
  table.ids = std::move(raw.ids);
  std::vector<std::string> groups;
  table.folds = take_labels(raw, raw.plan.folds, table.fold_labels);
  table.groups = take_labels(raw, raw.plan.groups, groups);
  table.summed = std::move(raw.summed);
  return table;
}

}  // namespace lass0::io
