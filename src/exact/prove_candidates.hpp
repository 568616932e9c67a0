// The proofs of prove.hpp for any loss: once there are candidates, they are all the same.
#pragma once

#include <lass0/prove.hpp>

#include "exact/candidates.hpp"
#include "util/budget.hpp"

namespace lass0 {

ProvenSupport prove_at_lambda(const Candidates& candidates, Columns best, double lambda,
                              const Budget& budget);
// `objective`: that of `best`, in the caller's units.
ProvenSupport prove_at_size(const Candidates& candidates, Columns best, double objective,
                            const Budget& budget);
Proof prove_table(const Candidates& candidates, SupportTable& table, std::optional<Index> max_k,
                  const Budget& budget);

}  // namespace lass0
