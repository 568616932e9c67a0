#include "io/numbers.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <string>

namespace lass0::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> parse(std::string_view text, char decimal) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const fast_float::parse_options options(fast_float::chars_format::general, decimal);
  const auto parsed = fast_float::from_chars_advanced(text.data(), end, value, options);
  // Out of range is an infinity (reported as such) or a zero.
  if ((parsed.ec != std::errc() && parsed.ec != std::errc::result_out_of_range) ||
      parsed.ptr != end)
    return {};
  return value;
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

// The groups of three digits behind the first of one to three, each after `separator`: how many
// there are; 0 when `text` is anything else. No group of zeros leads.
int groups_of_three(std::string_view text, char separator) {
  const std::size_t first = std::min(text.find(separator), text.size());
  if (first < 1 || first > 3 || text[0] == '0') return 0;
  if (!std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), is_digit))
    return 0;
  text.remove_prefix(first);
  int groups = 0;
  for (; !text.empty(); text.remove_prefix(4), ++groups) {
    if (text.size() < 4 || text[0] != separator || !is_digit(text[1]) || !is_digit(text[2]) ||
        !is_digit(text[3]))
      return 0;
  }
  return groups;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) { return parse(text, '.'); }

std::optional<CommaNumber> parse_comma_number(std::string_view text) {
  const std::string_view digits = without_sign(text);
  const std::string_view whole = digits.substr(0, digits.find(','));
  if (whole.find('.') == std::string_view::npos) {
    const std::optional<double> value = parse(text, ',');
    if (!value) return {};
    return CommaNumber{*value};
  }
  const int groups = groups_of_three(whole, '.');
  if (groups == 0 || digits.find('.', whole.size()) != std::string_view::npos) return {};
  std::string plain(text);
  std::erase(plain, '.');
  const std::optional<double> value = parse(plain, ',');
  if (!value) return {};
  const bool proof = groups > 1 || whole.size() < digits.size();
  return CommaNumber{*value, proof ? CommaNumber::Points::proof : CommaNumber::Points::doubtful};
}

bool has_thousands_commas(std::string_view text) {
  const std::string_view digits = without_sign(text);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::string_view fraction = digits.substr(point);
  return groups_of_three(digits.substr(0, point), ',') > 0 &&
         (fraction.empty() || std::all_of(fraction.begin() + 1, fraction.end(), is_digit));
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 10> words = {"",     "NA",   "N/A",  "NaN", "nan",
                                                      "null", "NULL", "None", "?",   "."};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace lass0::io
