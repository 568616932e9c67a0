#include "exact/goal.hpp"

#include <algorithm>
#include <cmath>

#include "exact/collection.hpp"

namespace lass0 {

Goal::Goal(Index max_size, double total)
    : total_(total),
      thresholds_(static_cast<std::size_t>(max_size) + 1,
                  -std::numeric_limits<double>::infinity()) {}

Goal Goal::at_lambda(double lambda, Incumbent best, Index max_size, double total) {
  Goal goal(max_size, total);
  goal.lambda_ = lambda;
  goal.best_ = std::move(best);
  goal.update_thresholds();
  return goal;
}

Goal Goal::at_sizes(std::vector<Incumbent> by_size, Index max_size, double total) {
  Goal goal(max_size, total);
  goal.by_size_ = std::move(by_size);
  goal.by_size_.resize(static_cast<std::size_t>(max_size) + 1);
  goal.update_thresholds();
  return goal;
}

double Goal::objective(const Incumbent& at) const {
  return 0.5 * at.loss + lambda_.value_or(0) * static_cast<double>(at.support.size());
}

double Goal::slack(double value) const {
  return std::max(kProofTolerance * value, kProofRounding * total_);
}

void Goal::update_thresholds() {
  for (std::size_t s = 0; s < thresholds_.size(); ++s) {
    if (lambda_) {
      const double F = objective();
      thresholds_[s] = 2 * (F - slack(F) - *lambda_ * static_cast<double>(s));
    } else if (const double loss = by_size_[s].loss; std::isfinite(loss)) {
      thresholds_[s] = loss - slack(loss);
    }
  }
}

void Goal::lower_to(double objective) {
  if (lambda_) {
    best_ = {{}, std::min(best_.loss, 2 * objective)};
  } else {
    for (Incumbent& at : by_size_)
      if (std::isfinite(at.loss)) at.loss = std::min(at.loss, 2 * objective);
  }
  update_thresholds();
}

void Goal::offer(const Incumbent& found) {
  const std::size_t size = found.support.size();
  if (!(found.loss < thresholds_[size])) return;
  if (collection_) return collection_->add(found);
  (lambda_ ? best_ : by_size_[size]) = found;
  improvements_.push_back(found);
  update_thresholds();
}

}  // namespace lass0
