// Lass0 itself as a method to cross-validate.
#pragma once

#include <lass0/cross_validate.hpp>
#include <memory>
#include <optional>

#include "select/method.hpp"

namespace lass0 {

struct Lass0Options {
  Tune tune = Tune::lambda;  // k: not from the paper's start
  int lambdas = 100;
  std::optional<Index> max_k = {};  // as CrossValidateOptions::max_k
  Effort effort = Effort::quick;
  bool tune_ridge = false;  // the values of ridge_grid()
  // The lambdas depend on all rows alone, and reach low enough for any part of them. Otherwise they
  // end where the tables of all rows, and of the training sets that are known by then, have their
  // answers.
  bool lambdas_of_all_rows = false;
  double l1_tolerance = 1e-7;  // LassoOptions::tolerance of the paper's start
  bool prove = false;  // every row of every table to be the best of its size; not for the paper's
};

// By the table of best supports.
std::unique_ptr<Method> make_lass0_table(const Lass0Options& options);
// To the letter of the paper: at each lambda Algorithm 1 from the support of the Lasso there.
std::unique_ptr<Method> make_lass0_paper(const Lass0Options& options);

}  // namespace lass0
