#include "select/choose.hpp"

#include <algorithm>
#include <cmath>

#include "util/tolerances.hpp"

namespace lass0 {

ErrorSummary summarise(const ConstVec& errors_per_row, std::span<const double> fold_weights) {
  double total = 0, sum = 0, squares = 0;
  for (Index f = 0; f < errors_per_row.size(); ++f) {
    total += fold_weights[static_cast<std::size_t>(f)];
    sum += fold_weights[static_cast<std::size_t>(f)] * errors_per_row[f];
  }
  const double mean = sum / total;
  for (Index f = 0; f < errors_per_row.size(); ++f) {
    const double deviation = errors_per_row[f] - mean;
    squares += fold_weights[static_cast<std::size_t>(f)] * deviation * deviation;
  }
  return {mean, std::sqrt(squares / total / static_cast<double>(errors_per_row.size() - 1))};
}

Choice choose(std::span<const Tuning> values, std::span<const ErrorSummary> errors) {
  double largest = 0;
  for (const ErrorSummary& one : errors) largest = std::max(largest, one.mean);
  std::size_t minimum = 0;
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double least = errors[minimum].mean;
    const double slack = std::max(kSmallerError * least, kRoundingOfPerfectFits * largest);
    if (errors[i].mean < least - slack) minimum = i;
  }
  // Sparser models are those before it at the same ridge and relaxation.
  const auto comparable = [&](std::size_t i) {
    return values[i].ridge == values[minimum].ridge && values[i].relax == values[minimum].relax;
  };
  std::size_t one_se = 0;
  while (one_se < minimum &&
         (!comparable(one_se) || errors[one_se].mean > errors[minimum].mean + errors[minimum].se))
    ++one_se;
  return {static_cast<Index>(minimum), static_cast<Index>(one_se)};
}

}  // namespace lass0
