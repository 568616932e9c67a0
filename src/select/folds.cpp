#include "select/folds.hpp"

#include <algorithm>
#include <lass0/error.hpp>
#include <limits>
#include <map>
#include <numeric>

#include "util/memory.hpp"
#include "util/random.hpp"

namespace lass0 {
namespace {

void check_options(const CrossValidateOptions& options, Index rows) {
  const auto one_a_row = [&](std::span<const int> labels, const char* what) {
    if (labels.empty() || std::ssize(labels) == rows) return;
    throw Error("there are " + std::to_string(labels.size()) + " labels of " + what +
                ", but one for each of the " + std::to_string(rows) + " rows is needed");
  };
  one_a_row(options.fold_labels, "folds");
  one_a_row(options.groups, "groups");
  const bool given = !options.fold_labels.empty();
  if (!options.splits.empty() &&
      (given || options.blocks || !options.groups.empty() || options.repeats != 1))
    throw UsageError("given splits go without labels of folds, groups, blocks and repeats");
  if (given + options.blocks + !options.groups.empty() > 1)
    throw UsageError("folds come from their own labels, from groups or from blocks: give one");
  if (options.folds < 2 && options.folds != kLeaveOneOut && !given)
    throw UsageError("at least 2 folds are needed, not " + std::to_string(options.folds));
  if (options.repeats < 1)
    throw UsageError("the number of repeats must be at least 1, not " +
                     std::to_string(options.repeats));
  if (options.repeats > 1 && (given || options.blocks || options.folds == kLeaveOneOut))
    throw UsageError("only random folds can be repeated: any other partition is always the same");
}

// What is kept together: a row, or the rows of a group, by first appearance.
struct Unit {
  std::vector<Index> rows;
  double size = 0;  // sum of the weights
  int label = 0;
};

std::vector<Unit> make_units(const Problem& problem, std::span<const int> labels) {
  std::vector<Unit> units;
  std::map<int, std::size_t> of_label;
  for (Index i = 0; i < problem.design->rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double weight = problem.weights.empty() ? 1.0 : problem.weights[at];
    if (weight == 0) continue;
    std::size_t unit = units.size();
    if (!labels.empty()) unit = of_label.try_emplace(labels[at], unit).first->second;
    if (unit == units.size()) units.push_back({{}, 0, labels.empty() ? 0 : labels[at]});
    units[unit].rows.push_back(i);
    units[unit].size += weight;
  }
  return units;
}

Index fold_count(const CrossValidateOptions& options, Index units) {
  const bool groups = !options.groups.empty();
  const Index folds = options.folds == kLeaveOneOut ? units : options.folds;
  if (folds > units || units < 2) {
    throw Error("there " + std::string(units == 1 ? "is " : "are ") + std::to_string(units) +
                (groups ? " group" : " row") + (units == 1 ? "" : "s") +
                (groups ? "" : " with a positive weight") + ", too few for " +
                std::to_string(std::max<Index>(folds, 2)) + " folds" +
                (units < 2
                     ? ": at least 2 are needed"
                     : ": ask for at most " + std::to_string(units) + ", which leaves out one " +
                           (groups ? "group" : "row") + " at a time"));
  }
  return folds;
}

// The fold of each unit, at random. Rows: each fold gets the next of a random order, so that sizes
// differ by one at the most. Groups: the largest first (in random order among equals), each to the
// fold that has least so far.
std::vector<Index> random_folds(const std::vector<Unit>& units, Index folds, bool groups,
                                Random& random) {
  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  std::vector<Index> fold(units.size());
  if (!groups) {
    for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = static_cast<Index>(i) % folds;
    return fold;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return units[a].size > units[b].size; });
  std::vector<double> filled(static_cast<std::size_t>(folds), 0.0);
  for (const std::size_t unit : order) {
    const auto least = std::min_element(filled.begin(), filled.end());
    *least += units[unit].size;
    fold[unit] = least - filled.begin();
  }
  return fold;
}

std::vector<Index> in_order(Index units, Index folds) {
  std::vector<Index> fold(static_cast<std::size_t>(units));
  for (Index u = 0; u < units; ++u) fold[static_cast<std::size_t>(u)] = u * folds / units;
  return fold;
}

Partition to_rows(Index rows, const std::vector<Unit>& units, const std::vector<Index>& fold,
                  Index folds) {
  Partition partition{std::vector<int>(static_cast<std::size_t>(rows), 0), folds};
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const Index i : units[u].rows)
      partition.labels[static_cast<std::size_t>(i)] = static_cast<int>(fold[u]);
  }
  return partition;
}

}  // namespace

std::vector<Partition> make_partitions(const Problem& problem,
                                       const CrossValidateOptions& options) {
  const Index rows = problem.design->rows();
  check_options(options, rows);
  if (!options.splits.empty()) return {};
  const bool given = !options.fold_labels.empty();
  std::vector<Unit> units = make_units(problem, given ? options.fold_labels : options.groups);
  const Index count = std::ssize(units);
  if (given && count < 2)
    throw Error("all rows have the same fold label: at least 2 folds are needed");
  if (given) {  // by label, whatever the order of the rows
    std::sort(units.begin(), units.end(),
              [](const Unit& a, const Unit& b) { return a.label < b.label; });
    return {to_rows(rows, units, in_order(count, count), count)};
  }
  const Index folds = fold_count(options, count);
  if (options.repeats > 1 && folds == count)
    throw Error("leaving out one at a time can't be repeated: there is only one such partition");
  if (options.blocks || folds == count)
    return {to_rows(rows, units, in_order(count, folds), folds)};
  require_memory(static_cast<double>(options.repeats) * static_cast<double>(rows) * sizeof(int),
                 "the folds of all repeats");
  Random random(options.seed);
  std::vector<Partition> partitions;
  for (Index r = 0; r < options.repeats; ++r)
    partitions.push_back(
        to_rows(rows, units, random_folds(units, folds, !options.groups.empty(), random), folds));
  return partitions;
}

}  // namespace lass0
