// Which method is best for these data? Nested cross-validation of Lass0 and other methods: in each
// outer fold every method chooses its tuning value by cross-validation on the training rows only,
// and is judged on held-out rows. docs/compare.md defines the methods.
#pragma once

#include <cstdint>
#include <lass0/control.hpp>
#include <lass0/cross_validate.hpp>
#include <lass0/tuning.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lass0 {

struct CompareOptions {
  Index outer = 10;  // folds on which methods are judged
  Index inner = 10;  // folds of each training set, by which every method is tuned
  std::uint64_t seed = 1;
  std::vector<std::string> methods = {};  // names; empty: all but "exact", which proves everything
  std::optional<std::vector<Index>> truth = {};  // the true columns, if they are known
  Control control = {};
};

struct ComparedModel {
  Tuning tuning;
  Iterate at;  // fitted on the training rows
  // On held-out rows: the root mean squared error, and 100 times that over the standard deviation
  // of y over all rows. Of other families the deviance per row, and 100 times that over the
  // deviance per row of the model with no column.
  double rmse = 0;
  double nrmse = 0;
  Index size = 0;  // number of chosen columns
  // Columns that are in the model or in the truth but not in both; none without a truth.
  std::optional<Index> hamming;
};

struct ComparedFold {
  ByRule<ComparedModel> by;  // what each rule chooses
  double seconds = 0;        // tuning and fit together
};

struct ComparedMethod {
  std::string name, description;
  std::vector<ComparedFold> folds;  // the outer folds that were finished
};

struct Comparison {
  std::vector<ComparedMethod> methods;
  Index n = 0, p = 0;
  Family family = Family::gaussian;
  Index outer = 0, inner = 0;
  std::uint64_t seed = 1;
  std::vector<Index> fold_rows;  // held-out rows of each outer fold that was finished
  std::vector<double> fold_deviations;
  // Standard deviation of y over all rows, with n - 1; of other families the deviance per row of
  // the model with no column. `fold_deviations`: the same over the rows of each fold.
  double deviation = 0;
  std::optional<std::vector<Index>> truth;  // ascending
  // local_optimum; time_limit or interrupted: the outer folds that were finished by then.
  Status status = Status::local_optimum;
  double seconds = 0;
};

// Mean and standard deviation (with folds - 1) over the outer folds; 0 if there is only one.
struct Spread {
  double mean = 0, sd = 0;
};
Spread spread(std::span<const double> values);

enum class ComparedNumber { nrmse, size, hamming, seconds };
Spread spread(const ComparedMethod& method, Rule rule, ComparedNumber measure);

// The NRMSE (of other families the relative deviance) of a method minus that of the best one, fold
// by fold: the difficulty of a fold, which all methods share, cancels.
struct Difference {
  double mean = 0;        // 0 for the best, which has the lowest mean NRMSE; never below 0
  double se = 0;          // of that mean: the standard deviation over the outer folds / sqrt(folds)
  bool distinct = false;  // more than kDistinct standard errors from the best
};
inline constexpr double kDistinct = 2;
std::vector<Difference> differences(const Comparison& comparison, Rule rule);  // one per method

// Throws Error if the run is stopped before one outer fold is finished, UsageError for an unknown
// method.
Comparison compare(const Problem& problem, const CompareOptions& options = {});

struct MethodName {
  std::string name, description;
  bool any_family = false;  // not of least squares alone
};
std::vector<MethodName> compare_methods();

// Each method tuned by `inner` folds and fitted on all rows of a problem, for callers that judge
// models in another way: errors and distances of the models are not set.
std::vector<ComparedFold> tuned_methods(const Problem& problem, const CompareOptions& options = {});

// The models of one method at all its tuning values, on all rows of a problem, for callers that
// judge models in another way.
struct MethodCurve {
  std::vector<Tuning> tunings;  // for each ridge or relaxation from the sparsest to the densest
  std::vector<Iterate> models;
};
MethodCurve method_curve(const Problem& problem, const std::string& method,
                         const Control& control = {});

// The JSON of `lass0 compare`.
std::string to_json(const Comparison& comparison, std::span<const std::string> names = {});

}  // namespace lass0
