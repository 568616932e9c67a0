#include "select/batches.hpp"

#include <algorithm>

namespace lass0 {
namespace {

// Neither may depend on the machine: what is summed together decides last bits.
constexpr double kBatchDoubles = 30e6;
constexpr Index kSmallestBatch = 20;  // folds

}  // namespace

std::vector<Batch> make_batches(const std::vector<Partition>& partitions, Index columns) {
  const double doubles = 3.0 * static_cast<double>(columns);
  const Index most =
      std::max(kSmallestBatch, static_cast<Index>(std::min(1e9, kBatchDoubles / (doubles + 1))));
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

}  // namespace lass0
