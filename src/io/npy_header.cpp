#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <lass0/error.hpp>

namespace lass0::io {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& source) : rest_(text), source_(source) {}

  NpyHeader read() {
    NpyHeader header;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      bool& seen = key == "descr" ? type : key == "fortran_order" ? order : shape;
      if (key != "descr" && key != "fortran_order" && key != "shape")
        throw Error(fmt::format("{}: the .npy header has an unknown key '{}'", source_, key));
      if (seen) throw Error(fmt::format("{}: the .npy header gives '{}' twice", source_, key));
      seen = true;
      if (key == "descr")
        header.type = read_type();
      else if (key == "fortran_order")
        header.fortran = boolean();
      else
        header.shape = sizes();
      if (!accept(',') && peek() != '}') fail();
    }
    if (peek() != '\0') fail();
    for (const auto& [key, seen] :
         {std::pair{"descr", type}, {"fortran_order", order}, {"shape", shape}}) {
      if (!seen) throw Error(fmt::format("{}: the .npy header has no {}", source_, key));
    }
    return header;
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(fmt::format("{}: the .npy header can't be understood at '{}'", source_,
                            rest_.substr(0, 20)));
  }

  // The next character that is no blank; '\0' at the end.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    if (rest_.starts_with('\0')) fail();
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail();
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail();
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string read_type() {
    if (peek() == '[')
      throw Error(
          fmt::format("{}: only arrays of plain numbers can be read, not records", source_));
    return string();
  }

  bool boolean() {
    peek();
    for (const auto& [word, value] : {std::pair{"True", true}, {"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(std::string_view(word).size());
      return value;
    }
    fail();
  }

  // "()", "(5,)", "(5, 4)", "(5, 4,)"; "(5)" is no tuple.
  std::vector<Index> sizes() {
    expect('(');
    std::vector<Index> out;
    bool closed_by_comma = true;
    while (!accept(')')) {
      if (!closed_by_comma) fail();
      out.push_back(size());
      closed_by_comma = accept(',');
    }
    if (out.size() == 1 && !closed_by_comma)
      throw Error(fmt::format("{}: the shape in the .npy header is not a tuple", source_));
    return out;
  }

  Index size() {
    peek();
    std::string_view word = rest_.substr(0, std::min(rest_.find_first_of(",)"), rest_.size()));
    rest_.remove_prefix(word.size());
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    std::string_view digits = word;
    if (digits.ends_with('L')) digits.remove_suffix(1);  // written by Python 2
    Index value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < 0)
      throw Error(fmt::format("{}: '{}' in the .npy header is not a size", source_, word));
    return value;
  }

  std::string_view rest_;
  const std::string& source_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& source) {
  return Parser(text, source).read();
}

}  // namespace lass0::io
