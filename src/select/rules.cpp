#include <lass0/rule.hpp>

namespace lass0 {

std::span<const RuleInfo> rules() {
  static constexpr RuleInfo kAll[] = {
      {Rule::min, "min", "minimum", "lowest error", "the lowest mean error", '*'},
      {Rule::one_se, "1se", "one_se", "within one standard error",
       "the sparsest model within one standard error (se) of the lowest mean error", '<'},
      {Rule::paired, "paired", "paired", "not clearly worse",
       "the sparsest model whose errors are, fold by fold, not clearly above those of the best",
       '='},
  };
  static_assert(std::size(kAll) == kRules);
  return kAll;
}

const RuleInfo& rule_info(Rule rule) { return rules()[static_cast<std::size_t>(rule)]; }

std::string_view to_string(Rule rule) { return rule_info(rule).name; }

}  // namespace lass0
