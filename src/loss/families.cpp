#include <algorithm>
#include <array>

#include "loss/loss.hpp"

namespace lass0 {

std::span<const FamilyInfo> families() {
  static constexpr std::array<FamilyInfo, 2> all = {{
      {Family::gaussian, "gaussian", "least squares, for a target of any numbers"},
      {Family::binomial, "binomial", "logistic regression, for a target of two classes"},
  }};
  return all;
}

std::string_view to_string(Family family) {
  return families()[static_cast<std::size_t>(family)].name;
}

std::optional<Family> family_from(std::string_view name) {
  const auto known = families();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const FamilyInfo& info) { return info.name == name; });
  return found == known.end() ? std::nullopt : std::optional(found->family);
}

const Loss& loss_of(Family family) {
  switch (family) {
    case Family::gaussian:
      break;
    case Family::binomial:
      return binomial();
  }
  return gaussian();
}

}  // namespace lass0
