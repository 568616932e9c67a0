// The rows that the scatter plots of a report show, and how far each model is from them.
#pragma once

#include "report/models.hpp"

namespace lass0 {

struct ReportRows {
  std::vector<Index> rows;  // ascending, of positive weight; none of a file of moments
  Index total = 0;          // rows of positive weight; more than shown where there are too many
  Index farthest = 0;       // how many of the rows shown were taken for their residuals
  std::vector<double> observed;
  // One vector per model, one value per row shown. Of families other than gaussian, deviance
  // residuals: the root of what the row adds to the deviance at weight 1, with the sign of y - its
  // mean.
  std::vector<Vector> residuals;
};

// The values of some columns in some rows.
Matrix shown_values(const Problem& problem, const std::vector<Index>& rows,
                    const std::vector<Index>& columns);

ReportRows report_rows(const Problem& problem, const ReportModels& models);

}  // namespace lass0
