// How many columns? Cross-validation chooses lambda, or the size k, by the error on held-out rows,
// and fits the final model on all rows. Means, standard deviations, included columns, supports and
// coefficients of a fold are computed on its training rows only; the sums of all folds come from
// one pass over X (moments.hpp). docs/selection.md has the formulas.
#pragma once

#include <cstdint>
#include <lass0/fit.hpp>
#include <lass0/inference.hpp>
#include <lass0/measure.hpp>
#include <lass0/rule.hpp>

namespace lass0 {

enum class Tune { lambda, k };

// Evidence for the columns beside the choice.
enum class Inference {
  none,
  splits,  // split-sample p-values: inference.hpp
};

std::string_view to_string(Inference inference);  // "none", "splits"
std::string_view to_string(Tune tune);            // "lambda", "k"

inline constexpr int kMostLambdas = 100000;  // of a grid: models change at far fewer
inline constexpr Index kLeaveOneOut = -1;    // one fold per row, or per group

// Training rows and held-out rows, 0-based. No row is in both, or twice in one; rows in neither are
// ignored.
struct Split {
  std::vector<Index> train, test;
};

struct CrossValidateOptions {
  // Which rows are held out together. Rows of weight 0 are ignored. Problem::summed has folds of
  // its own, so that there `folds`, `fold_labels` and the seed are not used, and other ways to hold
  // out rows are errors.
  Index folds = 10;
  bool blocks = false;                    // folds of consecutive rows instead of random ones
  std::span<const int> groups = {};       // one per row: rows with one label are never split
  std::span<const int> fold_labels = {};  // one per row: each distinct label is a fold; the other
                                          // options of folds are then not used
  // Splits that need not be a partition (time series, random halves). Each costs a pass over X.
  // They do not work with the other ways to make folds.
  std::span<const Split> splits = {};
  Index repeats = 1;  // independent random partitions; all folds have the same weight
  std::uint64_t seed = 1;

  Tune tune = Tune::lambda;
  Rule rule = Rule::paired;             // with no ridge and Rule::min it is the paper's choice
  Measure measure = Measure::deviance;  // of a gaussian target the mean squared error
  int lambdas = 100;                    // of the grid, 2 to kMostLambdas
  // The largest size; with Tune::lambda the grid ends where a model would be larger. By default
  // that of TableOptions, or where the table of a training set ends.
  std::optional<Index> max_k = {};
  Start::Method start = Start::Method::table;  // or paper, which needs Tune::lambda
  double l1_tolerance = 1e-7;                  // LassoOptions::tolerance of the paper's start
  // Of the tables of all training sets. The final model always comes from a full search: of all
  // sizes or, for families other than gaussian and without `models`, of those that may matter.
  Effort effort = Effort::quick;
  // Keep the models of the folds at the chosen point with the residuals of all rows, in
  // Model::folds, for intervals. With repeats those of the first partition; none where splits are
  // given, or where the run was stopped before all folds were finished.
  bool fold_models = false;
  bool models = false;  // also fit the model of every size: CrossValidation::models
  // CrossValidation::split_tests, with the seed of the folds. They assume independent rows, so they
  // do not work with groups or blocks.
  Inference inference = Inference::none;
  // Also choose the ridge, among the values of ridge_grid(), unless the problem has one.
  bool tune_ridge = true;
  Control control = {};
};

struct CurvePoint {
  double lambda = 0;            // Tune::lambda
  std::optional<Index> k = {};  // Tune::k
  double ridge = 0;
  double mean_error = 0;  // the measure; mean squared error: sum over folds of w r^2 / sum of w
  double se = 0;          // its standard error, from the differences between folds
  double mean_size = 0;   // mean number of chosen columns over the folds
};

struct CrossValidation {
  Tune tune = Tune::lambda;
  Rule rule = Rule::paired;
  Measure measure = Measure::deviance;
  std::vector<CurvePoint> curve;  // by ridge; for each from the sparsest to the densest
  Index chosen = 0;               // point of the curve
  ByRule<Index> points;           // that each rule would choose
  // The point that the rule would choose without a ridge, where ridges were tried.
  std::optional<Index> without_ridge;
  // mean_error and se of the model with no column, on the same folds. It predicts the mean of the
  // training rows, or 0 without an intercept.
  CurvePoint null_model;
  std::vector<double> ridges;        // the values tried; one, unless tune_ridge
  bool ridges_left_out = false;      // tune_ridge, but no ridge could have been worth it
  Matrix fold_errors;                // folds x points: mean squared error
  std::vector<Index> fold_rows;      // held-out rows of each of those folds
  std::vector<double> fold_weights;  // the sums of their weights
  // The columns that each of those folds chose at the chosen point, without included ones.
  std::vector<std::vector<Index>> fold_supports;
  // Of families other than gaussian, at the chosen point: the linear predictor of every row by the
  // models of the folds that hold it out, with their mean over repeats. NaN for rows that no
  // finished fold holds out.
  Vector held_out_links;
  Index folds = 0;  // asked for, in all repeats; fold_rows has those that were finished
  Index repeats = 1;
  Effort effort = Effort::quick;  // as asked for, or full if lists_too_short
  bool short_lists = false;       // the tables of training sets used short lists of columns
  // The full table of all rows was much better than that of a short list, so the folds were
  // searched in full.
  bool lists_too_short = false;
  // local_optimum; time_limit or interrupted: the curve is that of the finished folds or, if none
  // is missing, what follows them was stopped.
  Status status = Status::local_optimum;
  SupportTable table;                     // of all rows, at the chosen ridge
  bool sizes_left_out = false;            // it ends before sizes that could not be the answer
  TableModels models;                     // of its rows, if CrossValidateOptions::models
  Fit fit;                                // on all rows, at the chosen point
  std::optional<SplitTests> split_tests;  // if CrossValidateOptions::inference asks for them
  GramUse gram_use;                       // of all folds and of the fit
  double seconds = 0;

  const Model& model() const { return fit.model; }
  const CurvePoint& best() const { return curve[static_cast<std::size_t>(chosen)]; }
  // R^2 on held-out rows: 1 - error / error of the model with no column; 0 for that model itself.
  // Fit::r_squared is R^2 on the rows of the fit.
  double held_out_r_squared() const;
};

// Throws Error if folds can't be made, or if the run is stopped before two are finished.
CrossValidation cross_validate(const Problem& problem, const CrossValidateOptions& options = {});

// As fit(table, ...). The folds and groups of the table count where the options have none.
CrossValidation cross_validate(const Table& table, const CrossValidateOptions& options = {},
                               const ProblemChoices& choices = {});

// 0 and 0.01, 0.03, 0.1, 0.3, 1, 3 times the sum of the weights: a ridge of r times that divides
// the coefficient of a single column by 1 + r. Without `standardize` the ridge is in the units of
// the columns, so the grid is multiplied by their mean variance.
std::vector<double> ridge_grid(const Moments& moments);

// The JSON of `lass0 cv`.
std::string to_json(const CrossValidation& cv, std::span<const std::string> names = {});

// The file that `lass0 cv --model` writes: the model as to_json(cv.fit), with what
// CrossValidateOptions::fold_models and models have kept.
std::string model_to_json(const CrossValidation& cv, std::span<const std::string> names = {});

}  // namespace lass0
