// By what cross-validation judges predictions for held-out rows. All are to be small.
#pragma once

#include <lass0/family.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace lass0 {

enum class Measure {
  deviance,  // twice the negative log-likelihood per row; of a gaussian target the squared error
  mse,       // squared error, of a gaussian target
  auc,       // 1 - the area under the ROC curve, of two classes
  error,     // share of rows whose more probable class is the wrong one
  brier,     // squared error of the probability
};

struct MeasureInfo {
  Measure measure;
  std::string_view name;     // "deviance", ...
  std::string_view meaning;  // what the curve shows, for the user
};

std::span<const MeasureInfo> measures();  // all of them
const MeasureInfo& info_of(Measure measure);
std::string_view to_string(Measure measure);

bool works_with(Measure measure, Family family);

}  // namespace lass0
