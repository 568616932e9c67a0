// Data files into sums. CSV and TSV come in pieces of whole rows, of which several are parsed at a
// time; what follows the parsing goes by the order of the file, so sums do not depend on the number
// of threads.
#include <fmt/format.h>

#include <algorithm>
#include <lass0/error.hpp>
#include <numeric>
#include <ranges>

#include "io/assemble.hpp"
#include "io/byte_stream.hpp"
#include "io/bytes.hpp"
#include "io/delimited.hpp"
#include "io/lines.hpp"
#include "io/moments_state.hpp"
#include "io/read_format.hpp"
#include "util/memory.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

using Levels = std::map<std::string, std::vector<std::string>>;

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
// The text of a piece, its numbers, and those once more in the order of rows.
constexpr double kMemoryOfPiece = 6.0 * static_cast<double>(kPieceBytes);
// Rows of a table are copied in blocks, each by small ones that stay in the cache of a core.
constexpr Index kBlockDoubles = Index{1} << 20, kCachedDoubles = Index{1} << 15;
constexpr Index kFewestRows = 64;

// Rows of X from `first` on.
void copy_rows(const Design& X, Index first, MutMat out) {
  const Index count = out.rows();
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  if (X.gather(rows, out)) return;
  out.setZero();
  for (Index j = 0; j < X.cols(); ++j) {
    const auto column = X.sparse_column(j);
    if (!column) {
      for (Index i = 0; i < count; ++i) out(i, j) = X.value(first + i, j);
      continue;
    }
    const RowNumbers& stored = column->rows;
    const auto places = std::views::iota(std::size_t{0}, stored.size());
    const auto before = [&](std::size_t k) { return stored[k] < first; };
    for (auto k = *std::ranges::partition_point(places, before);
         k < stored.size() && stored[k] < first + count; ++k)
      out(stored[k] - first, j) = column->values[k];
  }
}

// What is done with the rows, a table of some of them at a time.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual void add(const Table& table) = 0;
};

// The first pass: the levels that text columns have.
class LevelsOfRows final : public Rows {
 public:
  void add(const Table& table) override {
    for (const auto& [column, levels] : table.one_hot) {
      std::vector<std::string>& all = levels_[column];
      for (const std::string& level : levels)
        if (std::find(all.begin(), all.end(), level) == all.end()) all.push_back(level);
    }
  }
  Levels take() {
    for (auto& [column, levels] : levels_) levels = io::sorted_labels(std::move(levels));
    return std::move(levels_);
  }

 private:
  Levels levels_;
};

class SumsOfRows final : public Rows {
 public:
  explicit SumsOfRows(const MomentsReadOptions& options) : options_(options) {}

  void add(const Table& table) override {
    check_texts(table);
    if (!builder_) begin(table);
    check_columns(table);
    MomentsBuilder::State& state = builder_->state();
    const Index n = table.design().rows(), p = table.design().cols();
    const Index block = std::max<Index>(kFewestRows, kBlockDoubles / p);
    const Index small = std::max<Index>(kFewestRows, kCachedDoubles / p);
    Matrix X(std::min(n, block), p);
    for (Index first = 0; first < n; first += block) {
      const Index count = std::min(block, n - first);
      for_each_block((count + small - 1) / small, options_.threads, [&](Index b) {
        const Index begin = b * small, rows = std::min(small, count - begin);
        copy_rows(table.design(), first + begin, X.middleRows(begin, rows));
      });
      add_block(state, table, first, X.topRows(count));
    }
  }

  MomentsBuilder take() {
    if (!builder_ || builder_->rows() == 0)
      throw Error("there are no rows of positive weight without missing values");
    return std::move(*builder_);
  }

 private:
  void begin(const Table& table) {
    MomentsSchema schema;
    schema.names = table.names();
    schema.target = table.target;
    schema.weights = options_.read.weights;
    schema.fold_column = options_.read.folds;
    schema.folds = options_.folds;
    schema.seed = options_.seed;
    schema.one_hot = table.one_hot;
    builder_.emplace(std::move(schema), options_.first_row, options_.threads);
    source_ = table.source;
  }

  // As the builder does, but by the name of the file.
  static void check_texts(const Table& table) {
    const auto check = [&](const std::string& text, std::string_view what) {
      io::check_utf8(text, fmt::format("{}: {}", table.source, what));
    };
    for (const auto& [column, levels] : table.one_hot) {
      for (const std::string& level : levels) check(level, "column '" + column + "': the level");
    }
    for (const std::string& name : table.names()) check(name, "the name of the column");
    std::vector<bool> used(table.fold_labels.size());
    for (std::size_t i = 0; i < table.folds.size(); ++i) {
      const bool counts = table.weights().size() == 0 || table.weights()[static_cast<Index>(i)] > 0;
      if (counts) used[static_cast<std::size_t>(table.folds[i])] = true;
    }
    for (std::size_t f = 0; f < used.size(); ++f) {
      if (used[f]) check(table.fold_labels[f], "the label of a fold");
    }
  }

  void check_columns(const Table& table) const {
    const MomentsSchema& schema = builder_->schema();
    if (table.target != schema.target)
      throw Error(fmt::format("{}: the target is '{}', but '{}' in {}", table.source, table.target,
                              schema.target, source_));
    const std::vector<std::string>& names = table.names();
    if (names.size() != schema.names.size())
      throw Error(fmt::format("{}: there are {} columns of X, but {} in {}", table.source,
                              names.size(), schema.names.size(), source_));
    const auto differ = std::mismatch(names.begin(), names.end(), schema.names.begin());
    if (differ.first != names.end())
      throw Error(fmt::format(
          "{}: column {} of X is '{}', but '{}' in {}: parts must have the "
          "same columns in the same order",
          table.source, differ.first - names.begin() + 1, *differ.first, *differ.second, source_));
  }

  static void add_block(MomentsBuilder::State& state, const Table& table, Index first,
                        const ConstMat& X) {
    BlockColumns values;
    for (Index j = 0; j < X.cols(); ++j) {
      values.base.push_back(X.col(j).data());
      values.step.push_back(1);
    }
    values.base.push_back(table.y().data() + first);
    values.step.push_back(1);
    std::vector<std::string> labels;
    if (!table.folds.empty()) {
      for (Index i = 0; i < X.rows(); ++i)
        labels.push_back(table.fold_labels[static_cast<std::size_t>(
            table.folds[static_cast<std::size_t>(first + i)])]);
    }
    const double* weights = table.weights().size() > 0 ? table.weights().data() + first : nullptr;
    state.add(values, X.rows(), weights, labels);
  }

  const MomentsReadOptions& options_;
  std::optional<MomentsBuilder> builder_;
  std::string source_;  // the first file
};

// A delimited file, a few pieces at a time.
class PiecesOfFile {
 public:
  PiecesOfFile(io::ByteStream& stream, std::string text, bool tabs, const ReadOptions& options)
      : stream_(stream),
        options_(options),
        none_(nobody_, "", {}),
        input_{{}, stream.source(), nullptr, {}, options, none_},
        rest_(std::move(text)),
        head_(read_first_row(tabs)),
        plan_(io::plan_with_slots(head_.take_names(stream.source()), options)) {
    rest_.erase(0, head_.bytes);
    line_ += head_.lines;
  }

  // The next pieces, each with its rows as a table; none at the end.
  std::vector<Table> next(Index count, int threads) {
    std::vector<std::string> texts;
    std::vector<io::Piece> pieces;
    while (std::ssize(pieces) < count) {
      io::Piece piece;
      std::string text = next_piece(piece);
      if (text.empty()) break;
      texts.push_back(std::move(text));
      pieces.push_back(piece);
    }
    std::vector<std::optional<Table>> tables(pieces.size());
    std::vector<std::exception_ptr> errors(pieces.size());
    for_each_block(std::ssize(pieces), threads, [&](Index b) {
      const auto at = static_cast<std::size_t>(b);
      try {
        io::Input input{{}, input_.source, nullptr, texts[at], options_, none_};
        tables[at] = io::assemble(io::read_piece(input, plan_, head_, pieces[at]), options_);
      } catch (...) {
        errors[at] = std::current_exception();
      }
    });
    std::vector<Table> result;
    for (std::size_t b = 0; b < tables.size(); ++b) {
      if (errors[b]) std::rethrow_exception(errors[b]);  // the first one of the file
      result.push_back(std::move(*tables[b]));
    }
    return result;
  }

 private:
  io::DelimitedHead read_first_row(bool tabs) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.erase(0, 3);
    trim_end();
    return io::read_head(rest_, tabs, options_, input_.source);
  }

  // At the end of the file, what is blank there is nothing.
  void trim_end() {
    if (!stream_.ended()) return;
    const std::size_t last = rest_.find_last_not_of("\n\r ");
    rest_.resize(last == std::string::npos ? 0 : last + 1);
    if (rest_.empty() && !began_) throw Error(fmt::format("{}: the file is empty", input_.source));
    began_ = true;
  }

  std::string next_piece(io::Piece& piece) {
    for (std::size_t size = kPieceBytes;; size *= 2) {
      if (!stream_.ended() && rest_.size() < size) {
        require_memory(2 * static_cast<double>(size), "a piece of " + input_.source);
        stream_.read(size - rest_.size(), rest_);
        trim_end();
      }
      if (rest_.empty() && stream_.ended()) return {};
      const io::WholeRows whole =
          stream_.ended() && rest_.size() <= size
              ? io::WholeRows{rest_.size(), io::count_line_feeds(rest_) + 1, 0}
              : io::whole_rows(rest_, head_.delimiter);
      if (whole.bytes == 0) continue;  // a row longer than a piece
      piece = {whole.rows, row_, line_};
      row_ += whole.rows;
      line_ += whole.lines;
      std::string text = rest_.substr(0, whole.bytes);
      rest_.erase(0, whole.bytes);
      return text;
    }
  }

  io::ByteStream& stream_;
  const ReadOptions& options_;
  io::ReadProgress::Tell nobody_;
  io::ReadProgress none_;
  io::Input input_;
  std::string rest_;  // read and in no piece yet
  bool began_ = false;
  io::DelimitedHead head_;
  Index row_ = 0, line_ = 1;
  io::Plan plan_;
};

void read_delimited(io::ByteStream& stream, std::string text, bool tabs,
                    const MomentsReadOptions& options, Rows& rows, const std::string& what) {
  PiecesOfFile pieces(stream, std::move(text), tabs, options.read);
  Index at_once = 2 * thread_count(options.threads);
  if (options.memory > 0)
    at_once = std::clamp<Index>(static_cast<Index>(options.memory / kMemoryOfPiece), 1, at_once);
  for (bool any = false;; any = true) {
    if (options.read.progress) options.read.progress(what + stream.source(), stream.fraction());
    const std::vector<Table> tables = pieces.next(at_once, options.threads);
    if (tables.empty() && any) return;
    if (tables.empty()) throw Error(fmt::format("{}: there are no data rows", stream.source()));
    for (const Table& table : tables) rows.add(table);
  }
}

void read_file(const std::string& path, const MomentsReadOptions& options, Rows& rows,
               const std::string& what) {
  io::ByteStream stream(path);
  std::string text;
  stream.read(kPieceBytes, text);
  if (text.empty()) throw Error(fmt::format("{}: the file is empty", stream.source()));
  const FileFormat format = io::format_of(path, text, options.read);
  if (format == FileFormat::csv || format == FileFormat::tsv) {
    read_delimited(stream, std::move(text), format == FileFormat::tsv, options, rows, what);
    return;
  }
  if (format == FileFormat::moments)
    throw UsageError(fmt::format(
        "{}: is a file of moments: merge such files with others of them only", stream.source()));
  if (path == "-")
    throw UsageError("standard input must be CSV or TSV here: other formats need a file");
  rows.add(read_table(path, options.read));
}

void check_options(const MomentsReadOptions& options) {
  const ReadOptions& read = options.read;
  if (read.missing == MissingValues::mean)
    throw UsageError(
        "--missing mean needs all rows at once: use --missing drop, or fill in the values before");
  if (!read.groups.empty())
    throw UsageError("folds of groups need all rows at once: name a column of folds");
  if (read.classes || !read.offset.empty() || !read.include.empty() || !read.positive.empty() ||
      !read.negative.empty())
    throw UsageError(
        "sums are for a gaussian target without an offset; included columns and signs "
        "are given to fits");
  if (read.folds.empty() && options.folds < 1)
    throw UsageError("the number of folds must be at least 1, not " +
                     std::to_string(options.folds));
}

bool knows_levels(const ReadOptions& read) {
  return std::all_of(read.one_hot.begin(), read.one_hot.end(),
                     [&](const std::string& column) { return read.known_levels.contains(column); });
}

}  // namespace

MomentsBuilder moments_of_files(std::span<const std::string> paths,
                                const MomentsReadOptions& options) {
  check_options(options);
  MomentsReadOptions with_levels = options;
  if (!knows_levels(options.read)) {
    if (std::find(paths.begin(), paths.end(), "-") != paths.end())
      throw UsageError(
          "the levels of --one-hot columns need a first pass over the data, which "
          "standard input can't have: give them with --levels");
    LevelsOfRows levels;
    for (const std::string& path : paths) read_file(path, options, levels, "levels in ");
    with_levels.read.known_levels = levels.take();
  }
  SumsOfRows sums(with_levels);
  for (const std::string& path : paths) read_file(path, with_levels, sums, "reading ");
  return sums.take();
}

Levels read_levels(const std::string& path, std::span<const std::string> columns) {
  const io::Bytes bytes = io::Bytes::read(path);
  const std::string source = io::source_name(path);
  Levels levels;
  io::Lines lines(bytes.view());
  while (const auto text = lines.next()) {
    if (io::trim(*text).empty()) continue;
    const auto of_line = [&](const std::string& column) {
      return text->starts_with(column) && text->substr(column.size()).starts_with('=');
    };
    const auto column = std::find_if(columns.begin(), columns.end(), of_line);
    if (column == columns.end())
      throw Error(fmt::format("{}: line {}: '{}' is not COLUMN=LEVEL for one of the columns {}",
                              source, lines.number(), *text, fmt::join(columns, ", ")));
    std::vector<std::string>& all = levels[*column];
    std::string level(text->substr(column->size() + 1));
    if (std::find(all.begin(), all.end(), level) == all.end()) all.push_back(std::move(level));
  }
  for (const std::string& column : columns)
    if (!levels.contains(column))
      throw Error(fmt::format("{}: there are no levels of the column '{}'", source, column));
  return levels;
}

}  // namespace lass0
