// What kind of number the target is: which likelihood a problem has.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lass0 {

enum class Family {
  gaussian,  // any number: least squares
  binomial,  // 0 or 1: logistic regression
};

struct FamilyInfo {
  Family family;
  std::string_view name;     // "gaussian", ...
  std::string_view meaning;  // half a sentence for the user
};

std::span<const FamilyInfo> families();  // all of them

std::string_view to_string(Family family);
std::optional<Family> family_from(std::string_view name);

}  // namespace lass0
