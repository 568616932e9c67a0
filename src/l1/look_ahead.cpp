#include "l1/look_ahead.hpp"

namespace lass0 {

void LookAhead::solve(std::span<const double> lambdas, const Vector& thresholds, const Vector& b,
                      const Vector& g, double accuracy, ActiveCholesky& factor) {
  const std::vector<Index>& W = listed_.columns();
  solutions_.resize(std::ssize(W), std::ssize(lambdas));
  RestrictedLasso restricted(quadratic_, W, b(W), g(W), factor, budget_);
  const Vector one = thresholds(W);
  for (Index i = 0; i < solutions_.cols(); ++i) {
    restricted.solve(lambdas[static_cast<std::size_t>(i)] * one, accuracy);
    solutions_.col(i) = restricted.b();
  }
  correlations_ = listed_.residual_correlations(solutions_, budget_);
}

Vector LookAhead::b(Index i, Index columns) const {
  Vector all = Vector::Zero(columns);
  const std::vector<Index>& W = listed_.columns();
  for (Index l = 0; l < solutions_.rows(); ++l)
    all[W[static_cast<std::size_t>(l)]] = solutions_(l, i);
  return all;
}

}  // namespace lass0
