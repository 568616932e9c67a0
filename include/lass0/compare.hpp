// Which method would serve these data best? Nested cross-validation of Lass0 and of what else
// people use: in each outer fold every method chooses its tuning value by cross-validation on the
// training rows alone, and is judged on held-out rows. docs/compare.md defines the methods.
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
  Index outer = 10;  // folds that judge
  Index inner = 10;  // folds of each training set, by which every method is tuned
  std::uint64_t seed = 1;
  std::vector<std::string> methods = {};  // names; empty: all but "exact", which proves everything
  std::optional<std::vector<Index>> truth = {};  // the columns that matter, where they are known
  Control control = {};
};

struct ComparedModel {
  Tuning tuning;
  Iterate at;          // fitted on the training rows
  double rmse = 0;     // on held-out rows
  double nrmse = 0;    // 100 * rmse / deviation of y over all rows
  Index size = 0;      // columns chosen
  Index hamming = -1;  // columns that are in the model or in the truth but not in both
};

struct ComparedFold {
  ComparedModel minimum, one_se;  // by either rule
  double seconds = 0;             // tuning and fit together

  const ComparedModel& by(Rule rule) const { return rule == Rule::min ? minimum : one_se; }
};

struct ComparedMethod {
  std::string name, description;
  std::vector<ComparedFold> folds;  // the outer folds that were finished
};

struct Comparison {
  std::vector<ComparedMethod> methods;
  Index n = 0, p = 0;
  Index outer = 0, inner = 0;
  std::uint64_t seed = 1;
  std::vector<Index> fold_rows;             // held-out rows of each outer fold that was finished
  std::vector<double> fold_deviations;      // of y over those rows
  double deviation = 0;                     // of y over all rows, with n - 1
  std::optional<std::vector<Index>> truth;  // ascending
  // local_optimum; time_limit or interrupted: the outer folds that were finished by then.
  Status status = Status::local_optimum;
  double seconds = 0;
};

// Over the outer folds; sd with folds - 1, 0 where there is only one.
struct Spread {
  double mean = 0, sd = 0;
};
Spread spread(std::span<const double> values);

enum class Measure { nrmse, size, hamming, seconds };
Spread spread(const ComparedMethod& method, Rule rule, Measure measure);

// The NRMSE of a method less that of the best one, fold by fold: folds that are hard for all
// methods drop out of it.
struct Difference {
  double mean = 0;        // 0 for the best, which has the lowest mean NRMSE; never below 0
  double se = 0;          // of that mean: the standard deviation over the outer folds / sqrt(folds)
  bool distinct = false;  // more than kDistinct standard errors from the best
};
inline constexpr double kDistinct = 2;
std::vector<Difference> differences(const Comparison& comparison, Rule rule);  // one per method

// Throws Error where the run is stopped before one outer fold was finished, UsageError for a method
// that does not exist.
Comparison compare(const Problem& problem, const CompareOptions& options = {});

struct MethodName {
  std::string name, description;
};
std::vector<MethodName> compare_methods();

// The curve of one method on all rows of a problem, for who judges models in another way: its model
// at every tuning value that it would try.
struct MethodCurve {
  std::vector<Tuning> tunings;  // for each ridge or relaxation from the sparsest to the densest
  std::vector<Iterate> models;
};
MethodCurve method_curve(const Problem& problem, const std::string& method,
                         const Control& control = {});

// The JSON of `lass0 compare`.
std::string to_json(const Comparison& comparison, std::span<const std::string> names = {});

}  // namespace lass0
