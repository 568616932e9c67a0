#include "select/folds.hpp"

#include <algorithm>
#include <lass0/error.hpp>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "problem/weights.hpp"
#include "util/memory.hpp"
#include "util/row_folds.hpp"

namespace lass0 {
namespace {

void check_options(const CrossValidateOptions& options, Index rows) {
  const auto one_per_row = [&](std::span<const int> labels, const char* what) {
    if (labels.empty() || std::ssize(labels) == rows) return;
    throw Error("there are " + std::to_string(labels.size()) + " labels of " + what +
                ", but each of the " + std::to_string(rows) + " rows needs one");
  };
  one_per_row(options.fold_labels, "folds");
  one_per_row(options.groups, "groups");
  const bool given = !options.fold_labels.empty();
  if (!options.splits.empty() &&
      (given || options.blocks || !options.groups.empty() || options.repeats != 1))
    throw UsageError("splits do not work with fold labels, groups, blocks or repeats");
  if (given + options.blocks + !options.groups.empty() > 1)
    throw UsageError("give only one of fold labels, groups and blocks");
  if (options.folds < 2 && options.folds != kLeaveOneOut && !given)
    throw UsageError("at least 2 folds are needed, not " + std::to_string(options.folds));
  if (options.repeats < 1)
    throw UsageError("the number of repeats must be at least 1, not " +
                     std::to_string(options.repeats));
  if (options.repeats > 1 && (given || options.blocks || options.folds == kLeaveOneOut))
    throw UsageError("only random folds can be repeated: other folds are always the same");
}

// What is kept together: a row, or the rows of a group, by first appearance.
struct Units {
  std::vector<Index> of_row;  // -1: its weight is 0
  std::vector<double> size;   // sum of the weights
  std::vector<int> label;
  std::vector<char> stratum;  // of a target of two classes, the class of each row; empty: none

  Index count() const { return std::ssize(size); }
};

Units make_units(const Problem& problem, std::span<const int> labels) {
  Units units;
  const Index rows = problem.design->rows();
  units.of_row.assign(static_cast<std::size_t>(rows), -1);
  std::unordered_map<int, Index> of_label;
  for (Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double weight = problem.weights.empty() ? 1.0 : problem.weights[at];
    if (weight == 0) continue;
    Index unit = units.count();
    if (!labels.empty()) unit = of_label.try_emplace(labels[at], unit).first->second;
    if (unit == units.count()) {
      units.size.push_back(0);
      units.label.push_back(labels.empty() ? 0 : labels[at]);
    }
    if (problem.family == Family::binomial && labels.empty())
      units.stratum.push_back(problem.y[at] > 0 ? 1 : 0);
    units.of_row[at] = unit;
    units.size[static_cast<std::size_t>(unit)] += weight;
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
                     : ": ask for at most " + std::to_string(units) + ", which holds out one " +
                           (groups ? "group" : "row") + " at a time"));
  }
  return folds;
}

// Rows of a target of two classes: each fold gets the next of a random order, one class after the
// other, so that the sizes of folds differ by one at the most, and so do those of either class.
std::vector<Index> stratified_folds(const Units& units, Index folds, Random& random) {
  std::vector<std::size_t> order(units.size.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t unit) { return units.stratum[unit] != 0; });
  std::vector<Index> fold(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = static_cast<Index>(i) % folds;
  return fold;
}

// Groups: the largest first (in random order among equals), each to the fold that has least so far.
std::vector<Index> folds_of_groups(const Units& units, Index folds, Random& random) {
  std::vector<std::size_t> order(units.size.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return units.size[a] > units.size[b]; });
  std::vector<Index> fold(order.size());
  std::vector<double> filled(static_cast<std::size_t>(folds), 0.0);
  for (const std::size_t unit : order) {
    const auto least = std::min_element(filled.begin(), filled.end());
    *least += units.size[unit];
    fold[unit] = least - filled.begin();
  }
  return fold;
}

// The fold of each unit, at random.
std::vector<Index> random_folds(const Units& units, Index folds, bool groups, std::uint64_t seed) {
  Random random(seed);
  if (groups) return folds_of_groups(units, folds, random);
  if (!units.stratum.empty()) return stratified_folds(units, folds, random);
  RowFolds of_row(seed, folds);
  std::vector<Index> fold;
  for (Index row = 0; row < units.count(); ++row) fold.push_back(of_row.of(row));
  return fold;
}

std::vector<Index> in_order(Index units, Index folds) {
  std::vector<Index> fold(static_cast<std::size_t>(units));
  for (Index u = 0; u < units; ++u) fold[static_cast<std::size_t>(u)] = u * folds / units;
  return fold;
}

// The fold of each unit, in the order of their labels.
std::vector<Index> by_label(const Units& units) {
  std::vector<std::size_t> order(units.label.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return units.label[a] < units.label[b]; });
  std::vector<Index> fold(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = static_cast<Index>(i);
  return fold;
}

// The label of each row: that of its unit.
std::vector<int> labels_of_rows(const Units& units, const std::vector<Index>& label) {
  std::vector<int> labels(units.of_row.size(), 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (units.of_row[i] >= 0)
      labels[i] = static_cast<int>(label[static_cast<std::size_t>(units.of_row[i])]);
  }
  return labels;
}

Partition to_rows(const Units& units, const std::vector<Index>& fold, Index folds) {
  return {labels_of_rows(units, fold), folds};
}

bool repeats_share_cells(const Problem& problem, const CrossValidateOptions& options, Index units,
                         Index folds) {
  return options.repeats > 1 && folds <= kMostFoldsOfCells && units >= kFewestRowsOfCells &&
         problem.design->cols() <= kMostColumnsOfCells;
}

// Every partition deals the cells to its folds at random, the same number to each.
std::vector<Partition> partitions_of_cells(const Units& units, Index folds, Index repeats,
                                           bool groups, std::uint64_t seed) {
  const Index count = kCellsPerFold * folds;
  const std::vector<Index> cell = random_folds(units, count, groups, seed);
  const auto cells = std::make_shared<const Cells>(Cells{labels_of_rows(units, cell), count});
  std::vector<Partition> partitions;
  Random random(seed);
  std::vector<Index> order(static_cast<std::size_t>(count));
  for (Index r = 0; r < repeats; ++r) {
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
    Partition partition{{}, folds, cells, {}};
    partition.cells_of_fold.resize(static_cast<std::size_t>(folds));
    std::vector<Index> fold_of_cell(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t fold = i % static_cast<std::size_t>(folds);
      fold_of_cell[static_cast<std::size_t>(order[i])] = static_cast<Index>(fold);
      partition.cells_of_fold[fold].push_back(order[i]);
    }
    for (std::vector<Index>& some : partition.cells_of_fold) std::sort(some.begin(), some.end());
    std::vector<Index> fold(cell.size());
    for (std::size_t u = 0; u < cell.size(); ++u)
      fold[u] = fold_of_cell[static_cast<std::size_t>(cell[u])];
    partition.labels = labels_of_rows(units, fold);
    partitions.push_back(std::move(partition));
  }
  return partitions;
}

// Those that the sums were made for; of a training set, those of its rows.
Partition summed_folds(const Problem& problem, const CrossValidateOptions& options) {
  if (options.repeats > 1) require_rows(problem, "repeating with other random folds");
  if (!options.splits.empty()) require_rows(problem, "splitting the rows otherwise");
  if (options.blocks || !options.groups.empty() || options.folds == kLeaveOneOut)
    require_rows(problem, "making other folds");
  const Units units = make_units(problem, problem.summed->fold);
  if (units.count() < 2)
    throw Error("the sums are of " + std::string(units.count() == 1 ? "1 fold" : "no fold") +
                ", but at least 2 are needed: make the file of moments again with more folds");
  return to_rows(units, by_label(units), units.count());
}

}  // namespace

std::vector<Partition> make_partitions(const Problem& problem,
                                       const CrossValidateOptions& options) {
  const Index rows = problem.design->rows();
  check_options(options, rows);
  if (problem.summed) return {summed_folds(problem, options)};
  if (!options.splits.empty()) return {};
  const bool given = !options.fold_labels.empty();
  const Units units = make_units(problem, given ? options.fold_labels : options.groups);
  const Index count = units.count();
  if (given && count < 2)
    throw Error("all rows have the same fold label: at least 2 folds are needed");
  if (given) return {to_rows(units, by_label(units), count)};  // whatever the order of the rows
  const Index folds = fold_count(options, count);
  if (options.repeats > 1 && folds == count)
    throw Error("holding out one at a time can't be repeated: there is only one such partition");
  if (options.blocks || folds == count) return {to_rows(units, in_order(count, folds), folds)};
  require_memory(static_cast<double>(options.repeats) * static_cast<double>(rows) * sizeof(int),
                 "the folds of all repeats");
  const bool groups = !options.groups.empty();
  if (repeats_share_cells(problem, options, count, folds))
    return partitions_of_cells(units, folds, options.repeats, groups, options.seed);
  std::vector<Partition> partitions;
  Random seeds(options.seed);
  for (Index r = 0; r < options.repeats; ++r) {
    const std::uint64_t seed = r == 0 ? options.seed : seeds.bits();
    partitions.push_back(to_rows(units, random_folds(units, folds, groups, seed), folds));
  }
  return partitions;
}

SplitWeights split_weights(const Problem& problem, std::span<const int> labels, Index fold) {
  SplitWeights weights{row_weights(problem), {}};
  weights.held_out = weights.kept;
  for (Index i = 0; i < weights.kept.size(); ++i) {
    const bool out = labels[static_cast<std::size_t>(i)] == fold;
    (out ? weights.kept : weights.held_out)[i] = 0;
  }
  return weights;
}

}  // namespace lass0
