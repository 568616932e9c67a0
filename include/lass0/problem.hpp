// The objective, and nothing about how it is minimised:
//
//   F(beta0, beta) = 1/2 * sum_i w_i (y_i - beta0 - x_i' beta)^2 + lambda * ||beta||_0 (the paper's
//   Eq. 1)
//
// with lambda * sum_i |beta_i|^q instead if `power` q > 0 (0 <= q < 1), and with
//
//   + ridge/2 * sum_j (s_j beta_j)^2
//
// if there is a ridge; s_j is the standard deviation of column j, or 1 (see `standardize`). Sums
// are never divided by n. The *loss* is the residual sum of squares (RSS), or with a ridge RSS +
// ridge * sum (s_j beta_j)^2; F contains half of it.
//
// For another family than gaussian, the negative log-likelihood takes the place of 1/2 RSS, and
// twice that the place of RSS.
#pragma once

#include <cstdint>
#include <lass0/design.hpp>
#include <lass0/family.hpp>
#include <lass0/types.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lass0 {

// Rows that are not those of the data, but have the same sums of squares and products in every
// fold: what a file of moments is turned into (moments_builder.hpp). Least squares on them is least
// squares on the data. What needs the rows themselves, such as residuals, can't be had.
struct SummedRows {
  std::vector<Index> count;  // of data rows that each row stands for
  std::vector<int> fold;     // of each row: 0 .. folds - 1
  Index folds = 1;
  std::optional<std::uint64_t> seed = {};  // of the folds, where they are random
};

// The data and the options that define a model. A view: the caller keeps everything alive.
struct Problem {
  const Design* design = nullptr;
  std::span<const double> y;
  std::span<const double> weights =
      {};  // one per row, >= 0; empty: all 1. 2 equals the row twice, 0 no row. A few rows must
           // not outweigh all others by 8 orders of magnitude
  std::span<const std::string> names = {};  // one per column; empty: x1, x2, ...
  bool intercept = true;                    // never penalised, not counted in k
  bool standardize = true;  // columns are scaled to standard deviation 1 (with 1/n) for the Lasso
                            // and the ridge
  // Columns that are in every model: like the intercept they are not penalised and not counted in
  // k. In any order.
  std::span<const Index> include = {};
  double ridge = 0;  // >= 0; on all coefficients, also those of included columns
  // Sign constraints, one per column: 1, its coefficient is never below 0; -1, never above 0; 0,
  // free. Empty: all are free. Included columns must be free: they are in every model, so their
  // coefficients can't be kept at 0.
  std::span<const int> signs = {};
  Family family = Family::gaussian;
  // Known parts of the linear predictor, one per row: eta = offset + beta0 + x' beta. Empty: 0.
  std::span<const double> offset = {};
  // Null: the rows are those of the data. Otherwise the family is gaussian and there is no offset,
  // and whatever makes folds of the rows takes these folds.
  const SummedRows* summed = nullptr;

  int sign(Index j) const { return signs.empty() ? 0 : signs[static_cast<std::size_t>(j)]; }
};

// Some coefficient has a sign constraint.
bool has_signs(const Problem& problem);
std::vector<Index> columns_of_sign(const Problem& problem, int sign);  // ascending

// Throws Error, naming what is wrong, unless sizes match, weights, ridge and signs are usable, y is
// finite and the included columns exist. (Moments checks X, because it reads X anyway.)
void validate(const Problem& problem);

// Throws UsageError, "... needs the rows ...", where the rows are not those of the data. `what` is
// the subject of the sentence.
void require_rows(const Problem& problem, std::string_view what);

// Throws UsageError unless every column of the support is one of the problem's.
void check_support(const Problem& problem, Columns support);

Index rows_used(const Problem& problem);  // those of positive weight, in the data

std::string column_name(const Problem& problem, Index j);

// A linear model on a few columns: beta is zero outside `support` (ascending). In the user's units.
struct Iterate {
  std::vector<Index> support;
  Vector coefficients;  // one per member of support
  double intercept = 0;
};

struct Penalty {
  double lambda = 0;
  double power = 0;  // q; 0 counts the members of the support
};

// The penalty of the coefficients of columns outside `include`.
double penalty_value(const Penalty& penalty, const ConstVec& coefficients);
double penalty_value(const Problem& problem, const Penalty& penalty, const Iterate& at);

// sum_i w_i (y_i - beta0 - x_i' beta)^2, from the data.
double residual_sum_of_squares(const Problem& problem, const Iterate& at);

// ridge * sum_j (s_j beta_j)^2, from the data.
double ridge_penalty(const Problem& problem, const Iterate& at);

// F, from the data. The only objective function: tests check every search against it.
double objective(const Problem& problem, const Penalty& penalty, const Iterate& at);

}  // namespace lass0
