// Second derivatives of F at a point nearby, and what the steps since have shown of how F bends:
// the BFGS formula, its steps one by one.
#pragma once

#include <lass0/types.hpp>
#include <optional>
#include <vector>

#include "util/cholesky.hpp"

namespace lass0 {

class SecantCurvature {
 public:
  // H: its lower triangle is read. False: it is not positive definite, or nearly so.
  bool factor(const Matrix& H);
  // F's gradient changed by `bend` along `way`.
  void learn(Vector way, Vector bend);
  // The inverse of the second derivatives, times the gradient.
  Vector times_inverse(const Vector& gradient) const;

 private:
  struct Secant {
    Vector way, bend;
    double product;
  };
  std::optional<Cholesky> factor_;
  Matrix upper_;  // L'
  std::vector<Secant> secants_;
};

}  // namespace lass0
