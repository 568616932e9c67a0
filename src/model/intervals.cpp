#include "model/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lass0/error.hpp>

namespace lass0 {
namespace {

// alpha (n + 1) may be a whole number that rounding has made a little smaller.
constexpr double kRoundingOfRanks = 1e-9;

}  // namespace

Index check_coverage(double coverage, std::span<const std::vector<double>> residuals) {
  if (!(coverage > 0 && coverage < 1))
    throw UsageError(
        fmt::format("the coverage of intervals is {}, but must be above 0 and below 1", coverage));
  Index n = 0;
  for (const std::vector<double>& fold : residuals) n += std::ssize(fold);
  const double places = static_cast<double>(n + 1);
  const auto rank = static_cast<Index>(std::floor((1 - coverage) * places + kRoundingOfRanks));
  if (rank < 1)
    throw Error(fmt::format(
        "intervals of coverage {} need at least {} rows in the cross-validation, but there were "
        "{}: "
        "ask for a lower coverage",
        coverage, static_cast<Index>(std::ceil(1 / (1 - coverage) - 1 - kRoundingOfRanks)), n));
  return std::min(rank, n);
}

// A pivot is the weighted median of the middles of what is left of the lists, so each round leaves
// out at least a quarter of it: O(folds log^2 n), and exact, because only values are compared.
double smallest_of_shifted(std::span<const double> shifts,
                           std::span<const std::vector<double>> values, Index rank) {
  struct Range {
    const double *first, *last;  // what is left
    double shift;
  };
  std::vector<Range> ranges;
  for (std::size_t f = 0; f < shifts.size(); ++f) {
    if (!values[f].empty())
      ranges.push_back({values[f].data(), values[f].data() + values[f].size(), shifts[f]});
  }
  struct Middle {
    double value;
    Index count;
  };
  std::vector<Middle> middles;
  for (;;) {
    middles.clear();
    Index left = 0;
    for (const Range& range : ranges) {
      const Index count = range.last - range.first;
      if (count == 0) continue;
      middles.push_back({range.shift + range.first[count / 2], count});
      left += count;
    }
    std::sort(middles.begin(), middles.end(),
              [](const Middle& a, const Middle& b) { return a.value < b.value; });
    Index sum = 0;
    std::size_t at = 0;
    while (2 * (sum += middles[at].count) < left) ++at;
    const double pivot = middles[at].value;

    // Adding the shift keeps the order, so a list can be searched as if its sums were stored.
    Index below = 0, up_to = 0;
    for (const Range& range : ranges) {
      const double shift = range.shift;
      below += std::partition_point(range.first, range.last,
                                    [&](double value) { return shift + value < pivot; }) -
               range.first;
      up_to += std::partition_point(range.first, range.last,
                                    [&](double value) { return shift + value <= pivot; }) -
               range.first;
    }
    if (rank > below && rank <= up_to) return pivot;
    for (Range& range : ranges) {
      const double shift = range.shift;
      if (rank <= below)
        range.last = std::partition_point(range.first, range.last,
                                          [&](double value) { return shift + value < pivot; });
      else
        range.first = std::partition_point(range.first, range.last,
                                           [&](double value) { return shift + value <= pivot; });
    }
    if (rank > up_to) rank -= up_to;
  }
}

IntervalEnds cv_plus(const Matrix& fold_predictions, std::span<const std::vector<double>> residuals,
                     double coverage) {
  const Index rank = check_coverage(coverage, residuals);
  Index n = 0;
  for (const std::vector<double>& fold : residuals) n += std::ssize(fold);
  const Index rows = fold_predictions.rows();
  IntervalEnds ends{Vector(rows), Vector(rows)};
  std::vector<double> shifts(residuals.size());
  for (Index i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < shifts.size(); ++f)
      shifts[f] = fold_predictions(i, static_cast<Index>(f));
    // ceil((1 - alpha)(n + 1)) = n + 1 - floor(alpha (n + 1)), and the rank-th smallest of
    // prediction - residual is the same rank from above of residual - prediction.
    ends.upper[i] = smallest_of_shifted(shifts, residuals, n + 1 - rank);
    for (double& shift : shifts) shift = -shift;
    ends.lower[i] = -smallest_of_shifted(shifts, residuals, n + 1 - rank);
  }
  return ends;
}

}  // namespace lass0
