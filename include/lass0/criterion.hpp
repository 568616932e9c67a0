// How many columns, without folds: an information criterion over the table of all rows. Quicker
// than cross-validation, and right where its assumptions are: normal noise of one variance, and k
// columns that were chosen as if they had been known. With k columns, n the sum of the weights (the
// number of rows where there are none) and p columns to choose from:
//
//   aic   n log(RSS/n) + 2 k
//   bic   n log(RSS/n) + k log n
//   ebic  n log(RSS/n) + k log n + 2 log(p choose k)           (Chen and Chen 2008, gamma = 1)
//   gic   n log(RSS/n) + k log(log n) log p                    (Fan and Tang 2013)
//   cp    RSS/s^2 - n + 2 k, s^2 = RSS_K / (n - K - m), K the largest size of the
//         table of all rows, whatever max_k (Mallows)
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
  std::vector<CriterionPoint> curve;  // one a size
  Index chosen = 0;                   // the size of least value; the smaller of two
  double n = 0;                       // of the formulas
  Index p = 0;                        // likewise
  double variance = 0;                // s^2 of cp
  SupportTable table;
  TableModels models;  // of its rows, where they were asked for
  Fit fit;             // of the chosen size
  double seconds = 0;

  const Model& model() const { return fit.model; }
};

// Throws UsageError where the problem has a ridge: k is then not the number of free coefficients.
CriterionSelection select_by_criterion(const Problem& problem,
                                       const CriterionOptions& options = {});
CriterionSelection select_by_criterion(const Table& table, const CriterionOptions& options = {},
                                       const ProblemChoices& choices = {});  // as fit(table, ...)

std::string to_json(const CriterionSelection& selection, std::span<const std::string> names = {});

}  // namespace lass0
