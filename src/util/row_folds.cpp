#include "util/row_folds.hpp"

#include <numeric>

namespace lass0 {

RowFolds::RowFolds(std::uint64_t seed, Index folds)
    : first_seed_(Random(seed).bits()), order_(static_cast<std::size_t>(folds)) {}

Index RowFolds::of(Index row) {
  const Index block = row / folds();
  if (block != block_) {
    block_ = block;
    std::iota(order_.begin(), order_.end(), Index{0});
    Random random(first_seed_ + static_cast<std::uint64_t>(block));
    random.shuffle(std::span(order_));
  }
  return order_[static_cast<std::size_t>(row % folds())];
}

}  // namespace lass0
