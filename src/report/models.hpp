// The models that a report shows: one of every size, and the one that was chosen where it is none
// of them.
#pragma once

#include <lass0/fit.hpp>
#include <lass0/support_table.hpp>

#include "model/solver.hpp"

namespace lass0 {

inline constexpr Index kLargestReportSize = 100;  // of the models shown

// What the results of all commands have in common.
struct ReportSubject {
  Problem problem;  // with the ridge that was chosen
  const SupportTable* table = nullptr;
  const Fit* chosen = nullptr;               // none: nothing was
  std::span<const Iterate> row_models = {};  // of the table's rows, where they are known already
  std::vector<std::string> classes = {};     // of a target of two classes, if they have names
};

struct ReportModel {
  Index k = 0;
  bool of_table = true;  // the row k of the table
  TableRow row;
  Iterate at;
  double rss = 0;  // of other families than gaussian, the deviance
  // The nearest stand-ins of each column chosen, where they were looked for.
  std::optional<std::vector<Alternative>> alternatives;
  std::vector<Removal> without;  // likewise: each of them left out
};

struct ReportModels {
  std::vector<ReportModel> models;  // those of the table first, by size
  std::size_t shown = 0;            // the one the report opens with
  std::vector<Index> columns;       // of all models, ascending
  std::vector<Index> close_up;      // those with neighbours: the shown model's and a few more

  const ReportModel& first() const { return models[shown]; }
};

// `solver` is that of all rows of the subject's problem.
ReportModels report_models(const ReportSubject& subject, const Solver& solver);

}  // namespace lass0
