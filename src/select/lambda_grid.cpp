#include "select/lambda_grid.hpp"

#include <algorithm>
#include <cmath>

namespace lass0 {
namespace {

constexpr double kBelow = 1 - 1e-3;      // times a breakpoint: as kAbove, on the other side
constexpr double kSmallestRatio = 1e-8;  // of the grid's ends
// Pure noise lowers 1/2 RSS by half its variance a column: lambdas below this of it are all alike.
constexpr double kBelowNoise = 0.01;
constexpr double kOfHighest = 1e-6;  // and without noise those below this of the highest

// By about how much a column of pure noise lowers the loss of a model that has this one. As many
// rows as their weights say, or as there are where the weights are smaller.
double noise_of_a_column(const Solver& rows, double loss) {
  const Moments& moments = rows.moments();
  return loss / std::max(static_cast<double>(moments.rows()), moments.weight());
}

bool exhausted(const Solver& rows, const SupportTable& table) {
  const Moments& moments = rows.moments();
  Index candidates = 0;
  for (Index j = 0; j < moments.cols(); ++j) candidates += moments.eligible(j) ? 1 : 0;
  return table.max_k() < rows.default_max_k() || table.max_k() == candidates;
}

}  // namespace

LambdaRange lambda_range(const Solver& rows, const SupportTable& table,
                         std::optional<Index> max_k) {
  LambdaRange range;
  range.highest = table.rows.front().lambda_min.value_or(0);
  range.nothing = 0.5 * table.rows.front().loss;
  // Below the last row there would be larger models, unless there are no more columns.
  Index limit = exhausted(rows, table) ? table.max_k() : table.max_k() - 1;
  if (max_k) limit = std::min(limit, *max_k);
  for (Index k = 1; k <= table.max_k() && !range.capped; ++k) {
    const TableRow& row = table.at_k(k);
    if (!row.lambda_max) continue;
    range.lowest = *row.lambda_max;
    range.capped = k > limit;
  }
  if (!range.capped)
    range.lowest =
        std::max(range.lowest, kBelowNoise * noise_of_a_column(rows, table.rows.back().loss));
  return range;
}

double lowest_for_parts(const Solver& rows, double highest, double loss) {
  return std::max(kBelowNoise * noise_of_a_column(rows, loss), kOfHighest * highest);
}

std::vector<double> lambda_grid(const LambdaRange& all, std::span<const LambdaRange> training,
                                int count) {
  double capped = 0, open = all.highest, highest = 0;
  const auto look_at = [&](const LambdaRange& range) {
    highest = std::max(highest, range.highest);
    if (range.capped) capped = std::max(capped, range.lowest);
    if (!range.capped && range.lowest > 0) open = std::min(open, range.lowest);
  };
  look_at(all);
  for (const LambdaRange& range : training) look_at(range);
  const double first = highest * kAbove;
  const double last =
      std::max(capped > 0 ? capped * kAbove : open * kBelow, first * kSmallestRatio);
  std::vector<double> lambdas;
  lambdas.reserve(static_cast<std::size_t>(count));
  // A training set may have columns at lambdas where all rows together have none.
  if (training.empty() && all.nothing * kAbove > first) lambdas.push_back(all.nothing * kAbove);
  const int others = count - static_cast<int>(lambdas.size());
  if (!(last < first)) {
    lambdas.push_back(first);
  } else if (others == 1) {
    lambdas.push_back(last);
  } else {
    for (int l = 0; l < others; ++l)
      lambdas.push_back(first * std::pow(last / first, static_cast<double>(l) / (others - 1)));
  }
  return lambdas;
}

}  // namespace lass0
