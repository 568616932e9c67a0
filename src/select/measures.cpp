#include <array>
#include <lass0/measure.hpp>

namespace lass0 {

std::span<const MeasureInfo> measures() {
  static constexpr std::array<MeasureInfo, 5> all = {{
      {Measure::deviance, "deviance", "deviance per row"},
      {Measure::mse, "mse", "mean squared error"},
      {Measure::auc, "auc", "1 - area under the ROC curve"},
      {Measure::error, "error", "share of rows whose class is predicted wrongly"},
      {Measure::brier, "brier", "mean squared error of the predicted probability"},
  }};
  return all;
}

const MeasureInfo& info_of(Measure measure) {
  return measures()[static_cast<std::size_t>(measure)];
}

std::string_view to_string(Measure measure) { return info_of(measure).name; }

bool works_with(Measure measure, Family family) {
  switch (measure) {
    case Measure::deviance:
      return true;
    case Measure::mse:
      return family == Family::gaussian;
    case Measure::auc:
    case Measure::error:
    case Measure::brier:
      break;
  }
  return family == Family::binomial;
}

}  // namespace lass0
