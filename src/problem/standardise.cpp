#include "problem/standardise.hpp"

#include <cmath>

namespace lass0 {

Standardised standardise(const Problem& problem, const Vector& w, MutVec x) {
  Standardised result;
  if (problem.intercept) {
    Index row = 0;
    while (w[row] == 0) ++row;
    const double provisional = x[row];
    x.array() -= provisional;
    const double shift = w.dot(x) / w.sum();
    x.array() -= shift;
    result.mean = provisional + shift;
  }
  x.array() *= w.array().sqrt();
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest > 0) {
    x /= largest;
    const double norm = x.norm();
    x /= norm;
    result.norm = largest * norm;
  }
  return result;
}

double relative_deviation(const Problem& problem, const Vector& w, const Standardised& column) {
  if (column.norm == 0) return 0;
  return problem.standardize ? 1 / std::sqrt(w.sum()) : 1 / column.norm;
}

}  // namespace lass0
