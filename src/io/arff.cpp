// ARFF, the format of Weka and OpenML: declared attributes, then dense rows or sparse ones,
// `{0 1.5, 7 red}`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <lass0/error.hpp>

#include "io/formats.hpp"
#include "io/lines.hpp"

namespace lass0::io {
namespace {

bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

struct Attribute {
  std::string name;
  bool text = false;              // declared as string, date or levels that are not all numbers
  std::string when_absent = "0";  // what a sparse row means by leaving it out
};

class Reader {
 public:
  explicit Reader(const Input& input) : input_(input), lines_(input.bytes, &input.progress) {}

  RawTable read() {
    read_declarations();
    std::vector<std::string> names;
    for (const Attribute& attribute : attributes_) names.push_back(attribute.name);
    RawTable raw(input_, ColumnNames(input_.source, std::move(names)), lines_.remaining());
    Index row = 0;
    while (const auto line = lines_.next()) {
      const std::string_view text = trim(*line);
      if (text.empty() || text[0] == '%') continue;
      if (text[0] == '{')
        read_sparse_row(text, row, raw);
      else
        read_dense_row(text, row, raw);
      ++row;
    }
    raw.finish(row);
    return raw;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: line {}: {}", input_.source, lines_.number(), what));
  }

  void read_declarations() {
    while (const auto line = lines_.next()) {
      std::string_view rest = trim(*line);
      if (rest.empty() || rest[0] == '%') continue;
      const std::string_view keyword = take_word(rest);
      if (is_keyword(keyword, "@data")) {
        if (attributes_.empty()) fail("there are no attributes before @data");
        return;
      }
      if (is_keyword(keyword, "@attribute"))
        read_attribute(rest);
      else if (!is_keyword(keyword, "@relation"))
        fail(fmt::format("'{}' is not an ARFF declaration", keyword));
    }
    throw Error(fmt::format("{}: there is no @data section", input_.source));
  }

  void read_attribute(std::string_view rest) {
    Attribute attribute;
    attribute.name = value(rest, " \t{");
    rest = trim(rest);
    if (attribute.name.empty() || rest.empty()) fail("an attribute needs a name and a type");
    if (rest[0] == '{') {
      read_levels(rest.substr(1), attribute);
    } else {
      const std::string_view type = take_word(rest);
      const auto is = [&](const char* name) { return is_keyword(type, name); };
      attribute.text = is("string") || is("date");
      if (attribute.text)
        attribute.when_absent.assign(1, '?');
      else if (!is("numeric") && !is("real") && !is("integer"))
        fail(fmt::format("attribute '{}' is of type '{}', which can't be used", attribute.name,
                         type));
    }
    attributes_.push_back(std::move(attribute));
  }

  void read_levels(std::string_view rest, Attribute& attribute) {
    for (bool first = true;; first = false) {
      const std::string level = value(rest, ",}");
      if (first) attribute.when_absent = level;
      attribute.text = attribute.text || !parse_number(level);
      if (rest.empty())
        fail(fmt::format("the levels of attribute '{}' are not closed by a brace", attribute.name));
      if (rest[0] == '}') return;
      rest.remove_prefix(1);
    }
  }

  // Cuts off one value, quoted or up to one of the characters in `ends`, which is left in place.
  std::string value(std::string_view& rest, const char* ends) const {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"')) {
      const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
      std::string text(trim(rest.substr(0, end)));
      rest.remove_prefix(end);
      return text;
    }
    const char quote = rest[0];
    std::string text;
    std::size_t i = 1;
    for (; i < rest.size() && rest[i] != quote; ++i) {
      if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
      text += rest[i];
    }
    if (i >= rest.size()) fail("a quote is opened but never closed");
    rest.remove_prefix(i + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.empty() && !std::strchr(ends, rest[0]) && !std::strchr(ends, ' '))
      fail("text follows a closing quote");
    return text;
  }

  void put(Index column, const std::string& text, Index row, RawTable& raw) const {
    const Attribute& attribute = attributes_[static_cast<std::size_t>(column)];
    const Index slot = raw.plan.number_slot[static_cast<std::size_t>(column)];
    // Declared as text is text, even where a value looks like a number.
    if (attribute.text && slot >= 0 && !is_missing(text)) {
      raw.notes[static_cast<std::size_t>(slot)].text.add(row, lines_.number(), text);
    } else {
      raw.put(column, text, row, lines_.number());
    }
  }

  void read_dense_row(std::string_view rest, Index row, RawTable& raw) const {
    const auto expected = std::ssize(attributes_);
    Index found = 0;
    for (bool more = true; more; ++found) {
      const std::string text = value(rest, ",");
      if (found < expected) put(found, text, row, raw);
      more = !rest.empty();
      if (more) rest.remove_prefix(1);
    }
    if (found != expected) {
      throw Error(fmt::format("{}: row {} (line {}) has {} fields where {} are expected",
                              input_.source, row + 1, lines_.number(), found, expected));
    }
  }

  void read_sparse_row(std::string_view rest, Index row, RawTable& raw) const {
    std::vector<std::optional<std::string>> given(attributes_.size());
    rest.remove_prefix(1);
    while (true) {
      rest = trim(rest);
      if (rest.empty()) fail("a sparse row is not closed by a brace");
      if (rest[0] == '}') break;
      std::size_t index = 0;
      const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), index);
      if (parsed.ec != std::errc()) fail("a sparse row is made of pairs of an index and a value");
      if (index >= given.size())
        fail(fmt::format("the index {} is out of range: there are {} attributes, from 0", index,
                         given.size()));
      rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
      if (given[index]) fail(fmt::format("the index {} is given twice", index));
      given[index] = value(rest, ",}");
      if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    for (Index j = 0; j < std::ssize(attributes_); ++j) {
      const auto& text = given[static_cast<std::size_t>(j)];
      put(j, text ? *text : attributes_[static_cast<std::size_t>(j)].when_absent, row, raw);
    }
  }

  const Input& input_;
  Lines lines_;
  std::vector<Attribute> attributes_;
};

}  // namespace

RawTable read_arff(const Input& input) { return Reader(input).read(); }

bool looks_like_arff(std::string_view bytes) {
  Lines lines(bytes);
  while (const auto line = lines.next()) {
    std::string_view rest = trim(*line);
    if (rest.empty() || rest[0] == '%') continue;
    return is_keyword(take_word(rest), "@relation");
  }
  return false;
}

}  // namespace lass0::io
