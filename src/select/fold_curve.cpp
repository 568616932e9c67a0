#include "select/fold_curve.hpp"

#include <algorithm>
#include <cmath>

#include "select/paper_supports.hpp"

namespace lass0 {
namespace {

constexpr double kBelow = 1 - 1e-3;      // times a breakpoint: as kAbove, on the other side
constexpr double kSmallestRatio = 1e-8;  // of the grid's ends
// Pure noise lowers 1/2 RSS by half its variance a column: lambdas below this of it are all alike.
constexpr double kBelowNoise = 0.01;

bool exhausted(const Moments& moments, const SupportTable& table) {
  Index candidates = 0;
  for (Index j = 0; j < moments.cols(); ++j) candidates += moments.eligible(j) ? 1 : 0;
  return table.max_k() < default_max_k(moments) || table.max_k() == candidates;
}

}  // namespace

double noise_of_a_column(const Moments& moments, double loss) {
  return loss / std::max(static_cast<double>(moments.rows()), moments.weight());
}

LambdaRange lambda_range(const Moments& moments, const SupportTable& table, Index max_k) {
  LambdaRange range;
  range.highest = table.rows.front().lambda_min.value_or(0);
  range.nothing = 0.5 * table.rows.front().loss;
  // Below the last row there would be larger models, unless there are no more columns.
  Index limit = exhausted(moments, table) ? table.max_k() : table.max_k() - 1;
  if (max_k >= 0) limit = std::min(limit, max_k);
  for (Index k = 1; k <= table.max_k() && !range.capped; ++k) {
    const TableRow& row = table.at_k(k);
    if (!row.lambda_max) continue;
    range.lowest = *row.lambda_max;
    range.capped = k > limit;
  }
  if (!range.capped)
    range.lowest =
        std::max(range.lowest, kBelowNoise * noise_of_a_column(moments, table.rows.back().loss));
  return range;
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

const Answer& FoldCurve::at_most(Index k) const {
  return answers[static_cast<std::size_t>(std::min(k, std::ssize(answers) - 1))];
}

const Answer& FoldCurve::at_lambda(double lambda) const {
  const auto value = [&](std::size_t i) {
    return 0.5 * losses[i] + lambda * static_cast<double>(answers[i].size);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < losses.size(); ++i) {
    if (value(i) < value(best)) best = i;
  }
  return answers[best];
}

FoldCurve table_curve(const TrainingSet& training, const CrossValidateOptions& options,
                      const Budget& budget) {
  const Moments& moments = training.moments;
  const Index rows = options.tune == Tune::k ? options.max_k : -1;
  const SupportTable table = best_supports(
      moments, {.max_k = rows, .effort = options.effort, .control = budget.remaining()});
  if (stopped(table.status)) throw Stop{table.status};
  FoldCurve curve;
  curve.listed = table.status == Status::unchecked;
  curve.range = lambda_range(moments, table, options.max_k);
  curve.complete =
      has_signs(moments.problem()) && table.max_k() < (rows >= 0 ? rows : default_max_k(moments));
  LeftOutErrors errors(training);
  for (const TableRow& row : table.rows) {
    if (options.tune == Tune::lambda && !row.lambda_max) continue;
    budget.check();
    curve.losses.push_back(row.loss);
    curve.answers.push_back({std::ssize(row.support), errors.of(row.support)});
  }
  return curve;
}

FoldCurve paper_curve(const TrainingSet& training, std::span<const double> lambdas,
                      const CrossValidateOptions& options, const Budget& budget) {
  FoldCurve curve;
  LeftOutErrors errors(training);
  const auto supports = paper_supports(training.moments, lambdas, options.l1_tolerance, budget);
  for (std::size_t l = 0; l < supports.size(); ++l) {
    budget.check();
    const bool same = l > 0 && supports[l] == supports[l - 1];
    curve.answers.push_back(same ? curve.answers.back()
                                 : Answer{std::ssize(supports[l]), errors.of(supports[l])});
  }
  return curve;
}

}  // namespace lass0
