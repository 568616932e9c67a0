// Prediction intervals of the rows that a report shows, where a cross-validation kept the models of
// its folds.
#pragma once

#include <lass0/cross_validate.hpp>
#include <optional>

#include "report/rows.hpp"

namespace lass0 {

struct ReportIntervals {
  double coverage = 0;
  Vector lower, upper;  // one value per row shown
  double width = 0;     // the median
};

// Those of new rows with the values of the rows shown. Empty: there are no fold models, or too few
// rows for this coverage. The cost depends on the rows shown, not on all.
std::optional<ReportIntervals> report_intervals(const Problem& problem, const Model& model,
                                                const ReportRows& shown);

}  // namespace lass0
