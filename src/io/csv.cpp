// CSV and TSV after RFC 4180. Made for files of gigabytes: fields are parsed where they lie, rows
// go into a block that fits the cache, and blocks are transposed into the column-major table.
#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <lass0/error.hpp>

#include "io/delimited.hpp"
#include "io/formats.hpp"
#include "io/lines.hpp"
#include "io/numbers.hpp"

namespace lass0::io {
namespace {

struct UnclosedQuote : Error {
  using Error::Error;
};

// Cuts the text into fields, one after the other.
class Scanner {
 public:
  Scanner(std::string_view text, char delimiter, char decimal, std::string_view source,
          Index first_line = 1)
      : at_(text.data()),
        end_(at_ + text.size()),
        delimiter_(delimiter),
        decimal_(decimal),
        source_(source),
        line_(first_line) {}

  bool done() const { return at_ == end_ && !after_delimiter_; }
  const char* position() const { return at_; }
  Index line() const { return line_; }
  bool row_ended() const { return row_ended_; }  // the field read last was its row's last

  // The common case: a plain number up to the delimiter or the end of the line. False, and nothing
  // is read, otherwise.
  bool plain_number(double& value) {
    if (decimal_ == delimiter_) return false;  // where the number ends, only quotes can tell
    const char* first = at_;
    while (first != end_ && *first == ' ') ++first;
    const fast_float::parse_options options(fast_float::chars_format::general, decimal_);
    const auto parsed = fast_float::from_chars_advanced(first, end_, value, options);
    if (parsed.ec != std::errc() || !std::isfinite(value)) return false;
    const char* last = parsed.ptr;
    while (last != end_ && *last == ' ') ++last;
    return end_field(last);
  }

  // Any field, without its quotes and the blanks around it. Valid until the next call.
  std::string_view field() {
    const char* first = skip_blanks(at_);
    if (first != end_ && *first == '"') return quoted(first + 1);
    const char* last = first;
    while (last != end_ && *last != delimiter_ && *last != '\n') ++last;
    const bool carriage_return =
        last != first && last[-1] == '\r' && (last == end_ || *last == '\n');
    const std::string_view text(first, static_cast<std::size_t>(last - first - carriage_return));
    end_field(last);
    return trim(text);
  }

  void skip_rest_of_row(Index& fields) {
    for (; !row_ended_; ++fields) field();
  }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

  const char* skip_blanks(const char* p) const {
    while (p != end_ && is_blank(*p)) ++p;
    return p;
  }

  // Moves past what ends a field at `p`; false when the field goes on there.
  bool end_field(const char* p) {
    row_ended_ = after_delimiter_ = false;
    if (p != end_ && *p == delimiter_) {
      at_ = p + 1;
      after_delimiter_ = true;  // another field follows, be it empty at the end of the file
      return true;
    }
    if (p != end_ && *p == '\r') ++p;
    if (p != end_ && *p != '\n') return false;
    at_ = p == end_ ? p : p + 1;
    ++line_;
    row_ended_ = true;
    return true;
  }

  std::string_view quoted(const char* first) {
    const Index opened = line_;
    const char* p = first;
    unquoted_.clear();
    const char* piece = first;
    while (true) {
      if (p == end_) {
        throw UnclosedQuote(
            fmt::format("{}: line {}: a quote is opened but never closed", source_, opened));
      }
      if (*p == '\n') ++line_;
      if (*p++ != '"') continue;
      if (p == end_ || *p != '"') break;
      unquoted_.append(piece, p);  // of two quotes, one is meant
      piece = ++p;
    }
    const char* last = p - 1;
    if (!end_field(skip_blanks(p))) {
      throw Error(fmt::format(
          "{}: line {}: text follows a closing quote; quotes inside a field are doubled", source_,
          line_));
    }
    if (piece == first) return {first, static_cast<std::size_t>(last - first)};
    unquoted_.append(piece, last);
    return unquoted_;
  }

  const char* at_;
  const char* end_;
  char delimiter_, decimal_;
  std::string_view source_;
  Index line_;
  bool row_ended_ = true, after_delimiter_ = false;
  std::string unquoted_;  // a field that holds doubled quotes
};

// Rows in the order of the file, handed on to the column-major table a block at a time.
class RowBlock {
 public:
  explicit RowBlock(Matrix& table)
      : table_(table),
        cols_(table.cols()),
        capacity_(std::clamp<Index>(block_values / std::max<Index>(cols_, 1), 16, 4096)),
        values_(static_cast<std::size_t>(capacity_ * cols_)) {}

  double* next_row() {
    if (filled_ == capacity_) flush();
    return values_.data() + cols_ * filled_++;
  }

  void flush() {
    for (Index j = 0; j < cols_; ++j) {
      double* to = table_.data() + j * table_.rows() + stored_;
      const double* from = values_.data() + j;
      for (Index i = 0; i < filled_; ++i) to[i] = from[i * cols_];
    }
    stored_ += filled_;
    filled_ = 0;
  }

 private:
  static constexpr Index block_values = 1 << 15;  // 256 KiB: stays in the second-level cache

  Matrix& table_;
  Index cols_, capacity_;
  std::vector<double> values_;
  Index stored_ = 0, filled_ = 0;
};

std::string_view without_mark_and_end(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t last = text.find_last_not_of("\n\r ");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Whether the first row is made of numbers with decimal commas, some of them, when it is cut at
// `delimiter`.
bool is_row_of_comma_numbers(std::string_view row, char delimiter) {
  for (bool more = true; more;) {
    const std::size_t end = std::min(row.find(delimiter), row.size());
    const std::string_view field = trim(row.substr(0, end));
    if (!is_missing(field) && !parse_comma_number(field)) return false;
    more = end < row.size();
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return true;
}

// The most frequent one of the first row; a comma comes last where it is the decimal sign.
char find_delimiter(std::string_view text, char decimal) {
  constexpr std::array<char, 3> candidates = {',', ';', '\t'};
  std::array<Index, candidates.size()> count = {};
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    for (std::size_t d = 0; d < candidates.size(); ++d) count[d] += c == candidates[d];
  }
  std::string_view first_row = text.substr(0, end);
  if (first_row.ends_with('\r')) first_row.remove_suffix(1);
  const std::size_t other = count[1] >= count[2] ? 1 : 2;
  if (count[other] > 0 && (decimal == ',' || is_row_of_comma_numbers(first_row, candidates[other])))
    return candidates[other];
  return candidates[static_cast<std::size_t>(std::max_element(count.begin(), count.end()) -
                                             count.begin())];
}

std::vector<std::string> read_row(Scanner& scanner) {
  std::vector<std::string> fields;
  do fields.emplace_back(scanner.field());
  while (!scanner.row_ended());
  return fields;
}

// A first row of numbers is data, also when values (not all) are marked as missing in it. An empty
// field is no sign of data: programs that save row numbers leave the name of that column empty.
bool is_header(const std::vector<std::string>& first_row, Header header) {
  if (header != Header::detect) return header == Header::yes;
  bool any_number = false;
  for (const std::string& field : first_row) {
    // Whatever the decimal sign: a row of "3,14" is no row of names.
    const bool number = (parse_number(field) || parse_comma_number(field)) && !is_missing(field);
    if (!number && (field.empty() || !is_missing(field))) return true;
    any_number = any_number || number;
  }
  return !any_number;
}

[[noreturn]] void throw_ragged(const RawTable& raw, char delimiter, Index row, Index line,
                               Index found, Index expected) {
  std::string advice;
  if (delimiter == ',' && raw.decimal == ',')
    advice = "; the fields are separated by commas too: quote numbers with a decimal comma";
  else if (delimiter == ',' && found == 2 * expected)
    advice = "; if commas are decimal signs, separate the fields by semicolons and use --decimal ,";
  throw Error(fmt::format("{}: row {} (line {}) has {} field{} where {} are expected{}", raw.source,
                          raw.first_row + row + 1, line, found, found == 1 ? "" : "s", expected,
                          advice));
}

Index read_rows(const Input& input, Scanner& scanner, char delimiter, Index columns,
                RawTable& raw) {
  RowBlock block(raw.numbers);
  const std::vector<Index>& number_slot = raw.plan.number_slot;
  const std::vector<Index>& text_slot = raw.plan.text_slot;
  Index row = 0;
  for (; !scanner.done(); ++row) {
    const Index line = scanner.line();
    if (!raw.piece) input.progress.at(scanner.position());
    double* values = block.next_row();
    for (Index j = 0; j < columns; ++j) {
      const Index slot = number_slot[static_cast<std::size_t>(j)];
      double value = 0;
      if (slot >= 0 && j != raw.plan.id && scanner.plain_number(value)) {
        values[slot] = value;
      } else {
        const Index field_line = scanner.line();
        const std::string_view text = scanner.field();
        const Index words = text_slot[static_cast<std::size_t>(j)];
        if (slot >= 0) values[slot] = raw.number(slot, text, row, field_line);
        if (words >= 0)
          raw.texts[static_cast<std::size_t>(words)].put(raw.first_row + row, text, field_line);
        if (j == raw.plan.id) raw.ids[static_cast<std::size_t>(row)] = text;
      }
      if (scanner.row_ended() && j + 1 < columns)
        throw_ragged(raw, delimiter, row, line, j + 1, columns);
    }
    if (!scanner.row_ended()) {
      Index found = columns;
      scanner.skip_rest_of_row(found);
      throw_ragged(raw, delimiter, row, line, found, columns);
    }
  }
  block.flush();
  return row;
}

// The first pass over the file is the one that waits for the disk.
Index count_lines(const Input& input, std::string_view text) {
  ReadProgress progress(input.options.progress, "counting the rows of " + input.source, text);
  constexpr std::size_t piece = std::size_t{4} << 20;
  Index lines = 1;
  for (std::size_t first = 0; first < text.size(); first += piece) {
    progress.at(text.data() + first);
    lines += count_line_feeds(text.substr(first, piece));
  }
  return lines;
}

RawTable read_delimited(const Input& input, std::string_view text, bool tabs) {
  DelimitedHead head = read_head(text, tabs, input.options, input.source);
  const std::string_view body = text.substr(head.bytes);
  const ColumnNames names = head.take_names(input.source);
  // Every row ends in a line feed but the last; fields that hold some make this an upper bound.
  const Index lines = count_lines(input, text);
  RawTable raw(input, names, body.empty() ? 0 : lines - head.lines);
  raw.delimited = true;
  Scanner scanner(body, head.delimiter, input.options.decimal, input.source, head.lines + 1);
  raw.finish(read_rows(input, scanner, head.delimiter, head.columns, raw));
  return raw;
}

}  // namespace

ColumnNames DelimitedHead::take_names(const std::string& source) {
  return names.empty() ? ColumnNames::numbered(source, columns)
                       : ColumnNames(source, std::move(names));
}

DelimitedHead read_head(std::string_view text, bool tabs, const ReadOptions& options,
                        const std::string& source) {
  DelimitedHead head;
  head.delimiter = tabs ? '\t' : find_delimiter(text, options.decimal);
  if (head.delimiter == options.decimal && text.find('"') == std::string_view::npos) {
    throw Error(fmt::format(
        "{}: the fields are separated by commas and none is quoted, so that a comma can't be the "
        "decimal sign as well; remove --decimal , or separate the fields by semicolons",
        source));
  }
  Scanner scanner(text, head.delimiter, options.decimal, source);
  std::vector<std::string> first_row = read_row(scanner);
  head.columns = std::ssize(first_row);
  if (!is_header(first_row, options.header)) return head;
  head.bytes = static_cast<std::size_t>(scanner.position() - text.data());
  head.lines = scanner.line() - 1;
  for (Index j = 0; j < head.columns; ++j) {
    std::string& name = first_row[static_cast<std::size_t>(j)];
    if (name.empty()) name = fmt::format("x{}", j + 1);
  }
  head.names = std::move(first_row);
  return head;
}

WholeRows whole_rows(std::string_view text, char delimiter) {
  const std::size_t last = text.find_last_of('\n');
  if (last == std::string_view::npos) return {};
  if (text.substr(0, last).find('"') == std::string_view::npos) {
    // Blank lines at the end stay with what follows: at the end of a file they are nothing.
    const std::size_t filled = text.substr(0, last).find_last_not_of("\n\r ");
    if (filled == std::string_view::npos) return {};
    const std::size_t end = text.find('\n', filled) + 1;
    const Index lines = count_line_feeds(text.substr(0, end));
    return {end, lines, lines};
  }
  WholeRows whole;
  Scanner scanner(text, delimiter, '.', "");
  try {
    for (Index rows = 1; !scanner.done(); ++rows) {
      Index more = 0;
      const bool blank = scanner.field().empty();
      scanner.skip_rest_of_row(more);
      const auto end = static_cast<std::size_t>(scanner.position() - text.data());
      if (text[end - 1] != '\n') break;
      if (!blank || more > 0) whole = {end, rows, scanner.line() - 1};
    }
  } catch (const UnclosedQuote&) {  // the row goes on beyond the text
  } catch (const Error&) {          // whoever parses it will say what is wrong
    return {text.size(), whole.rows + count_line_feeds(text.substr(whole.bytes)) + 1, 0};
  }
  return whole;
}

RawTable read_piece(const Input& input, const Plan& plan, const DelimitedHead& head,
                    const Piece& piece) {
  RawTable raw(input, plan, piece.rows);
  raw.delimited = raw.piece = true;
  raw.first_row = piece.first_row;
  Scanner scanner(input.bytes, head.delimiter, input.options.decimal, input.source,
                  piece.first_line);
  raw.finish(read_rows(input, scanner, head.delimiter, head.columns, raw));
  return raw;
}

RawTable read_csv(const Input& input) {
  const std::string_view text = without_mark_and_end(input.bytes);
  if (text.empty()) throw Error(fmt::format("{}: the file is empty", input.source));
  return read_delimited(input, text, false);
}

RawTable read_tsv(const Input& input) {
  const std::string_view text = without_mark_and_end(input.bytes);
  if (text.empty()) throw Error(fmt::format("{}: the file is empty", input.source));
  return read_delimited(input, text, true);
}

}  // namespace lass0::io
