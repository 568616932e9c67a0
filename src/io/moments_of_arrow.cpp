// Arrow streams into sums. Every batch is summed in blocks of rows that stay in the cache. Columns
// of doubles without missing values are used where they are; others are converted into a panel, a
// column per thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>
#include <optional>
#include <set>

#include "io/arrow_columns.hpp"
#include "io/assemble.hpp"
#include "io/moments_state.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"
#include "util/stable_hash.hpp"

namespace lass0 {
namespace {

constexpr Index kBlockDoubles = Index{1} << 20;
constexpr Index kFewestRows = 64;
// More labels are IDs by mistake, and each of them has sums of its own.
constexpr Index kMostLabels = 1000;

// What is released when it goes out of scope, as Arrow's interfaces want it.
template <class Thing>
struct Owned : Thing {
  Owned() : Thing{} {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (this->release) this->release(this);
  }
};

class Stream {
 public:
  explicit Stream(ArrowArrayStream& stream) : stream_(stream) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_.release) stream_.release(&stream_);
  }

  void schema(ArrowSchema& out) {
    if (!stream_.release) throw Error("the Arrow stream has been read already: make a new one");
    check(stream_.get_schema(&stream_, &out));
    if (out.format != std::string_view("+s"))
      throw Error("the Arrow stream has a single column: give a table");
  }
  // Whether there was one more.
  bool next(ArrowArray& out) {
    check(stream_.get_next(&stream_, &out));
    return out.release != nullptr;
  }

 private:
  void check(int failed) {
    if (failed == 0) return;
    const char* why = stream_.get_last_error(&stream_);
    throw Error(fmt::format("the Arrow stream failed: {}", why ? why : "it does not say why"));
  }

  ArrowArrayStream& stream_;
};

// A column of the data, and the columns of sums that it becomes: one, or one per level but the
// first.
struct Source {
  std::string name;
  Index child = -1;                             // in the stream
  const std::vector<std::string>* levels = {};  // null: of numbers
  Index first = -1;                             // column of sums
};

// What is wrong with a column of a block: of the first row of its kind.
struct Findings {
  std::vector<Index> missing;
  Index infinite = -1;
  Index unknown = -1;  // a text that is no level
  std::string text;    // that one
};

}  // namespace

struct MomentsOfArrow::State {
  explicit State(ArrowSumOptions what) : options(std::move(what)) {
    if (!options.fold_column.empty() && !options.id_column.empty())
      throw UsageError("folds come from a fold column or from an ID column: give one of them");
    if (options.folds < 1) throw UsageError("folds must be 1 or more");
    const std::string& by = options.id_column.empty() ? options.fold_column : options.id_column;
    io::check_first_row(options.first_row, by);
  }

  void read_schema(const ArrowSchema& schema, const std::vector<std::string>& left_out);
  void begin(const std::vector<std::string>& names);  // of all columns, read or not
  void add_batch(const ArrowSchema& schema, const ArrowArray& batch, const Control& control);
  void add_block(const ArrowSchema& schema, const ArrowArray& batch, Index first, Index count);

  ArrowSumOptions options;
  std::optional<MomentsBuilder> builder;
  std::vector<Source> sources;           // of X, and the target
  std::optional<Source> weights, folds;  // folds: labels or IDs
  Index rows_seen = 0;
  Matrix panel;

 private:
  using Part = arrow::Part;

  bool is_used(const std::string& name) const;
  std::string fold_source() const;
  Findings read(const Source& source, const Part& part, Index count, BlockColumns& values);
  void read_levels(const Source& source, const Part& part, Index count, Findings& found);
  void check_values(const std::vector<Findings>& all, std::vector<double>& row_weights,
                    Index count) const;
  void read_weights(const Part& part, Index count, std::vector<double>& out) const;
  std::vector<std::string> read_folds(const Part& part, Index count,
                                      std::vector<double>& row_weights) const;
  void refuse_null_rows(const ArrowArray& batch) const;
  [[noreturn]] void throw_missing(Index row, const std::string& column) const;
  // In messages.
  std::string row_number(Index row) const {
    return fmt::format("row {}{}, counted from 0", rows_seen + row,
                       options.numbered ? "" : " of its partition");
  }
};

namespace {

using arrow::Part;

Part part_of(const ArrowSchema& schema, const ArrowArray& batch, Index child, Index first) {
  const ArrowArray& array = *batch.children[child];
  return {*schema.children[child], array, batch.offset + array.offset + first};
}

std::vector<std::string> names_of(const ArrowSchema& schema) {
  std::vector<std::string> names;
  for (Index j = 0; j < schema.n_children; ++j) {
    const char* name = schema.children[j]->name;
    names.emplace_back(name ? name : "");
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw Error(fmt::format("two columns have the name '{}': rename one of them", *twice));
  return names;
}

Index find(const std::vector<std::string>& names, const std::string& name, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(fmt::format("the data have no column '{}', which is {}: the columns are {}", name,
                            what, io::list(names)));
  return found - names.begin();
}

// `role`: what the model can't do without; null: a column of X.
void check_type(const ArrowSchema& schema, const Source& source, const char* role) {
  const ArrowSchema& type = *schema.children[source.child];
  const std::string wrong = source.levels ? arrow::not_labels(type)
                            : role        ? arrow::not_numbers(type, role)
                                          : arrow::not_numbers(type);
  if (!wrong.empty()) throw Error(fmt::format("column '{}' {}", source.name, wrong));
}

}  // namespace

std::string MomentsOfArrow::State::fold_source() const {
  if (!options.fold_column.empty()) return options.fold_column;
  if (!options.id_column.empty())
    return fmt::format("{} (hash, {} folds, seed {})", options.id_column, options.folds,
                       options.seed);
  if (options.numbered) return "";
  if (options.folds > 1)
    throw UsageError(
        "rows of a cluster have no stable number, so they can't have random folds: name a column "
        "of folds (fold_column) or of IDs (id_column), or ask for one fold (folds=1), for fit and "
        "path only");
  return std::string(io::kNoFolds);
}

// Of the first stream: which columns there are.
void MomentsOfArrow::State::begin(const std::vector<std::string>& names) {
  sources.clear();
  weights.reset();
  folds.reset();
  std::set<std::string> taken(options.exclude.begin(), options.exclude.end());
  for (const std::string& name : options.exclude) find(names, name, "to be excluded");
  const auto take = [&](const std::string& name, const char* what) {
    find(names, name, what);
    if (!taken.insert(name).second)
      throw UsageError(fmt::format("column '{}' can't be {} and something else", name, what));
    return Source{name};
  };
  const Source target = take(options.target, "the target");
  if (!options.weights.empty()) weights = take(options.weights, "the weights");
  if (!options.fold_column.empty()) folds = take(options.fold_column, "the folds");
  if (!options.id_column.empty()) folds = take(options.id_column, "the IDs");
  for (const auto& [name, levels] : options.one_hot) {
    find(names, name, "to be encoded");
    if (taken.contains(name))
      throw UsageError(fmt::format("column '{}' can't be encoded and something else", name));
  }

  MomentsSchema sums;
  sums.target = options.target;
  sums.weights = options.weights;
  sums.fold_column = fold_source();
  sums.folds = options.folds;
  sums.seed = options.seed;
  sums.one_hot = options.one_hot;
  for (const std::string& name : names) {
    if (taken.contains(name)) continue;
    Source source{name, -1, nullptr, std::ssize(sums.names)};
    const auto coded = options.one_hot.find(name);
    if (coded == options.one_hot.end()) {
      sums.names.push_back(name);
    } else {
      source.levels = &coded->second;
      for (std::size_t l = 1; l < coded->second.size(); ++l)
        sums.names.push_back(fmt::format("{}={}", name, coded->second[l]));
    }
    sources.push_back(std::move(source));
  }
  sources.push_back(target);
  sources.back().first = std::ssize(sums.names);
  builder.emplace(std::move(sums), options.first_row, options.threads);
  if (!options.fold_column.empty()) builder->state().most_labels = kMostLabels;
}

bool MomentsOfArrow::State::is_used(const std::string& name) const {
  const auto is = [&](const Source& source) { return source.name == name; };
  return std::any_of(sources.begin(), sources.end(), is) || (weights && is(*weights)) ||
         (folds && is(*folds)) ||
         std::find(options.exclude.begin(), options.exclude.end(), name) != options.exclude.end();
}

void MomentsOfArrow::State::read_schema(const ArrowSchema& schema,
                                        const std::vector<std::string>& left_out) {
  const std::vector<std::string> names = names_of(schema);
  if (!builder) {
    std::vector<std::string> all = names;
    all.insert(all.end(), left_out.begin(), left_out.end());
    begin(all);
  }
  for (const std::string& name : names)
    if (!is_used(name))
      throw Error(
          fmt::format("a part of the data has a column '{}' that the first one has not: "
                      "parts must have the same columns",
                      name));
  for (Source& source : sources) {
    source.child = find(names, source.name, "a column of the first part");
    check_type(schema, source, source.name == options.target ? "the target" : nullptr);
  }
  if (weights) {
    weights->child = find(names, weights->name, "the weights");
    check_type(schema, *weights, "the weights");
  }
  if (!folds) return;
  folds->child = find(names, folds->name, "for the folds");
  const std::string wrong = arrow::not_labels(*schema.children[folds->child]);
  if (!wrong.empty()) throw Error(fmt::format("column '{}' {}", folds->name, wrong));
}

// A struct has a bitmap of its own beside those of its columns.
void MomentsOfArrow::State::refuse_null_rows(const ArrowArray& batch) const {
  if (batch.null_count == 0 || batch.n_buffers == 0 || !batch.buffers[0]) return;
  const auto* bits = static_cast<const unsigned char*>(batch.buffers[0]);
  for (Index i = 0; i < batch.length; ++i) {
    const Index at = batch.offset + i;
    if ((bits[at / 8] >> (at % 8) & 1) == 0)
      throw Error(fmt::format("{}: the whole row is null: drop such rows first", row_number(i)));
  }
}

void MomentsOfArrow::State::add_batch(const ArrowSchema& schema, const ArrowArray& batch,
                                      const Control& control) {
  const Index columns = std::ssize(builder->schema().names) + 1;
  const Index block = std::max(kFewestRows, kBlockDoubles / columns);
  refuse_null_rows(batch);
  if (panel.cols() != columns) panel = allocate_matrix(block, columns, "a block of rows");
  for (Index first = 0; first < batch.length; first += block) {
    add_block(schema, batch, first, std::min(block, batch.length - first));
    if (control.keep_going && !control.keep_going())
      throw Error("interrupted before all rows were summed");
  }
}

void MomentsOfArrow::State::add_block(const ArrowSchema& schema, const ArrowArray& batch,
                                      Index first, Index count) {
  BlockColumns values;
  const auto columns = static_cast<std::size_t>(panel.cols());
  values.step.assign(columns, 1);
  for (Index j = 0; j < panel.cols(); ++j) values.base.push_back(panel.col(j).data());
  std::vector<Findings> found(sources.size());
  for_each_block(std::ssize(sources), options.threads, [&](Index s) {
    const Source& source = sources[static_cast<std::size_t>(s)];
    found[static_cast<std::size_t>(s)] =
        read(source, part_of(schema, batch, source.child, first), count, values);
  });
  std::vector<double> row_weights;
  if (weights) read_weights(part_of(schema, batch, weights->child, first), count, row_weights);
  check_values(found, row_weights, count);
  std::vector<std::string> labels;
  if (folds) labels = read_folds(part_of(schema, batch, folds->child, first), count, row_weights);
  if (!folds && !options.numbered)
    labels.assign(static_cast<std::size_t>(count), std::string(io::kNoFolds));
  builder->state().add(values, count, row_weights.empty() ? nullptr : row_weights.data(), labels);
  rows_seen += count;
}

Findings MomentsOfArrow::State::read(const Source& source, const Part& part, Index count,
                                     BlockColumns& values) {
  Findings found;
  if (source.levels) {
    read_levels(source, part, count, found);
    return found;
  }
  const double* column = nullptr;
  double* out = panel.col(source.first).data();
  if (arrow::in_place(part, count)) {
    column = arrow::doubles(part);
  } else {
    arrow::convert(part, count, out);
    column = out;
  }
  values.base[static_cast<std::size_t>(source.first)] = column;
  int bad = 0;
  for (Index i = 0; i < count; ++i)
    bad |= std::abs(column[i]) <= std::numeric_limits<double>::max() ? 0 : 1;
  if (bad == 0) return found;
  std::copy_n(column, column == out ? 0 : count, out);
  values.base[static_cast<std::size_t>(source.first)] = out;
  for (Index i = 0; i < count; ++i) {
    if (std::isfinite(out[i])) continue;
    if (std::isnan(out[i]))
      found.missing.push_back(i);
    else if (found.infinite < 0)
      found.infinite = i;
    out[i] = 0;
  }
  return found;
}

void MomentsOfArrow::State::read_levels(const Source& source, const Part& part, Index count,
                                        Findings& found) {
  const std::vector<std::string>& levels = *source.levels;
  const Index width = std::max<Index>(0, std::ssize(levels) - 1);
  panel.block(0, source.first, count, width).setZero();
  std::map<std::string_view, Index> number;
  for (const std::string& level : levels) number.emplace(level, std::ssize(number));
  arrow::Texts texts(part);
  for (Index i = 0; i < count; ++i) {
    const auto text = texts.at(i);
    if (!text) {
      found.missing.push_back(i);
      continue;
    }
    const auto level = number.find(*text);
    if (level == number.end()) {
      found.unknown = i;
      found.text = *text;
      return;
    }
    if (level->second > 0) panel(i, source.first + level->second - 1) = 1;
  }
}

void MomentsOfArrow::State::throw_missing(Index row, const std::string& column) const {
  throw Error(
      fmt::format("{}, column '{}': the value is missing: fill it in, "
                  "or drop such rows (missing=\"drop\")",
                  row_number(row), column));
}

// Rows to be dropped get the weight 0.
void MomentsOfArrow::State::check_values(const std::vector<Findings>& all,
                                         std::vector<double>& row_weights, Index count) const {
  Index missing = -1, infinite = -1, unknown = -1;  // of which source
  for (Index s = 0; s < std::ssize(all); ++s) {
    const Findings& here = all[static_cast<std::size_t>(s)];
    if (!here.missing.empty() &&
        (missing < 0 ||
         here.missing.front() < all[static_cast<std::size_t>(missing)].missing.front()))
      missing = s;
    if (here.infinite >= 0 &&
        (infinite < 0 || here.infinite < all[static_cast<std::size_t>(infinite)].infinite))
      infinite = s;
    if (here.unknown >= 0 &&
        (unknown < 0 || here.unknown < all[static_cast<std::size_t>(unknown)].unknown))
      unknown = s;
  }
  if (unknown >= 0) {
    const auto at = static_cast<std::size_t>(unknown);
    throw Error(fmt::format("{}, column '{}': '{}' is not one of its levels, which are {}",
                            row_number(all[at].unknown), sources[at].name, all[at].text,
                            io::list(*sources[at].levels)));
  }
  if (infinite >= 0) {
    const auto at = static_cast<std::size_t>(infinite);
    throw Error(fmt::format("{}, column '{}': the value is infinite", row_number(all[at].infinite),
                            sources[at].name));
  }
  if (missing < 0) return;
  if (!options.drop_missing) {
    const auto at = static_cast<std::size_t>(missing);
    throw_missing(all[at].missing.front(), sources[at].name);
  }
  if (row_weights.empty()) row_weights.assign(static_cast<std::size_t>(count), 1.0);
  for (const Findings& here : all)
    for (const Index row : here.missing) row_weights[static_cast<std::size_t>(row)] = 0;
}

void MomentsOfArrow::State::read_weights(const Part& part, Index count,
                                         std::vector<double>& out) const {
  out.resize(static_cast<std::size_t>(count));
  arrow::convert(part, count, out.data());
  for (Index i = 0; i < count; ++i) {
    double& weight = out[static_cast<std::size_t>(i)];
    if (std::isnan(weight)) {
      if (!options.drop_missing) throw_missing(i, weights->name);
      weight = 0;
    }
    if (weight < 0 || !std::isfinite(weight))
      throw Error(
          fmt::format("{}, column '{}': the weight is {}, but must be "
                      "a finite number, 0 or more",
                      row_number(i), weights->name, weight));
  }
}

// One label per row.
std::vector<std::string> MomentsOfArrow::State::read_folds(const Part& part, Index count,
                                                           std::vector<double>& row_weights) const {
  std::vector<std::string> labels(static_cast<std::size_t>(count));
  arrow::Texts texts(part);
  for (Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto text = texts.at(i);
    if (!text) {
      if (!options.drop_missing) throw_missing(i, folds->name);
      if (row_weights.empty()) row_weights.assign(labels.size(), 1.0);
      row_weights[at] = 0;
    } else if (options.id_column.empty()) {
      labels[at] = *text;
    } else {
      const std::uint64_t hash = stable_hash(*text, options.seed);
      labels[at] = std::to_string(hash % static_cast<std::uint64_t>(options.folds));
    }
  }
  return labels;
}

MomentsOfArrow::MomentsOfArrow(ArrowSumOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
MomentsOfArrow::~MomentsOfArrow() = default;
MomentsOfArrow::MomentsOfArrow(MomentsOfArrow&&) noexcept = default;
MomentsOfArrow& MomentsOfArrow::operator=(MomentsOfArrow&&) noexcept = default;

void MomentsOfArrow::add(ArrowArrayStream& arrow_stream, const Control& control,
                         const std::vector<std::string>& left_out) {
  Stream stream(arrow_stream);
  Owned<ArrowSchema> schema;
  stream.schema(schema);
  state_->read_schema(schema, left_out);
  for (;;) {
    Owned<ArrowArray> batch;
    if (!stream.next(batch)) return;
    state_->add_batch(schema, batch, control);
  }
}

MomentsBuilder MomentsOfArrow::take() {
  if (!state_->builder) throw Error("there are no data to sum");
  MomentsBuilder sums = std::move(*state_->builder);
  sums.state().sums.flush(state_->options.threads);  // so that whoever shares them only reads
  state_->builder.reset();
  return sums;
}

}  // namespace lass0
