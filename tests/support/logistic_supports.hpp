// Every support of a small logistic problem, fitted by definition: what proofs are compared with.
#pragma once

#include <map>
#include <optional>

#include "support/logistic_rows.hpp"

namespace lass0::testing {

// Up to nine columns: weights, offsets, a ridge, included columns, no intercept, duplicates and
// dependencies, and so few rows that large supports often separate the classes.
LogisticData logistic_of_any_kind(std::uint64_t seed);

// A problem and all that a proof asks of it.
struct LogisticSubject : LogisticRows {
  explicit LogisticSubject(LogisticData data);

  // The lowest objective of the models that have (lack) column j; -1: of all. No lambda: of this
  // size. Infinite: there are none.
  double least(std::optional<double> lambda, Index size, Index j = -1, bool with = true) const;
  static double objective(const std::vector<Index>& support, double loss,
                          std::optional<double> lambda, Index size);
  std::vector<Index> random_model(Rng& rng, Index size) const;  // a model of this size
  Index largest() const;                                        // of the sizes of models

  std::vector<Index> eligible;
  // Of the models: supports of independent columns that have a finite fit.
  std::map<std::vector<Index>, double> losses;
};

}  // namespace lass0::testing
