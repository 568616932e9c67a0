// How many columns? Cross-validation chooses lambda, or the size k, by the error on rows that had
// no part in the fit, and fits the final model on all rows. Everything that is learnt (means,
// deviations, included columns, supports, coefficients) is learnt on the training rows of each fold
// alone; the sums of all folds come from one pass over X (moments.hpp). docs/selection.md has the
// formulas.
#pragma once

#include <cstdint>
#include <lass0/fit.hpp>

namespace lass0 {

enum class Tune { lambda, k };
enum class Rule {
  min,     // the least mean error
  one_se,  // the sparsest model whose error is within one standard error of that
};

std::string_view to_string(Tune tune);  // "lambda", "k"
std::string_view to_string(Rule rule);  // "min", "1se"

inline constexpr int kMostLambdas = 100000;  // of a grid: the answers change at far fewer
inline constexpr Index kLeaveOneOut = -1;    // as many folds as there are rows, or groups

// Rows to learn from and rows to predict, 0-based. No row is in both, or twice in one; rows in
// neither take no part.
struct Split {
  std::vector<Index> train, test;
};

struct CrossValidateOptions {
  // Which rows are left out together. Rows of weight 0 take no part.
  Index folds = 10;
  bool blocks = false;               // consecutive rows, in their order, instead of random ones
  std::span<const int> groups = {};  // one a row: rows of one label are never split
  std::span<const int> fold_labels = {};  // one a row: each distinct label is a fold; nothing else
                                          // of this list is used then
  // Or these, which need not be a partition (time series, random halves). Each costs a pass over X
  // of its own. None of the other ways to make folds goes with it.
  std::span<const Split> splits = {};
  Index repeats = 1;  // independent random partitions; all folds count alike
  std::uint64_t seed = 1;

  Tune tune = Tune::lambda;
  Rule rule = Rule::min;
  int lambdas = 100;  // of the grid, 2 to kMostLambdas
  // The largest size; with Tune::lambda the grid ends where a model would be larger. By default
  // that of TableOptions, or where the table of a training set ends.
  std::optional<Index> max_k = {};
  Start::Method start = Start::Method::table;  // or paper, which needs Tune::lambda
  double l1_tolerance = 1e-7;                  // LassoOptions::tolerance of the paper's start
  // Of the tables of all training sets. The model at the end is that of `fit` in full, whatever
  // this is.
  Effort effort = Effort::quick;
  bool models = false;      // also fit the model of every size: CrossValidation::models
  bool tune_ridge = false;  // also try the values of ridge_grid(), instead of the problem's own
  Control control = {};
};

struct CurvePoint {
  double lambda = 0;  // Tune::lambda
  Index k = -1;       // Tune::k
  double ridge = 0;
  double mean_error = 0;  // squared error a row: sum over folds of w r^2 / sum of w
  double se = 0;          // its standard error, from the differences between folds
  double mean_size = 0;   // columns chosen, on average over the folds
};

struct CrossValidation {
  Tune tune = Tune::lambda;
  Rule rule = Rule::min;
  std::vector<CurvePoint> curve;              // by ridge; for each from the sparsest to the densest
  Index chosen = 0, minimum = 0, one_se = 0;  // points of the curve: what either rule takes
  // Its mean_error and se: of the model with no column at all, by the same folds. It predicts the
  // mean of the training rows, or 0 without an intercept.
  CurvePoint null_model;
  std::vector<double> ridges;        // the values tried; one, unless tune_ridge
  Matrix fold_errors;                // folds x points: squared error a row
  std::vector<Index> fold_rows;      // held-out rows of each of those folds
  std::vector<double> fold_weights;  // the sums of their weights
  Index folds = 0;  // asked for, all repeats together; fold_rows has those that were finished
  Index repeats = 1;
  Effort effort = Effort::quick;  // as asked for; or full where lists_too_short
  bool short_lists = false;       // tables of training sets are of short lists of columns
  // The full table of all rows was much better than that of a short list, so the folds were
  // searched in full, too.
  bool lists_too_short = false;
  // local_optimum; time_limit or interrupted: the curve is of the folds that were finished by then.
  Status status = Status::local_optimum;
  SupportTable table;  // of all rows, at the chosen ridge
  TableModels models;  // of its rows, where they were asked for
  Fit fit;             // on all rows, at what was chosen
  GramUse gram_use;    // of all folds and of that
  double seconds = 0;

  const Model& model() const { return fit.model; }
  const CurvePoint& best() const { return curve[static_cast<std::size_t>(chosen)]; }
  // 1 - error / error of the model with no column, both on held-out rows; 0 for that model itself.
  // Fit::r_squared is the one on the rows of the fit.
  double held_out_r_squared() const;
};

// Throws Error where folds can't be made, or where the run is stopped before two were finished.
CrossValidation cross_validate(const Problem& problem, const CrossValidateOptions& options = {});

// As fit(table, ...). The folds and groups of the table count where the options have none.
CrossValidation cross_validate(const Table& table, const CrossValidateOptions& options = {},
                               const ProblemChoices& choices = {});

// 0 and 0.01, 0.03, 0.1, 0.3, 1, 3 times the sum of the weights: a ridge of r times that divides
// the coefficient of a column on its own by 1 + r. Without `standardize` also times the mean square
// deviation of the columns, since the ridge is then in their units.
std::vector<double> ridge_grid(const Moments& moments);

// The JSON of `lass0 cv`.
std::string to_json(const CrossValidation& cv, std::span<const std::string> names = {});

}  // namespace lass0
