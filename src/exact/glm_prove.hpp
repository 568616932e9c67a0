// The proofs of prove.hpp for other losses than squares. Nothing is better among the supports that
// have a finite fit of independent columns: supports that separate the classes are not models.
// Losses are twice the negative log-likelihood plus the ridge term, lambda is in units of the
// log-likelihood. Proofs hold up to 1e-9 of the objective or 1e-12 of the null model's loss.
#pragma once

#include <lass0/prove.hpp>

#include "glm/glm_rows.hpp"

namespace lass0 {

// `panel` gets all columns that can be chosen.
ProvenSupport glm_prove_at_lambda(Panel& panel, Columns best, double lambda,
                                  const Control& control = {});
ProvenSupport glm_prove_at_size(Panel& panel, Columns best, const Control& control = {});
Proof glm_prove_table(Panel& panel, SupportTable& table, std::optional<Index> max_k = {},
                      const Control& control = {});

}  // namespace lass0
