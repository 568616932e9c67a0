// Texts as numbers: what a cell says, and what it looks like where it is no number.
#pragma once

#include <optional>
#include <string_view>

namespace lass0::io {

// The whole of `text` as a number: spaces are gone already; "+1.5" and "1e-3" are numbers, so are
// "inf" and "nan".
std::optional<double> parse_number(std::string_view text);

// Likewise with a comma as the decimal sign: "3,14", "-1e3", "1.234.567,8". Points separate groups
// of three digits and are nothing else.
struct CommaNumber {
  double value;
  // What the points say: `proof` that they separate thousands (two of them, or a comma behind
  // them), or nothing: "1.234" may be a number with a decimal point that has got into the file.
  enum class Points { none, proof, doubtful } points = Points::none;
};
std::optional<CommaNumber> parse_comma_number(std::string_view text);

// "1,234", "12,345,678.9": commas between groups of three digits.
bool has_thousands_commas(std::string_view text);

bool is_missing(std::string_view text);
std::string_view trim(std::string_view text);  // of blanks and tabs

}  // namespace lass0::io
