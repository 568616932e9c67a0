#include "glm/secant_curvature.hpp"

#include <cmath>

#include "util/target_clones.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

namespace {

// x := inv(U) x by the columns of U: the next number need not wait for a sum.
LASS0_TARGET_CLONES
void solve_upper(Index n, const double* U, double* x) {
  for (Index i = n - 1; i >= 0; --i) {
    const double* column = U + i * n;
    const double v = x[i] / column[i];
    x[i] = v;
#pragma omp simd
    for (Index r = 0; r < i; ++r) x[r] -= v * column[r];
  }
}

}  // namespace

bool SecantCurvature::factor(const Matrix& H) {
  secants_.clear();
  factor_.emplace(H);
  upper_ = factor_->L().transpose();
  return factor_->positive_definite() &&
         (factor_->pivots() > kAliasTolerance * H.diagonal().array()).all();
}

void SecantCurvature::learn(Vector way, Vector bend) {
  const double product = way.dot(bend);
  if (product > 0 && std::isfinite(product))
    secants_.push_back({std::move(way), std::move(bend), product});
}

Vector SecantCurvature::times_inverse(const Vector& gradient) const {
  Vector step = gradient;
  Vector parts(std::ssize(secants_));
  for (Index s = parts.size(); s-- > 0;) {
    const auto& [way, bend, product] = secants_[static_cast<std::size_t>(s)];
    parts[s] = way.dot(step) / product;
    step -= parts[s] * bend;
  }
  factor_->solve_lower_in_place(step);
  solve_upper(step.size(), upper_.data(), step.data());
  for (Index s = 0; s < parts.size(); ++s) {
    const auto& [way, bend, product] = secants_[static_cast<std::size_t>(s)];
    step += (parts[s] - bend.dot(step) / product) * way;
  }
  return step;
}

}  // namespace lass0
