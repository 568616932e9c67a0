// How many columns, without folds: an information criterion over the table of all rows. It is
// faster than cross-validation. It assumes normal noise of one variance, and columns that were
// fixed before seeing the data. With k columns, n the sum of the weights (without weights, the
// number of rows) and p columns to choose from:
//
//   aic   n log(RSS/n) + 2 k
//   bic   n log(RSS/n) + k log n
//   ebic  n log(RSS/n) + k log n + 2 log(p choose k)           (Chen and Chen 2008, gamma = 1)
//   gic   n log(RSS/n) + k log(log n) log p                    (Fan and Tang 2013)
//   cp    RSS/s^2 - n + 2 k, s^2 = RSS_K / (n - K - m), K the largest size of the
//         default table of all rows, for any max_k (Mallows)
//
// m counts the intercept and the included columns.
#pragma once

#include <lass0/fit.hpp>

namespace lass0 {

enum class Criterion { aic, bic, ebic, gic, cp };

std::string_view to_string(Criterion criterion);  // "aic", ...

struct CriterionOptions {
  Criterion criterion = Criterion::bic;
  std::optional<Index> max_k = {};  // the largest size; by default that of the table
  bool models = false;              // also fit the model of every size: CriterionSelection::models
  Control control = {};
};

struct CriterionPoint {
  Index k = 0;
  double rss = 0;
  double value = 0;
};

struct CriterionSelection {
  Criterion criterion = Criterion::bic;
  std::vector<CriterionPoint> curve;  // one per size
  Index chosen = 0;                   // the size with the lowest value; of equal ones, the smaller
  double n = 0;                       // of the formulas
  Index p = 0;                        // of the formulas
  double variance = 0;                // s^2 of cp
  SupportTable table;
  TableModels models;  // of its rows, if CriterionOptions::models
  Fit fit;             // of the chosen size
  double seconds = 0;

  const Model& model() const { return fit.model; }
};

// Throws UsageError if the problem has a ridge: k is then not the number of free coefficients.
CriterionSelection select_by_criterion(const Problem& problem,
                                       const CriterionOptions& options = {});
CriterionSelection select_by_criterion(const Table& table, const CriterionOptions& options = {},
                                       const ProblemChoices& choices = {});  // as fit(table, ...)

std::string model_to_json(const CriterionSelection& selection,
                          std::span<const std::string> names = {});  // as that of CrossValidation
std::string to_json(const CriterionSelection& selection, std::span<const std::string> names = {});

}  // namespace lass0
