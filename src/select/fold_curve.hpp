// What one training set says: its models of every size, or at every lambda, and their errors on
// the rows left out.
#pragma once

#include <lass0/cross_validate.hpp>

#include "select/fold_error.hpp"
#include "util/budget.hpp"

namespace lass0 {

// Times a breakpoint, where two sizes are equally good: the sparser one is the better there.
inline constexpr double kAbove = 1 + 1e-6;

// The lambdas at which a table's answers are known.
struct LambdaRange {
  double highest = 0;  // no column above it; 0: no column at any lambda
  double nothing = 0;  // no column above it on any part of these rows, whatever the search: 1/2 the
                       // loss of no column, which is never larger on fewer rows
  double lowest = 0;   // below it ...
  bool capped = false;  // true: ... models would be larger than `max_k` or than the table; false:
                        // ... nothing changes, or nothing that could be told from noise
};

// By about how much a column of pure noise lowers the loss of a model that has this one. As many
// rows as their weights say, or as there are where the weights are smaller.
double noise_of_a_column(const Moments& moments, double loss);

// max_k: -1 or a size that models must not exceed.
LambdaRange lambda_range(const Moments& moments, const SupportTable& table, Index max_k);

// `count` of them, evenly spaced in log, from where neither the table of all rows nor any training
// set has a column down to where all of them still have their answers. Where the training sets are
// not known yet (none is given), the first is at all.nothing and the others begin at all.highest.
std::vector<double> lambda_grid(const LambdaRange& all, std::span<const LambdaRange> training,
                                int count);

struct Answer {
  Index size = 0;
  double error = 0;  // sum of w r^2 over the rows left out
};

// The models of one training set.
struct FoldCurve {
  // One a size (Tune::k), one a size that is the best at some lambda (Tune::lambda), or one a
  // lambda (the paper's start).
  std::vector<Answer> answers;
  std::vector<double> losses;  // of those of the table
  LambdaRange range;
  // Under signs: the table ended before it had as many rows as asked for, because more columns
  // would all be 0. Then the last answer is that of all larger sizes too.
  bool complete = false;
  bool listed = false;  // the table is that of a short list of columns

  const Answer& at_most(Index k) const;          // columns; of the table
  const Answer& at_lambda(double lambda) const;  // of the table, as SupportTable::at_lambda
};

// Throws Stop.
FoldCurve table_curve(const TrainingSet& training, const CrossValidateOptions& options,
                      const Budget& budget);
FoldCurve paper_curve(const TrainingSet& training, std::span<const double> lambdas,
                      const CrossValidateOptions& options, const Budget& budget);

}  // namespace lass0
