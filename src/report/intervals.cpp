#include "report/intervals.hpp"

#include <algorithm>

namespace lass0 {
namespace {

constexpr double kCoverage = 0.9;
constexpr Index kFewestResiduals = 9;  // for this coverage: 1 / (1 - 0.9) - 1

// The place of every column of a model in an ascending list that has all of them.
void to_places(const std::vector<Index>& columns, std::vector<Index>& support) {
  for (Index& j : support)
    j = std::lower_bound(columns.begin(), columns.end(), j) - columns.begin();
}

}  // namespace

std::optional<ReportIntervals> report_intervals(const Problem& problem, const Model& model,
                                                const ReportRows& shown) {
  Index residuals = 0;
  std::vector<Index> columns = model.at.support;
  for (const FoldModel& fold : model.folds) {
    residuals += std::ssize(fold.residuals);
    columns.insert(columns.end(), fold.at.support.begin(), fold.at.support.end());
  }
  if (residuals < kFewestResiduals || shown.rows.empty()) return {};
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());

  // The same model on the rows and columns that matter.
  const Matrix x = shown_values(problem, shown.rows, columns);
  Model few = model;
  to_places(columns, few.at.support);
  for (FoldModel& fold : few.folds) to_places(columns, fold.at.support);
  Intervals found = few.predict_interval(DenseDesign(x), kCoverage);

  Vector widths = found.upper - found.lower;
  const auto middle = widths.begin() + widths.size() / 2;
  std::nth_element(widths.begin(), middle, widths.end());
  return ReportIntervals{kCoverage, std::move(found.lower), std::move(found.upper), *middle};
}

}  // namespace lass0
