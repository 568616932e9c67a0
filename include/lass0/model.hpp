// A fitted sparse linear model, in the user's units, for predictions and files.
#pragma once

#include <cstdint>
#include <lass0/problem.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

class Table;
class Moments;
struct SupportTable;

// A model fitted without the rows of one fold, and how far it was off on those rows.
struct FoldModel {
  Iterate at;                      // at.support: as that of Model
  std::vector<std::string> names;  // of its columns
  std::vector<double> residuals;   // |y - prediction| of the rows of the fold, ascending
};

// Predictions with the ends of an interval for each.
struct Intervals {
  Vector prediction, lower, upper;
};

// What is predicted.
enum class Prediction {
  response,  // the mean of the target: of a target of two classes, the probability of the second
  link,      // the linear predictor
};

struct Model {
  Iterate at;                      // at.support: columns of the design it was fitted on
  std::vector<std::string> names;  // of those columns, in the same order
  std::string target;              // the name of y, if it has one

  // How to read a later table in the same way (empty for most models):
  std::map<std::string, std::vector<std::string>>
      one_hot;                                 // text column -> its levels; the first has no column
  std::map<std::string, double> imputed;       // column -> the mean that replaced missing values
  std::map<std::string, std::string> alleles;  // variant -> the allele whose copies were counted

  Family family = Family::gaussian;
  std::vector<std::string> classes = {};  // of a target of two classes, if they have names
  std::string offset = {};                // the name of the offset column, if there is one

  // checksum() of the target of the fit; 0: not known.
  std::uint64_t target_checksum = 0;

  // One per fold of the cross-validation that chose the model, if they were kept
  // (CrossValidateOptions::fold_models): what intervals are made of.
  std::vector<FoldModel> folds = {};

  // With the same columns as in the fit. `offsets`: one per row; empty: 0.
  Vector predict(const Design& design, Prediction type = Prediction::response,
                 std::span<const double> offsets = {}) const;
  // Columns are found by name; Error lists the missing ones.
  Vector predict(const Table& table, Prediction type = Prediction::response) const;

  // The same predictions with intervals by CV+: docs/evidence.md. `coverage`: above 0 and below 1.
  // Throws Error without fold models, and where the rows are too few for the coverage.
  Intervals predict_interval(const Design& design, double coverage) const;
  Intervals predict_interval(const Table& table, double coverage) const;
};

// The exact least-squares fit on the given columns, which must contain the included ones, by QR on
// the centred and weighted raw columns (with a ridge, plus one row per column). Dependent columns
// get the coefficient 0, and so do those that get the wrong sign (by rounding, for supports of a
// table with sign constraints).
Iterate refit(const Problem& problem, Columns support);

// The exact fit on every row of a table, and on the included columns.
struct TableModels {
  std::vector<Iterate> models;  // models[k] is that of rows[k]
  std::vector<double> rss;      // of the models, without the ridge term
};

TableModels refit_table(const Moments& moments, const SupportTable& table);

// What a model of a table is to be: see Problem, where they have these names.
struct ProblemChoices {
  bool intercept = true;
  bool standardize = true;
  double ridge = 0;
  Family family = Family::gaussian;
};

Problem problem_of(const Table& table, const ProblemChoices& choices);

// The same for the same values in the same order, and never 0.
std::uint64_t checksum(std::span<const double> values);

// The ends of CV+ intervals (Barber, Candes, Ramdas and Tibshirani 2021) for new rows, from the
// predictions of the fold models (new rows x folds) and the residuals of each fold, ascending. With
// n residuals in all and alpha = 1 - coverage, the lower end is the floor(alpha (n + 1))-th
// smallest of all prediction - residual, the upper end the ceil((1 - alpha) (n + 1))-th smallest of
// all prediction + residual. Throws Error where there is no such value, because n is too small.
struct IntervalEnds {
  Vector lower, upper;
};
IntervalEnds cv_plus(const Matrix& fold_predictions, std::span<const std::vector<double>> residuals,
                     double coverage);

// Which model of a file with several: the one of this size, or the best at this lambda. Neither:
// the chosen one.
struct ModelChoice {
  std::optional<Index> k = {};
  std::optional<double> lambda = {};
};

// Any JSON that lass0 wrote and that has a model: of `fit`, of `cv`, of `path` (with a choice).
// Numbers round-trip to the last bit.
Model model_from_json(std::string_view text, const ModelChoice& choice = {});
Model load_model(const std::string& path, const ModelChoice& choice = {});

}  // namespace lass0
