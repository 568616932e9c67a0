// Matrix Market: `%%MatrixMarket matrix coordinate|array real|integer|pattern
// general|symmetric|skew-symmetric`. Coordinates make a sparse table, arrays a dense one.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lass0/error.hpp>
#include <limits>

#include "io/formats.hpp"
#include "io/lines.hpp"

namespace lass0::io {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

enum class Symmetry { general, symmetric, skew };

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

class Reader {
 public:
  explicit Reader(const Input& input) : input_(input), lines_(input.bytes, &input.progress) {
    read_header();
  }

  RawTable read() { return coordinate_ ? read_coordinates() : read_array(); }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: line {}: {}", input_.source, lines_.number(), what));
  }

  void read_header() {
    std::string_view line = lines_.next().value_or("");
    const std::string_view first = take_word(line);
    const std::string object = lower(take_word(line)), format = lower(take_word(line));
    const std::string field = lower(take_word(line)), symmetry = lower(take_word(line));
    if (first != banner || object != "matrix")
      fail("a Matrix Market file starts with '%%MatrixMarket matrix'");
    if (format != "coordinate" && format != "array")
      fail(fmt::format("the format '{}' is not known", format));
    if (field != "real" && field != "integer" && field != "double" && field != "pattern")
      fail(fmt::format("entries of type '{}' can't be used; they must be real, integer or pattern",
                       field));
    coordinate_ = format == "coordinate";
    pattern_ = field == "pattern";
    if (symmetry == "symmetric")
      symmetry_ = Symmetry::symmetric;
    else if (symmetry == "skew-symmetric")
      symmetry_ = Symmetry::skew;
    else if (symmetry != "general")
      fail(fmt::format("the symmetry '{}' can't be used", symmetry));

    std::string_view sizes = next_line("the sizes");
    rows_ = integer(take_word(sizes), "a number of rows");
    cols_ = integer(take_word(sizes), "a number of columns");
    if (coordinate_) entries_ = integer(take_word(sizes), "a number of entries");
    constexpr Index most = std::numeric_limits<std::int32_t>::max() - 1;
    if (rows_ > most || cols_ > most)
      fail(fmt::format("there are more than {} rows or columns", most));
    if (symmetry_ != Symmetry::general && rows_ != cols_)
      fail(fmt::format("a symmetric matrix can't have {} rows and {} columns", rows_, cols_));
    reject_sizes_beyond_the_content();
  }

  // Before anything of these sizes is made.
  void reject_sizes_beyond_the_content() const {
    if (rows_ == 0) throw Error(fmt::format("{}: there are no data rows", input_.source));
    if (coordinate_) {
      // Predictions take a few columns, and of those any number may be empty.
      const Index largest = input_.options.only_columns ? rows_ : std::max(rows_, cols_);
      if (mostly_empty(largest, entries_))
        fail(fmt::format("there are {} {} but only {} values; number them without large gaps",
                         largest, largest == rows_ ? "rows" : "columns", entries_));
      return;
    }
    const double numbers = static_cast<double>(rows_) * static_cast<double>(cols_);
    constexpr double worth_a_look = 1e6;
    // A number takes a digit and a blank; of a symmetric matrix nearly half are left out.
    const double bytes = symmetry_ == Symmetry::general ? 2 * numbers - 1 : numbers - 1;
    if (numbers > worth_a_look && bytes > static_cast<double>(lines_.bytes_left()))
      fail(fmt::format("the file is truncated: it is too short for {} x {} numbers", rows_, cols_));
  }

  // Past comments and blank lines.
  std::string_view next_line(std::string_view wanted) {
    while (const auto line = lines_.next()) {
      if (!trim(*line).empty() && !line->starts_with('%')) return *line;
    }
    throw Error(fmt::format("{}: the file is truncated: it ends where {} should be", input_.source,
                            wanted));
  }

  Index integer(std::string_view word, std::string_view what) const {
    Index value = 0;
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < 0)
      fail(fmt::format("'{}' is not {}", word, what));
    return value;
  }

  Index position(std::string_view word, std::string_view what, Index count) const {
    const Index value = integer(word, fmt::format("a {}", what));
    if (value < 1 || value > count)
      fail(fmt::format("the {} {} is out of range: there are {}", what, value, count));
    return value - 1;
  }

  double number(std::string_view word, Index row, Index column) const {
    const std::optional<double> value = parse_number(word);
    if (!value || !std::isfinite(*value)) {
      fail(fmt::format("row {}, column {}: '{}' is not a {}number", row + 1, column + 1, word,
                       value ? "finite " : ""));
    }
    return *value;
  }

  double mirrored(double value) const { return symmetry_ == Symmetry::skew ? -value : value; }

  RawTable read_coordinates() {
    Triplets triplets;
    triplets.rows = rows_;
    triplets.cols = cols_;
    for (Index e = 0; e < entries_; ++e) {
      std::string_view line = next_line(fmt::format("entry {} of {}", e + 1, entries_));
      const Index i = position(take_word(line), "row", rows_);
      const Index j = position(take_word(line), "column", cols_);
      const double value = pattern_ ? 1.0 : number(take_word(line), i, j);
      triplets.add(i, j, value);
      if (symmetry_ != Symmetry::general && i != j) triplets.add(j, i, mirrored(value));
    }
    reject_more();
    return RawTable(input_, std::move(triplets));
  }

  // Column by column; of symmetric matrices the part from the diagonal down (skew: below it).
  RawTable read_array() {
    RawTable raw(input_, ColumnNames::numbered(input_.source, cols_), rows_);
    const bool text_columns = raw.plan.text_columns > 0;
    if (text_columns && symmetry_ != Symmetry::general)
      fail("one-hot coding needs a general matrix");
    std::string_view line;
    const auto next_number = [&](Index i, Index j) {
      std::string_view word = take_word(line);
      while (word.empty()) {
        line = next_line(fmt::format("row {} of column {}", i + 1, j + 1));
        word = take_word(line);
      }
      return number(word, i, j);
    };
    for (Index j = 0; j < cols_; ++j) {
      if (symmetry_ == Symmetry::skew) raw.put(j, 0.0, j);
      const Index first = symmetry_ == Symmetry::general     ? 0
                          : symmetry_ == Symmetry::symmetric ? j
                                                             : j + 1;
      for (Index i = first; i < rows_; ++i) {
        const double value = next_number(i, j);
        raw.put(j, value, i);
        if (symmetry_ != Symmetry::general && i != j) raw.put(i, mirrored(value), j);
      }
    }
    if (!trim(line).empty()) fail("there are more numbers than the sizes allow");
    reject_more();
    return raw;
  }

  void reject_more() {
    while (const auto line = lines_.next()) {
      if (!trim(*line).empty() && !line->starts_with('%'))
        fail("there are more entries than the sizes allow");
    }
  }

  const Input& input_;
  Lines lines_;
  bool coordinate_ = false, pattern_ = false;
  Symmetry symmetry_ = Symmetry::general;
  Index rows_ = 0, cols_ = 0, entries_ = 0;
};

}  // namespace

RawTable read_matrix_market(const Input& input) { return Reader(input).read(); }

bool looks_like_matrix_market(std::string_view bytes) { return bytes.starts_with(banner); }

}  // namespace lass0::io
