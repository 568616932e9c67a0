#include "text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "colour.hpp"

namespace lass0::app {
namespace {

constexpr int kLabelWidth = 11;
constexpr int kPlainWidth = 80, kNarrowest = 40, kWidest = 200;  // of a line

struct CodePoint {
  std::uint32_t value;  // kBroken where the bytes are not UTF-8
  std::size_t length;   // in bytes
};
constexpr std::uint32_t kBroken = 0xFFFFFFFF;

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {kBroken, 1};
  std::uint32_t value = lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {kBroken, 1};
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {kBroken, 1};
  return {value, length};
}

bool in(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c >= first && c <= last;
}

bool is_control(std::uint32_t c) {
  return c < 0x20 || in(c, 0x7F, 0x9F) || in(c, 0x2028, 0x202E) || in(c, 0x2066, 0x2069);
}

bool is_combining(std::uint32_t c) {
  return in(c, 0x300, 0x36F) || in(c, 0x1AB0, 0x1AFF) || in(c, 0x200B, 0x200F) ||
         in(c, 0x20D0, 0x20FF) || in(c, 0xFE00, 0xFE0F) || in(c, 0xFE20, 0xFE2F);
}

bool is_wide(std::uint32_t c) {
  return in(c, 0x1100, 0x115F) || in(c, 0x2E80, 0x303E) || in(c, 0x3041, 0xA4CF) ||
         in(c, 0xAC00, 0xD7A3) || in(c, 0xF900, 0xFAFF) || in(c, 0xFE30, 0xFE6F) ||
         in(c, 0xFF00, 0xFF60) || in(c, 0xFFE0, 0xFFE6) || in(c, 0x1F300, 0x1F64F) ||
         in(c, 0x1F900, 0x1F9FF) || in(c, 0x20000, 0x3FFFD);
}

int width_of(std::uint32_t c) { return is_combining(c) ? 0 : is_wide(c) ? 2 : 1; }

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

}  // namespace

int terminal_width(int descriptor) {
  if (!isatty(descriptor)) return kPlainWidth;
  winsize size{};
  int columns = ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  const char* given = std::getenv("COLUMNS");
  if (columns == 0 && given) columns = std::atoi(given);
  return columns > 0 ? std::clamp(columns, kNarrowest, kWidest) : kPlainWidth;
}

int line_width() {
  static const int width = terminal_width(STDOUT_FILENO);
  return width;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    if (const std::size_t escape = escape_length(text)) {  // our own colours: data have none left
      text.remove_prefix(escape);
      continue;
    }
    const CodePoint c = first_code_point(text);
    width += width_of(c.value);
    text.remove_prefix(c.length);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.value == kBroken || is_control(c.value))
      clean += '?';
    else
      clean += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return clean;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.value == kBroken) return false;
    text.remove_prefix(c.length);
  }
  return true;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  for (char& c : line) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return printable(line);
}

std::string shorten(std::string_view text, int width) {
  std::string clean = printable(text);
  if (display_width(clean) <= width) return clean;
  std::string_view rest = clean;
  std::string cut;
  for (int used = 0; !rest.empty();) {
    const CodePoint c = first_code_point(rest);
    used += width_of(c.value);
    if (used > width - 3) break;
    cut += rest.substr(0, c.length);
    rest.remove_prefix(c.length);
  }
  return cut + "...";
}

std::string shorten_name(std::string_view name, int width) {
  const std::string clean = printable(name);
  if (display_width(clean) <= width) return clean;
  const int tail = (width - 3) / 2;
  const std::string head = shorten(clean, width - tail);
  // The longest end that has room: whole characters from the back.
  std::string_view end = clean;
  while (display_width(end) > tail) end.remove_prefix(first_code_point(end).length);
  return head + std::string(end);
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + spaces(width - display_width(text));
}

std::string pad_left(std::string_view text, int width) {
  return spaces(width - display_width(text)).append(text);
}

std::string number(double value, int digits) {
  return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);  // never "-0"
}

std::string count(Index n, std::string_view thing) {
  std::string digits = std::to_string(n);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), 1, ',');
  return fmt::format("{} {}{}", digits, thing, n == 1 ? "" : "s");
}

std::string bar(double share, int width) {
  if (share == 0 || !std::isfinite(share)) return "";
  const int length = std::clamp(static_cast<int>(std::lround(std::abs(share) * width)), 1, width);
  return paint(share > 0 ? Paint::up : Paint::down,
               std::string(static_cast<std::size_t>(length), share > 0 ? '+' : '-'));
}

void align_decimals(std::vector<std::string>& numbers) {
  const auto whole = [](const std::string& text) {
    return static_cast<int>(std::min(text.find_first_of(".e"), text.size()));
  };
  int left = 0, right = 0;
  for (const std::string& text : numbers) {
    left = std::max(left, whole(text));
    right = std::max(right, static_cast<int>(text.size()) - whole(text));
  }
  for (std::string& text : numbers)
    text = pad_right(pad_left(text, left - whole(text) + display_width(text)), left + right);
}

std::string table(const Rows& rows, std::string_view format) {
  std::vector<int> widths(format.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j)
      widths[j] = std::max(widths[j], display_width(row[j]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0) line += "  ";
      line += format[j] == 'r' ? pad_left(row[j], widths[j]) : pad_right(row[j], widths[j]);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string headed_table(Rows rows, std::string_view format) {
  for (std::string& heading : rows.front()) heading = paint(Paint::heading, heading);
  return table(rows, format);
}

std::vector<std::string> words(std::string_view sentence) {
  std::vector<std::string> list;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    if (end > 0) list.emplace_back(sentence.substr(0, end));
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return list;
}

std::string wrap(const std::vector<std::string>& items, const Wrap& options) {
  constexpr int kDots = 4;  // " ..."
  std::string text;
  int used = options.indent, lines = 1;
  bool first = true;  // on its line
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int width = display_width(items[i]);
    const bool keep_room = lines == options.max_lines && i + 1 < items.size();
    if (!first && used + 1 + width > options.width - (keep_room ? kDots : 0)) {
      if (lines == options.max_lines) {
        text += " ...";
        break;
      }
      text += '\n' + spaces(options.indent);
      used = options.indent;
      first = true;
      ++lines;
    }
    if (!first) text += ' ';
    text += items[i];
    used += width + (first ? 0 : 1);
    first = false;
  }
  return text + '\n';
}

std::string labelled(std::string_view label, const std::vector<std::string>& items, int max_lines) {
  return pad_right(paint(Paint::label, label), kLabelWidth) +
         wrap(items, {.indent = kLabelWidth, .max_lines = max_lines});
}

std::string labelled(std::string_view label, std::string_view sentence) {
  return labelled(label, words(sentence));
}

std::string signs_line(Index positive, Index negative) {
  if (positive + negative == 0) return "";
  std::string text;
  if (positive > 0) text = count(positive, "column") + " kept at 0 or above";
  if (negative > 0)
    text += (text.empty() ? "" : ", ") + count(negative, "column") + " kept at 0 or below";
  return labelled("signs", text);
}

}  // namespace lass0::app
