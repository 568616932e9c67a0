#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <numeric>
#include <set>

#include "io/assemble.hpp"
#include "io/moments_state.hpp"
#include "moments/summed_rows.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

using Part = std::pair<Index, Index>;

std::string rows_of(const Part& part) {
  return fmt::format("{} to {}", part.first, part.first + part.second - 1);
}

// Throws Error where a row is in two of them; joins those that follow each other.
std::vector<Part> joined(std::vector<Part> parts) {
  std::erase_if(parts, [](const Part& part) { return part.second == 0; });
  std::sort(parts.begin(), parts.end());
  std::vector<Part> result;
  for (const Part& part : parts) {
    if (result.empty() || result.back().first + result.back().second < part.first) {
      result.push_back(part);
      continue;
    }
    Part& before = result.back();
    const Index overlap = before.first + before.second - part.first;
    if (overlap > 0)
      throw Error(fmt::format(
          "both have the rows {}: if these are other rows, make one of the files again with "
          "--first-row {}",
          rows_of({part.first, std::min(overlap, part.second)}), before.first + before.second));
    before.second += part.second;
  }
  return result;
}

Index rows_in(const std::vector<Part>& parts) {
  Index rows = 0;
  for (const Part& part : parts) rows += part.second;
  return rows;
}

void check_schema(const MomentsSchema& schema) {
  if (schema.names.empty()) throw UsageError("sums need at least one column of X");
  io::check_utf8(schema.target, "the name of the target");
  io::check_utf8(schema.weights, "the name of the weights");
  io::check_utf8(schema.fold_column, "the name of the fold column");
  for (const auto& [column, levels] : schema.one_hot) {
    io::check_utf8(column, "the name of the column");
    for (const std::string& level : levels)
      io::check_utf8(level, fmt::format("column '{}': the level", column));
  }
  for (const std::string& name : schema.names) io::check_utf8(name, "the name of the column");
  std::vector<std::string> names = schema.names;
  names.push_back(schema.target);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) throw Error("two columns have the name '" + *twice + "'");
  if (schema.fold_column.empty() && schema.folds < 1)
    throw UsageError("the number of folds must be at least 1, not " + std::to_string(schema.folds));
}

// A name of one list that the other has not; empty: none.
std::string only_in(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> there(b.begin(), b.end());
  const auto found =
      std::find_if(a.begin(), a.end(), [&](const auto& name) { return !there.contains(name); });
  return found == a.end() ? "" : *found;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.size() != b.size()) {
    const std::string here = only_in(a, b), there = only_in(b, a);
    return fmt::format("{} and {}; only one of them has '{}'", io::plural(std::ssize(a), "column"),
                       b.size(), here.empty() ? there : here);
  }
  for (std::size_t j = 0; j < a.size(); ++j)
    if (a[j] != b[j]) return fmt::format("column {} is '{}' and '{}'", j + 1, a[j], b[j]);
  return "";
}

std::string or_none(const std::string& column) {
  return column.empty() ? "none" : "'" + column + "'";
}

// Throws Error, naming the first difference.
void check_same(const MomentsSchema& a, const MomentsSchema& b) {
  const auto differ = [](const std::string& what) { throw Error("can't be merged: " + what); };
  if (a.target != b.target)
    differ(fmt::format("the targets are '{}' and '{}'", a.target, b.target));
  if (const std::string columns = first_difference(a.names, b.names); !columns.empty())
    differ("the columns differ: " + columns);
  if (a.weights != b.weights)
    differ(fmt::format("the weights are {} and {}", or_none(a.weights), or_none(b.weights)));
  if (a.fold_column != b.fold_column)
    differ(fmt::format("the folds differ: {} and {}", io::folds_text(a), io::folds_text(b)));
  if (a.one_hot != b.one_hot) differ("the levels of the one-hot columns differ");
  if (!a.fold_column.empty()) return;
  if (a.folds != b.folds) differ(fmt::format("the sums are of {} and {} folds", a.folds, b.folds));
  if (a.folds > 1 && a.seed != b.seed)
    differ(fmt::format("the seeds of the folds are {} and {}", a.seed, b.seed));
}

[[noreturn]] void throw_not_finite(const MomentsBuilder::State& state, Index row, Index column) {
  const auto& names = state.schema.names;
  const auto j = static_cast<std::size_t>(column);
  throw Error(fmt::format("row {} of the block, column '{}': the value is not a finite number",
                          row + 1, j < names.size() ? names[j] : state.schema.target));
}

BlockColumns columns_of(const double* X, Index count, Index column_step, Index row_step,
                        const double* y) {
  BlockColumns values;
  for (Index j = 0; j < count; ++j) {
    values.base.push_back(X + j * column_step);
    values.step.push_back(row_step);
  }
  values.base.push_back(y);
  values.step.push_back(1);
  return values;
}

void check_block(const MomentsBuilder::State& state, Index rows, Index cols, Index y_size,
                 std::size_t weights, bool finite, const BlockColumns& values) {
  if (cols != std::ssize(state.schema.names))
    throw Error(fmt::format("the block has {} columns, but there are {} names", cols,
                            state.schema.names.size()));
  if (y_size != rows) throw Error(fmt::format("y has {} values but X has {} rows", y_size, rows));
  if (weights != 0 && static_cast<Index>(weights) != rows)
    throw Error(fmt::format("there are {} weights but X has {} rows", weights, rows));
  for (std::size_t j = 0; j < values.base.size() && !finite; ++j) {
    for (Index i = 0; i < rows; ++i)
      if (!std::isfinite(values.base[j][i * values.step[j]]))
        throw_not_finite(state, i, static_cast<Index>(j));
  }
}

// Moves the rows of every fold, `counts` from `room_from` on, next to those before them, and leaves
// out the rest. How many there are.
Index close_gaps(Matrix& X, Vector& y, const std::vector<Index>& room_from,
                 const std::vector<Index>& counts) {
  Index total = 0;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const Index from = room_from[f];
    for (Index j = 0; from > total && j < X.cols(); ++j)
      std::copy_n(X.col(j).data() + from, counts[f], X.col(j).data() + total);
    std::copy_n(y.data() + from, from > total ? counts[f] : 0, y.data() + total);
    total += counts[f];
  }
  if (total < X.rows()) {
    X.conservativeResize(total, Eigen::NoChange);
    y.conservativeResize(total);
  }
  return total;
}

}  // namespace

MomentsBuilder::State::State(MomentsSchema what, Index first, int thread_count)
    : schema((check_schema(what), std::move(what))),
      threads(thread_count),
      sums(std::ssize(schema.names) + 1, schema.fold_column.empty() ? schema.folds : 1),
      first_row(first),
      next_row(first) {
  if (first < 1) throw UsageError("the first row must be at least 1, not " + std::to_string(first));
  if (schema.fold_column.empty()) random.emplace(schema.seed, schema.folds);
}

Index MomentsBuilder::State::fold_of(const std::string& label) {
  if (const auto found = fold_of_label.find(label); found != fold_of_label.end())
    return found->second;
  const Index fold = std::ssize(labels);
  sums.need_folds(fold + 1);  // first: no label may be without its sums
  labels.push_back(label);
  fold_of_label.emplace(label, fold);
  return fold;
}

void MomentsBuilder::State::add(const BlockColumns& values, Index count, const double* weights,
                                std::span<const std::string> row_labels) {
  if (!random && std::ssize(row_labels) != count)
    throw Error(fmt::format("there are {} labels of folds but {} rows", row_labels.size(), count));
  for (Index i = 0; weights && i < count; ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw Error(
          fmt::format("row {} of the block: the weight must be a finite number, 0 or more", i + 1));
  }
  std::set<std::string_view> fresh;
  for (Index i = 0; !random && i < count; ++i) {
    const std::string& label = row_labels[static_cast<std::size_t>(i)];
    if ((weights && weights[i] == 0) || fold_of_label.contains(label)) continue;
    io::check_utf8(label, fmt::format("fold column '{}': the label", schema.fold_column));
    fresh.insert(label);
    if (std::ssize(labels) + std::ssize(fresh) > most_labels)
      throw Error(fmt::format(
          "column '{}' has more than {} labels of folds, and each takes memory for sums of its "
          "own: if the labels are IDs, let their hash say the fold (id_column)",
          schema.fold_column, most_labels));
  }
  if (!random) sums.need_folds(std::ssize(labels) + std::ssize(fresh));  // before any change
  std::vector<Index> rows, fold;
  rows.reserve(static_cast<std::size_t>(count));
  fold.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    if (weights && weights[i] == 0) continue;
    rows.push_back(i);
    fold.push_back(random ? random->of(next_row - 1)
                          : fold_of(row_labels[static_cast<std::size_t>(i)]));
    ++next_row;
  }
  sums.add(values, rows, weights, fold, threads);
}

void MomentsBuilder::State::check_scales() const {
  const Index j = sums.extreme_column();
  if (j < 0) return;
  throw Error(fmt::format(
      "column '{}': the values are too large or too small for sums of squares: rescale it",
      j < std::ssize(schema.names) ? schema.names[static_cast<std::size_t>(j)] : schema.target));
}

std::vector<Index> MomentsBuilder::State::fold_order() const {
  std::vector<Index> order(static_cast<std::size_t>(sums.folds()));
  std::iota(order.begin(), order.end(), Index{0});
  if (random) return order;
  order.resize(labels.size());
  const std::vector<std::string> sorted = io::sorted_labels(labels);
  for (std::size_t f = 0; f < sorted.size(); ++f) order[f] = fold_of_label.at(sorted[f]);
  return order;
}

bool MomentsBuilder::State::has_no_folds() const {
  if (random) return schema.folds == 1;
  return schema.fold_column == io::kNoFolds && labels.size() <= 1 &&
         (labels.empty() || labels.front() == io::kNoFolds);
}

void MomentsBuilder::State::forget_row_numbers() {
  if (!random) return;
  const Index count = rows_in(all_parts());
  random.reset();
  parts.clear();
  first_row = 1;
  next_row = 1 + count;
  schema.fold_column = io::kNoFolds;
  fold_of(schema.fold_column);
}

std::vector<std::pair<Index, Index>> MomentsBuilder::State::all_parts() const {
  std::vector<Part> all = parts;
  all.emplace_back(first_row, next_row - first_row);
  return joined(std::move(all));
}

std::string io::folds_text(const MomentsSchema& schema) {
  const bool random = schema.fold_column.empty();
  if (random ? schema.folds == 1 : schema.fold_column == kNoFolds) return "no folds";
  if (random) return plural(schema.folds, "random fold");
  return "folds by '" + schema.fold_column + "'";
}

MomentsBuilder::MomentsBuilder(MomentsSchema schema, Index first_row, int threads)
    : state_((io::check_first_row(first_row, schema.fold_column),
              std::make_unique<State>(std::move(schema), first_row, threads))) {}

void io::check_first_row(Index first_row, const std::string& folds_by) {
  if (first_row != 1 && !folds_by.empty())
    throw UsageError(fmt::format(
        "first_row is {}, but the folds come from column '{}': leave first_row out, which is for "
        "random folds",
        first_row, folds_by));
}
MomentsBuilder::MomentsBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
MomentsBuilder::~MomentsBuilder() = default;
MomentsBuilder::MomentsBuilder(MomentsBuilder&&) noexcept = default;
MomentsBuilder& MomentsBuilder::operator=(MomentsBuilder&&) noexcept = default;

void MomentsBuilder::add(const ConstMat& X, const ConstVec& y, std::span<const double> weights,
                         std::span<const std::string> labels) {
  const BlockColumns values = columns_of(X.data(), X.cols(), X.outerStride(), 1, y.data());
  check_block(*state_, X.rows(), X.cols(), y.size(), weights.size(), X.allFinite() && y.allFinite(),
              values);
  state_->add(values, X.rows(), weights.empty() ? nullptr : weights.data(), labels);
}

void MomentsBuilder::add_rows(const ConstRowMat& X, const ConstVec& y,
                              std::span<const double> weights,
                              std::span<const std::string> labels) {
  const BlockColumns values = columns_of(X.data(), X.cols(), 1, X.outerStride(), y.data());
  check_block(*state_, X.rows(), X.cols(), y.size(), weights.size(), X.allFinite() && y.allFinite(),
              values);
  state_->add(values, X.rows(), weights.empty() ? nullptr : weights.data(), labels);
}

void MomentsBuilder::merge(MomentsBuilder other) {
  State& here = *state_;
  State& there = *other.state_;
  MomentsSchema schema_here = here.schema, schema_there = there.schema;
  const bool only_one_has_numbers = here.random.has_value() != there.random.has_value() &&
                                    here.has_no_folds() && there.has_no_folds();
  if (only_one_has_numbers) schema_here.fold_column = schema_there.fold_column = io::kNoFolds;
  check_same(schema_here, schema_there);
  // Whatever can be refused is asked for before the first change.
  std::vector<Part> parts = here.all_parts();
  const std::vector<Part> more = there.all_parts();
  if (here.random && there.random) {
    parts.insert(parts.end(), more.begin(), more.end());
    parts = joined(std::move(parts));
  } else if (!here.random) {
    const auto fresh = std::count_if(
        there.labels.begin(), there.labels.end(),
        [&](const std::string& label) { return !here.fold_of_label.contains(label); });
    here.sums.need_folds(std::ssize(here.labels) + fresh);
  }
  if (only_one_has_numbers) {
    here.forget_row_numbers();
    there.forget_row_numbers();
  }
  here.sums.flush(here.threads);
  there.sums.flush(here.threads);
  std::vector<Index> fold_here(static_cast<std::size_t>(there.sums.folds()));
  std::iota(fold_here.begin(), fold_here.end(), Index{0});
  if (here.random) {
    here.parts = std::move(parts);
    const Index end = here.parts.empty() ? 1 : here.parts.back().first + here.parts.back().second;
    here.first_row = here.next_row = end;
  } else {
    for (std::size_t f = 0; f < there.labels.size(); ++f)
      fold_here[f] = here.fold_of(there.labels[f]);
    here.next_row += there.next_row - there.first_row;
  }
  here.sums.merge(there.sums, fold_here, here.threads);
}

Table MomentsBuilder::table() {
  State& state = *state_;
  state.sums.flush(state.threads);
  if (rows() == 0) throw Error("there are no rows of positive weight");
  state.check_scales();
  const std::vector<Index> order = state.fold_order();
  const Index p = std::ssize(state.schema.names);
  // Every fold has room for as many rows as it may need, so that there is no second copy of all.
  std::vector<Index> room_from = {0}, counts(order.size());
  for (const Index f : order)
    room_from.push_back(room_from.back() + std::min(state.sums.fold(f).rows, p + 2));
  Matrix X = allocate_matrix(room_from.back(), p, "the rows of a file of moments");
  Vector y(room_from.back());
  for_each_block(std::ssize(order), state.threads, [&](Index f) {
    const auto at = static_cast<std::size_t>(f);
    const Matrix block = rows_of_sums(state.sums.fold(order[at]), state.sums.centre());
    counts[at] = block.rows();
    X.middleRows(room_from[at], block.rows()) = block.leftCols(p);
    y.segment(room_from[at], block.rows()) = block.col(p);
  });
  const Index total = close_gaps(X, y, room_from, counts);
  Vector weights(total);
  auto summed = std::make_shared<SummedRows>();
  Index first = 0;
  for (std::size_t f = 0; f < order.size(); ++f) {
    const FoldSum& sum = state.sums.fold(order[f]);
    const Index count = counts[f];
    weights.segment(first, count).setConstant(sum.weight / static_cast<double>(count));
    for (Index i = 0; i < count; ++i) {
      summed->count.push_back(i == 0 ? sum.rows - (count - 1) : 1);
      summed->fold.push_back(static_cast<int>(f));
    }
    first += count;
  }
  summed->folds = std::ssize(order);
  if (state.random) summed->seed = state.schema.seed;
  Table table = Table::dense(std::move(X), std::move(y), state.schema.names);
  table.set_weights(std::move(weights));
  table.target = state.schema.target;
  table.one_hot = state.schema.one_hot;
  table.summed = std::move(summed);
  return table;
}

const MomentsSchema& MomentsBuilder::schema() const { return state_->schema; }
Index MomentsBuilder::rows() const { return state_->sums.rows(); }
Index MomentsBuilder::next_row() const { return state_->next_row; }
const std::vector<std::string>& MomentsBuilder::labels() const { return state_->labels; }
Index MomentsBuilder::folds() const {
  return state_->random ? state_->schema.folds : std::ssize(state_->labels);
}

}  // namespace lass0
