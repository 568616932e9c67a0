// Where on its curve a method was: what cross-validation tunes.
#pragma once

#include <lass0/types.hpp>
#include <optional>

namespace lass0 {

// What a method does not tune has the value given here.
struct Tuning {
  double lambda = 0;  // Lasso and relaxed Lasso: divided by the sum of the weights, as in glmnet
  std::optional<Index> k = {};
  double ridge = 0;
  double relax = 1;  // share of the Lasso's coefficients in those of the relaxed Lasso
};

}  // namespace lass0
