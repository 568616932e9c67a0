#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>

#include "io/assemble.hpp"
#include "io/classes.hpp"
#include "util/memory.hpp"

namespace lass0::io {
namespace {

Vector dense_column(const SparseColumns& from, Index j, const std::string& source) {
  Vector out = allocate_vector(from.rows, fmt::format("column x{} of {}", j + 1, source));
  out.setZero();
  const auto column = static_cast<std::size_t>(j);
  for (auto e = static_cast<std::size_t>(from.start[column]);
       e < static_cast<std::size_t>(from.start[column + 1]); ++e)
    out(from.row[e]) = from.value[e];
  return out;
}

// Labels of a sparse file are numbers: each value is one.
std::vector<int> take_labels(const SparseColumns& from, Index column, const std::string& source) {
  std::vector<int> labels;
  if (column < 0) return labels;
  const Vector values = dense_column(from, column, source);
  std::vector<double> distinct(values.begin(), values.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const double value : values) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), value);
    labels.push_back(static_cast<int>(found - distinct.begin()));
  }
  return labels;
}

SparseColumns select(const SparseColumns& from, const std::vector<Plan::Feature>& features) {
  SparseColumns out;
  out.rows = from.rows;
  out.cols = std::ssize(features);
  out.start.push_back(0);
  for (const Plan::Feature& feature : features) {
    const auto first = from.start[static_cast<std::size_t>(feature.column)];
    const auto last = from.start[static_cast<std::size_t>(feature.column) + 1];
    out.row.insert(out.row.end(), from.row.begin() + first, from.row.begin() + last);
    out.value.insert(out.value.end(), from.value.begin() + first, from.value.begin() + last);
    out.start.push_back(std::ssize(out.value));
  }
  return out;
}

bool is_everything(const std::vector<Plan::Feature>& features, Index cols) {
  if (std::ssize(features) != cols) return false;
  for (Index j = 0; j < cols; ++j)
    if (features[static_cast<std::size_t>(j)].column != j) return false;
  return true;
}

}  // namespace

Table assemble_sparse(RawTable raw, const ReadOptions& options) {
  if (raw.rows == 0) throw Error(fmt::format("{}: there are no data rows", raw.source));
  SparseColumns all = std::move(*raw.sparse);
  Vector y = raw.plan.own_target    ? std::move(raw.own_target)
             : raw.plan.target >= 0 ? dense_column(all, raw.plan.target, raw.source)
                                    : Vector();
  Classes two;
  if (raw.plan.classes && y.size() > 0) {
    two = classes_of(raw, y, options.known_classes);
    y = std::move(two.y);
  }
  Vector offset = raw.plan.offset >= 0 ? dense_column(all, raw.plan.offset, raw.source) : Vector();
  Vector weights =
      raw.plan.weights >= 0 ? dense_column(all, raw.plan.weights, raw.source) : Vector();
  check_weights(raw.source, raw.plan.weights_name, weights);
  std::vector<std::string> ids;
  if (raw.plan.id >= 0) {
    for (const double value : dense_column(all, raw.plan.id, raw.source))
      ids.push_back(fmt::format("{}", value));
  }
  std::vector<int> folds = take_labels(all, raw.plan.folds, raw.source);
  std::vector<int> groups = take_labels(all, raw.plan.groups, raw.source);

  const std::vector<Plan::Feature>& features = raw.plan.features;
  SparseColumns X = is_everything(features, all.cols) ? std::move(all) : select(all, features);
  std::vector<std::string> names;
  if (raw.plan.predicting) {
    names = options.columns;  // found by these names, in this order
  } else {
    names.reserve(features.size());
    for (const Plan::Feature& feature : features)
      names.push_back(fmt::format("x{}", feature.column + 1));
  }
  Table table = Table::sparse(X.rows, X.cols, std::move(X.start), std::move(X.row),
                              std::move(X.value), std::move(y), std::move(names));
  keep_plan(raw, std::move(weights), std::move(offset), std::move(two.names), table);
  table.ids = std::move(ids);
  table.folds = std::move(folds);
  table.groups = std::move(groups);
  return table;
}

}  // namespace lass0::io
