// The inner loop: a method's tuning value by cross-validation on a training set, and its models.
#pragma once

#include <vector>

#include "compare/method.hpp"
#include "select/folds.hpp"

namespace lass0 {

// A training set with its partition into inner folds. The problem must outlive it.
class InnerFolds {
 public:
  // Throws Stop.
  InnerFolds(const Problem& training, Index folds, std::uint64_t seed, const Budget& budget);

  const Problem& problem() const { return problem_; }
  const Moments& all() const { return all_; }
  Index folds() const { return partition_.folds; }
  std::span<const int> labels() const { return partition_.labels; }

 private:
  const Problem& problem_;
  Partition partition_;
  Moments all_;
};

// What either rule chooses, fitted on the whole training set. Throws Stop.
struct Tuned {
  Tuning tuning;
  Iterate at;
  Index size = 0;
};
struct TunedByRule {
  Tuned minimum, one_se;
};
TunedByRule tune(const Method& method, const InnerFolds& training, const Budget& budget);

// The model of a candidate in the user's units, exactly fitted where it is a least-squares fit.
Iterate model_of(const Problem& training, const Moments& moments, const Candidate& candidate,
                 const Tuning& tuning);

}  // namespace lass0
