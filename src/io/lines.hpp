// The lines of a text, for the formats that are read line by line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <lass0/types.hpp>
#include <optional>
#include <string_view>

#include "io/read_progress.hpp"

namespace lass0::io {

// In pieces whose count fits a byte: compilers make that vector code, which std::count is not.
inline Index count_line_feeds(std::string_view text) {
  constexpr std::size_t piece = 192;
  Index total = 0;
  for (std::size_t first = 0; first < text.size(); first += piece) {
    const std::size_t size = std::min(piece, text.size() - first);
    std::uint8_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += text[first + i] == '\n';
    total += count;
  }
  return total;
}

class Lines {
 public:
  explicit Lines(std::string_view text, ReadProgress* progress = nullptr)
      : rest_(text), progress_(progress) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  // The next line without its end; nothing at the end of the text.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return {};
    if (progress_) progress_->at(rest_.data());
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return line;
  }

  Index number() const { return number_; }  // of the line read last, from 1
  std::size_t bytes_left() const { return rest_.size(); }
  Index remaining() const {  // lines not read yet
    return count_line_feeds(rest_) + (!rest_.empty() && rest_.back() != '\n');
  }

 private:
  std::string_view rest_;
  ReadProgress* progress_;
  Index number_ = 0;
};

// Cuts off the first word (up to a blank or tab) of `text`; empty when there is none.
inline std::string_view take_word(std::string_view& text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = std::min(text.find_first_of(" \t", first), text.size());
  const std::string_view word = text.substr(first, last - first);
  text.remove_prefix(last);
  return word;
}

}  // namespace lass0::io
