#include "glm/secant_curvature.hpp"

#include <cmath>

#include "util/tolerances.hpp"

namespace lass0 {

bool SecantCurvature::factor(const Matrix& H) {
  secants_.clear();
  factor_.emplace(H);
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
  factor_->solve_in_place(step);
  for (Index s = 0; s < parts.size(); ++s) {
    const auto& [way, bend, product] = secants_[static_cast<std::size_t>(s)];
    step += (parts[s] - bend.dot(step) / product) * way;
  }
  return step;
}

}  // namespace lass0
