// LIBSVM / SVMlight: `label index:value index:value ...  # comment`, one row a line.
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

constexpr std::string_view target_name = "target";
constexpr Index largest = std::numeric_limits<std::int32_t>::max() - 1;

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

struct Entry {
  Index index = 0;
  std::string_view value;
};

// "12:0.5", or nothing when the word has another form.
std::optional<Entry> split(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return {};
  Entry entry;
  const char* end = word.data() + colon;
  const auto parsed = std::from_chars(word.data(), end, entry.index);
  if (parsed.ec != std::errc() || parsed.ptr != end || entry.index < 0) return {};
  entry.value = word.substr(colon + 1);
  return entry;
}

class Reader {
 public:
  explicit Reader(const Input& input)
      : source_(input.source), lines_(input.bytes, &input.progress) {}

  void read() {
    while (auto line = lines_.next()) {
      std::string_view rest = without_comment(*line);
      const std::string_view label = take_word(rest);
      if (label.empty()) continue;
      if (rows() == largest)
        throw Error(fmt::format("{}: there are more than {} rows", source_, largest));
      targets_.push_back(number(label, "the target"));
      const std::size_t first = entries_.value.size();
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        if (!word.starts_with("qid:")) add(word);
      }
      reject_duplicates(first);
    }
  }

  void reject_mostly_empty() const {
    if (mostly_empty(largest_, std::ssize(entries_.value))) {
      throw Error(
          fmt::format("{}: line {}: the largest index is {}, but the file has only {} "
                      "values; number the columns without large gaps",
                      source_, line_of_largest_, largest_, entries_.value.size()));
    }
  }

  // The values; at least `least` columns.
  Triplets take_entries(Index least) {
    // A file that uses index 0 counts from 0.
    if (smallest_ > 0) {
      for (std::int32_t& column : entries_.col) --column;
    }
    const Index used = entries_.col.empty() ? 0 : largest_ + (smallest_ > 0 ? 0 : 1);
    entries_.rows = rows();
    entries_.cols = std::max(used, least);
    return std::move(entries_);
  }

  Vector target() const { return Eigen::Map<const Vector>(targets_.data(), std::ssize(targets_)); }

 private:
  Index rows() const { return std::ssize(targets_); }
  std::string here() const {
    return fmt::format("{}: row {} (line {})", source_, rows(), lines_.number());
  }

  double number(std::string_view text, std::string_view what) const {
    const std::optional<double> value = parse_number(text);
    const Index row = rows() + (what == "the target");
    if (!value || !std::isfinite(*value)) {
      throw Error(fmt::format("{}: row {} (line {}): '{}' is not a {}number, as {} must be",
                              source_, row, lines_.number(), text, value ? "finite " : "", what));
    }
    return *value;
  }

  void add(std::string_view word) {
    const auto entry = split(word);
    if (!entry) throw Error(fmt::format("{}: '{}' is not of the form index:value", here(), word));
    if (entry->index > largest)
      throw Error(fmt::format("{}: the index {} is larger than {}", here(), entry->index, largest));
    smallest_ = std::min(smallest_, entry->index);
    if (entry->index > largest_) {
      largest_ = entry->index;
      line_of_largest_ = lines_.number();
    }
    entries_.add(rows() - 1, entry->index, number(entry->value, "the value"));
  }

  void reject_duplicates(std::size_t first) {
    const auto begin = entries_.col.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::adjacent_find(begin, entries_.col.end(), std::greater_equal<>()) == entries_.col.end())
      return;
    std::vector<std::int32_t> sorted(begin, entries_.col.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      throw Error(fmt::format("{}: the index {} is given twice", here(), *twice));
  }

  const std::string& source_;
  Lines lines_;
  std::vector<double> targets_;
  Triplets entries_;
  Index smallest_ = 1, largest_ = 0, line_of_largest_ = 0;
};

// The file does not say how many columns there are: columns beyond its largest index are zero in
// every row, and a model may well use one.
Index columns_of_model(const ReadOptions& options) {
  Index most = 0;
  if (!options.only_columns) return most;
  const auto need = [&](const std::string& name) {
    const Index column = numbered_column(name);
    if (column < largest) most = std::max(most, column + 1);
  };
  for (const std::string& name : options.columns) need(name);
  need(options.offset);
  return most;
}

}  // namespace

RawTable read_libsvm(const Input& input) {
  const std::string& target = input.options.target;
  if (!input.options.only_columns && !target.empty() && target != target_name) {
    throw Error(
        fmt::format("{}: a LIBSVM file has its own target, the first number of each row; remove "
                    "--target {}",
                    input.source, target));
  }
  Reader reader(input);
  reader.read();
  if (!input.options.only_columns) reader.reject_mostly_empty();
  RawTable raw(input, reader.take_entries(columns_of_model(input.options)), target_name);
  raw.own_target = reader.target();
  return raw;
}

bool looks_like_libsvm(std::string_view bytes) {
  constexpr Index enough = 10;
  Lines lines(bytes.substr(0, std::size_t{1} << 20));
  bool any = false;
  for (Index seen = 0; seen < enough;) {
    const auto line = lines.next();
    if (!line) break;
    std::string_view rest = without_comment(*line);
    const std::string_view label = take_word(rest);
    if (label.empty()) continue;
    ++seen;
    if (!parse_number(label)) return false;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      if (word.starts_with("qid:")) continue;
      if (!split(word)) return false;
      any = true;
    }
  }
  return any;
}

}  // namespace lass0::io
