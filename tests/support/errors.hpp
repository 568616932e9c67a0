// The error of a training set's models on the rows that it leaves out, by definition.
#pragma once

#include "support/oracles.hpp"

namespace lass0::testing {

struct Split {
  Data training, rest;
};

inline Split split(const Data& data, const std::vector<int>& labels, int fold) {
  std::vector<Index> kept, out;
  for (Index i = 0; i < data.n(); ++i)
    (labels[static_cast<std::size_t>(i)] == fold ? out : kept).push_back(i);
  return {data.rows(kept), data.rows(out)};
}

// Error a row on the rest of the least-squares fit on the training rows.
inline double error_by_definition(const Split& parts, const Support& support) {
  const Centred centred(parts.training);
  Support columns;
  for (const Index j : model_columns(centred, support))
    if (centred.norm[j] > 0) columns.push_back(j);
  const LeastSquares fit = least_squares(centred, columns);
  Iterate at{columns, fit.beta.cast<double>(), static_cast<double>(fit.intercept)};
  Real total = 0;
  for (Index i = 0; i < parts.rest.n(); ++i) total += parts.rest.weight(i);
  return static_cast<double>(rss_by_definition(parts.rest, at) / total);
}

}  // namespace lass0::testing
