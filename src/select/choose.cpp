#include "select/choose.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "util/tolerances.hpp"

namespace lass0 {
namespace {

// Standard errors by which the best must be better than no column. The best is the lowest of many
// noisy errors, so by one standard error a search among many columns and ridges often finds
// something in pure noise. One standard error is enough where a test of all rows, at this level,
// says that some column is related to the target; without it the folds alone must be convincing.
// docs/selection.md compares these values with others.
constexpr double kTestLevel = 0.05;
constexpr double kBetterThanNothing = 1, kWithoutTheTest = 2.5;

double largest_error(const ErrorCurve& curve) {
  double largest = 0;
  for (const ErrorSummary& one : curve.errors) largest = std::max(largest, one.mean);
  return largest;
}

// A difference of two errors that may be rounding alone.
double rounding(double error, double largest) {
  return std::max(kSmallerError * error, kRoundingOfPerfectFits * largest);
}

std::size_t lowest(const ErrorCurve& curve) {
  const double largest = largest_error(curve);
  std::size_t minimum = 0;
  for (std::size_t i = 1; i < curve.errors.size(); ++i) {
    const double least = curve.errors[minimum].mean;
    if (curve.errors[i].mean < least - rounding(least, largest)) minimum = i;
  }
  return minimum;
}

std::size_t within_one_se(const ErrorCurve& curve, std::size_t minimum) {
  // Sparser models are those before it at the same ridge and relaxation.
  const auto& values = curve.values;
  const auto comparable = [&](std::size_t i) {
    return values[i].ridge == values[minimum].ridge && values[i].relax == values[minimum].relax;
  };
  const double limit = curve.errors[minimum].mean + curve.errors[minimum].se;
  std::size_t i = 0;
  while (i < minimum && (!comparable(i) || curve.errors[i].mean > limit)) ++i;
  return i;
}

// The standard error of the difference of two mean errors, from the differences fold by fold: the
// difficulty of a fold, which both share, cancels. All partitions have the same rows, so the
// standard error is that of one partition (root mean square over them): repeats make the mean
// difference steadier, but they are no further rows.
double paired_se(const ErrorCurve& curve, std::size_t one, std::size_t other) {
  const Vector differences = curve.fold_errors.col(static_cast<Index>(one)) -
                             curve.fold_errors.col(static_cast<Index>(other));
  const std::span<const double> weights = curve.fold_weights;
  double squares = 0;
  Index partitions = 0;
  for (auto first = curve.partitions.begin(); first != curve.partitions.end();) {
    const auto last = std::upper_bound(first, curve.partitions.end(), *first);
    const Index begin = first - curve.partitions.begin(), folds = last - first;
    first = last;
    if (folds < 2) continue;  // of a run that was stopped
    const double se =
        summarise(differences.segment(begin, folds),
                  weights.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(folds)))
            .se;
    squares += se * se;
    ++partitions;
  }
  if (partitions == 0) return summarise(differences, weights).se;
  return std::sqrt(squares / static_cast<double>(partitions));
}

// No column, unless the best is clearly better than that. Otherwise, over all ridges and
// relaxations, the smallest mean size within one standard error, then the lowest error; never a
// model that is worse than no column at all, unless even the best is.
std::size_t not_clearly_worse(const ErrorCurve& curve, std::size_t minimum) {
  const double least = curve.errors[minimum].mean;
  const double slack = rounding(least, largest_error(curve));
  const double most = std::max(least, curve.null_error) + slack;
  const auto order = [&](std::size_t i) {
    return std::tuple(curve.mean_sizes[i], curve.errors[i].mean);
  };
  const double than_nothing = curve.any_column <= kTestLevel ? kBetterThanNothing : kWithoutTheTest;
  std::size_t chosen = minimum;
  for (std::size_t i = 0; i < curve.errors.size(); ++i) {
    const double mean = curve.errors[i].mean;
    if (mean > most || !(order(i) < order(chosen))) continue;
    const double allowed = curve.mean_sizes[i] == 0 ? than_nothing : 1;
    if (mean - least <= allowed * paired_se(curve, i, minimum) + slack) chosen = i;
  }
  return chosen;
}

}  // namespace

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

Choice choose(const ErrorCurve& curve) {
  const std::size_t minimum = lowest(curve);
  Choice choice;
  choice[Rule::min] = static_cast<Index>(minimum);
  choice[Rule::one_se] = static_cast<Index>(within_one_se(curve, minimum));
  choice[Rule::paired] = static_cast<Index>(not_clearly_worse(curve, minimum));
  return choice;
}

std::optional<Index> choose_without_ridge(const ErrorCurve& curve, Rule rule) {
  const auto end = std::find_if(curve.values.begin(), curve.values.end(),
                                [](const Tuning& value) { return value.ridge > 0; });
  if (end == curve.values.begin() || end == curve.values.end()) return {};
  const auto count = static_cast<std::size_t>(end - curve.values.begin());
  ErrorCurve plain = curve;
  plain.values.resize(count);
  plain.errors.resize(count);
  plain.mean_sizes.resize(count);
  return choose(plain)[rule];
}

}  // namespace lass0
