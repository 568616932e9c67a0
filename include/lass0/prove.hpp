// Proof by branch and bound that no other support is better, or how much better one could be at
// most. Bounds are consequences of least squares alone: nothing is assumed about the size of
// coefficients (docs/proof.md). What is proven is so up to 1e-9 of the objective or 1e-12 of y'y.
#pragma once

#include <cstdint>
#include <lass0/support_table.hpp>

namespace lass0 {

struct Proof {
  // proven_optimal; gap: the time was up, and the lower bound says what was shown; interrupted: the
  // same, stopped by the caller.
  Status status = Status::proven_optimal;
  std::int64_t nodes = 0;  // of the search tree
  double seconds = 0;
};

struct ProvenSupport {
  std::vector<Index> support;  // the one given, or a better one that was found
  double objective = 0;        // 1/2 loss + lambda * size; for a size 1/2 loss
  double lower_bound = 0;      // no support has an objective below this
  Proof proof;

  double gap() const { return objective > 0 ? 1 - lower_bound / objective : 0; }
};

// Throws UsageError where coefficients have signs: bounds are those of all supports, so that for
// the fewer which keep the signs there would most often be a gap. Also for a quick search: a proof
// looks at all columns.
void check_provable(const Problem& problem, Effort effort = Effort::full);

// `best` has the least 1/2 loss + lambda * size of all supports. A good one (from the table) makes
// the proof short.
ProvenSupport prove_at_lambda(const Moments& moments, Columns best, double lambda,
                              const Control& control = {});

// `best` has the least loss of all supports of its size.
ProvenSupport prove_at_size(const Moments& moments, Columns best, const Control& control = {});

// The same for every row of a table up to max_k (-1: all of them). Rows get better where a better
// support is found; each has its lower_bound afterwards.
Proof prove_table(const Moments& moments, SupportTable& table, Index max_k = -1,
                  const Control& control = {});

}  // namespace lass0
