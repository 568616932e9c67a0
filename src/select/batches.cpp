#include "select/batches.hpp"

#include <algorithm>
#include <lass0/error.hpp>
#include <string>
#include <tuple>

#include "problem/weights.hpp"

namespace lass0 {
namespace {

// Neither may depend on the machine: what is summed together decides last bits.
constexpr double kBatchDoubles = 30e6;
constexpr Index kSmallestBatch = 20;  // folds

enum Role : int { kTest = 0, kTrain = 1, kNeither = 2 };

// Gives the rows their role, which none of them may have yet; returns the sum of their weights.
double assign(std::span<const Index> rows, Role role, const Vector& weights,
              std::vector<int>& roles, const std::string& split) {
  double sum = 0;
  for (const Index i : rows) {
    if (i < 0 || i >= weights.size())
      throw Error(split + " names row " + std::to_string(i) + ", but rows are numbered from 0 to " +
                  std::to_string(weights.size() - 1));
    int& before = roles[static_cast<std::size_t>(i)];
    if (before != kNeither)
      throw Error(split + " has row " + std::to_string(i) +
                  " twice: a row is either a training row or a held-out row");
    before = role;
    sum += weights[i];
  }
  return sum;
}

}  // namespace

std::vector<Batch> make_batches(const std::vector<Partition>& partitions, Index columns) {
  const double doubles = 3.0 * static_cast<double>(columns);
  const Index most =
      std::max(kSmallestBatch, static_cast<Index>(std::min(1e9, kBatchDoubles / (doubles + 1))));
  std::vector<Batch> batches;
  Index first = 0, number = 0;
  for (const Partition& partition : partitions) {
    if (partition.cells) {
      batches.push_back({partition.labels,
                         partition.folds,
                         first,
                         {},
                         number,
                         partition.cells,
                         partition.cells_of_fold});
      first += partition.folds;
      ++number;
      continue;
    }
    for (Index begin = 0; begin < partition.folds; begin += most) {
      Batch batch{partition.labels, std::min(most, partition.folds - begin), first + begin};
      for (int& label : batch.labels) {
        const bool here = label >= begin && label < begin + batch.folds;
        label = static_cast<int>(here ? label - begin : batch.folds);
      }
      batch.partition = number;
      batches.push_back(std::move(batch));
    }
    first += partition.folds;
    ++number;
  }
  return batches;
}

std::vector<Batch> make_batches(const Problem& problem, std::span<const Split> splits) {
  if (splits.size() < 2)
    throw Error("at least 2 splits are needed, not " + std::to_string(splits.size()));
  const Vector weights = row_weights(problem);
  std::vector<Batch> batches;
  for (const Split& split : splits) {
    const Index number = std::ssize(batches);
    const std::string name = "split " + std::to_string(number) + " (counted from 0)";
    Batch batch{std::vector<int>(static_cast<std::size_t>(weights.size()), kNeither), 1, number};
    for (const auto& [rows, role, what] : {std::tuple(&split.train, kTrain, "training"),
                                           std::tuple(&split.test, kTest, "held-out")}) {
      if (!(assign(*rows, role, weights, batch.labels, name) > 0))
        throw Error(name + " has no " + what + " row of positive weight");
    }
    batch.weights.assign(weights.begin(), weights.end());
    for (std::size_t i = 0; i < batch.labels.size(); ++i) {
      if (batch.labels[i] != kNeither) continue;
      batch.weights[i] = 0;
      batch.labels[i] = kTrain;
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

}  // namespace lass0
