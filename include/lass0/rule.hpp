// Which point of a cross-validation curve is chosen. The table below is the only list of rules: the
// program, the Python package, JSON, text and the report take names and meanings from it.
#pragma once

#include <array>
#include <lass0/types.hpp>
#include <span>
#include <string_view>

namespace lass0 {

enum class Rule { min, one_se, paired };
inline constexpr std::size_t kRules = 3;

struct RuleInfo {
  Rule rule;
  std::string_view name;     // of the option: "1se"
  std::string_view key;      // of its point in JSON: "one_se"
  std::string_view label;    // two or three words, for a legend
  std::string_view meaning;  // what it takes, as half a sentence
  char mark;                 // of its point in a printed curve
};

std::span<const RuleInfo> rules();  // in the order of Rule
const RuleInfo& rule_info(Rule rule);
std::string_view to_string(Rule rule);  // its name

// Something for each rule, such as a point of the curve.
template <class T>
struct ByRule {
  std::array<T, kRules> all = {};

  T& operator[](Rule rule) { return all[static_cast<std::size_t>(rule)]; }
  const T& operator[](Rule rule) const { return all[static_cast<std::size_t>(rule)]; }
};

}  // namespace lass0
