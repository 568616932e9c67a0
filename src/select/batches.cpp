#include "select/batches.hpp"

#include <algorithm>

namespace lass0 {
namespace {

// None of these may depend on the machine: what is computed together decides last bits.
constexpr double kBatchBytes = 1e9;       // of Gram columns, if so many are needed:
constexpr Index kColumnsExpected = 1000;  // more become active on few problems only
constexpr Index kSmallestBatch = 20;      // folds
constexpr double kSmallGramBytes = 512e6, kSmallGramFlops = 2e11;
constexpr Index kSmallGramColumns = 2000;

}  // namespace

std::vector<Batch> make_batches(const std::vector<Partition>& partitions, Index columns) {
  const double bytes =
      8.0 * static_cast<double>(columns) * static_cast<double>(std::min(columns, kColumnsExpected));
  const Index most =
      std::max(kSmallestBatch, static_cast<Index>(std::min(1e9, kBatchBytes / (bytes + 1))));
  std::vector<Batch> batches;
  Index first = 0;
  for (const Partition& partition : partitions) {
    for (Index begin = 0; begin < partition.folds; begin += most) {
      Batch batch{partition.labels, std::min(most, partition.folds - begin), first + begin};
      for (int& label : batch.labels) {
        const bool here = label >= begin && label < begin + batch.folds;
        label = static_cast<int>(here ? label - begin : batch.folds);
      }
      batches.push_back(std::move(batch));
    }
    first += partition.folds;
  }
  return batches;
}

bool gram_is_small(Index rows, Index columns, Index folds) {
  const double p = static_cast<double>(columns);
  return columns <= kSmallGramColumns &&
         8 * p * p * (static_cast<double>(folds) + 1) <= kSmallGramBytes &&
         2 * p * p * static_cast<double>(rows) <= kSmallGramFlops;
}

}  // namespace lass0
