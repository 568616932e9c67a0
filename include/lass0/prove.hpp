// Proof by branch and bound that no other support is better, or a bound on how much better one
// could be. The bounds follow from least squares alone: nothing is assumed about the size of
// coefficients (docs/proof.md). Proofs hold up to 1e-9 of the objective or 1e-12 of y'y.
#pragma once

#include <cstdint>
#include <lass0/support_table.hpp>
#include <optional>

namespace lass0 {

struct Proof {
  // proven_optimal; gap: the time limit came first, and the lower bound says what is proven;
  // interrupted: the caller stopped it, with such a bound.
  Status status = Status::proven_optimal;
  std::int64_t nodes = 0;  // of the search tree
  double seconds = 0;
};

struct ProvenSupport {
  std::vector<Index> support;  // the given one, or a better one that the proof found
  double objective = 0;        // 1/2 loss + lambda * size; for a given size, 1/2 loss
  double lower_bound = 0;      // no support has an objective below this
  Proof proof;

  double gap() const { return objective > 0 ? 1 - lower_bound / objective : 0; }
};

// Throws UsageError if there are sign constraints: the bounds hold for all supports, so with fewer
// admissible supports most proofs would end with a gap. Also for a quick search: a proof considers
// all columns.
void check_provable(const Problem& problem, Effort effort = Effort::full);

// Proves that `best` has the lowest 1/2 loss + lambda * size of all supports. A good one (from the
// table) makes the proof short.
ProvenSupport prove_at_lambda(const Moments& moments, Columns best, double lambda,
                              const Control& control = {});

// Proves that `best` has the lowest loss of all supports of its size.
ProvenSupport prove_at_size(const Moments& moments, Columns best, const Control& control = {});

// The same for every row of a table up to max_k (none: all rows). If a better support is found, it
// replaces that of its row. Every row gets its lower_bound.
Proof prove_table(const Moments& moments, SupportTable& table, std::optional<Index> max_k = {},
                  const Control& control = {});

}  // namespace lass0
