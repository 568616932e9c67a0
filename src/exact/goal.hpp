// What a proof still has to rule out. A support of s columns matters only when its loss is below
// threshold(s): below that of the best one of its size known so far, or, at one lambda, so far
// below that 1/2 loss + lambda s would be less than the best objective. Both forms of the problem,
// and all sizes at once, are then the same search. So is a search for all supports below fixed
// thresholds: it collects what it is offered instead of lowering them. Internal units of Moments.
#pragma once

#include <lass0/types.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "util/tolerances.hpp"

namespace lass0 {

struct Incumbent {
  std::vector<Index> support;  // ascending
  double loss = std::numeric_limits<double>::infinity();
};

class Collection;

class Goal {
 public:
  // The least 1/2 loss + lambda * size over all sizes up to max_size.
  static Goal at_lambda(double lambda, Incumbent best, Index max_size, double total);
  // The least loss of every size for which there is an incumbent; sizes without one don't matter.
  static Goal at_sizes(std::vector<Incumbent> by_size, Index max_size, double total);

  Index max_size() const { return std::ssize(thresholds_) - 1; }
  double threshold(Index size) const { return thresholds_[static_cast<std::size_t>(size)]; }
  const std::vector<double>& thresholds() const { return thresholds_; }

  // From now on supports below the thresholds go to `collection`, which lives longer, and the
  // incumbent (no real one, but what the thresholds follow from) stays.
  void collect_into(Collection& collection) { collection_ = &collection; }
  bool collects() const { return collection_ != nullptr; }
  // Lowers what the incumbent of a collecting goal stands for.
  void lower_to(double objective);

  // A support of which the loss is exact. It becomes the incumbent where it is better, or is
  // collected where it is below its threshold.
  void offer(const Incumbent& found);
  const std::vector<Incumbent>& improvements() const { return improvements_; }  // all of those

  const Incumbent& best() const { return best_; }  // at_lambda
  const Incumbent& best(Index size) const { return by_size_[static_cast<std::size_t>(size)]; }
  std::optional<double> lambda() const { return lambda_; }
  double objective() const { return objective(best_); }  // at_lambda

 private:
  Goal(Index max_size, double total);
  double objective(const Incumbent& at) const;
  double slack(double value) const;
  void update_thresholds();

  std::optional<double> lambda_;
  double total_;  // y'y
  Incumbent best_;
  std::vector<Incumbent> by_size_;
  std::vector<double> thresholds_;
  std::vector<Incumbent> improvements_;
  Collection* collection_ = nullptr;
};

}  // namespace lass0
