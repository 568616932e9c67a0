// Selections from a table, which keep how it was read.
#include "model/of_table.hpp"

#include <lass0/criterion.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/io.hpp>
#include <lass0/stability.hpp>

namespace lass0 {

CrossValidation cross_validate(const Table& table, const CrossValidateOptions& options,
                               const ProblemChoices& choices) {
  CrossValidateOptions all = options;
  const bool given =
      !options.groups.empty() || !options.fold_labels.empty() || !options.splits.empty();
  if (!given) {
    all.fold_labels = table.folds;
    all.groups = table.groups;
  }
  CrossValidation cv = cross_validate(problem_of(table, choices), all);
  keep_reading(table, cv.fit);
  keep_reading(table, cv.table, cv.fit.model);
  return cv;
}

CriterionSelection select_by_criterion(const Table& table, const CriterionOptions& options,
                                       const ProblemChoices& choices) {
  CriterionSelection selection = select_by_criterion(problem_of(table, choices), options);
  keep_reading(table, selection.fit);
  keep_reading(table, selection.table, selection.fit.model);
  return selection;
}

Stability stability(const Table& table, const StabilityOptions& options,
                    const ProblemChoices& choices) {
  Stability result = stability(problem_of(table, choices), options);
  result.problem.names = table.names();
  return result;
}

}  // namespace lass0
