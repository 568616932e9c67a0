#include <algorithm>
#include <lass0/design.hpp>
#include <lass0/error.hpp>
#include <string>

namespace lass0 {

RowGroups RowGroups::from_labels(std::span<const int> labels) {
  RowGroups groups;
  groups.count = 0;
  for (const int label : labels) {
    if (label < 0) throw Error("the fold of a row is negative: folds are numbered from 0");
    groups.count = std::max<Index>(groups.count, label + 1);
  }
  groups.of_row.assign(labels.begin(), labels.end());
  groups.start.assign(static_cast<std::size_t>(groups.count) + 1, 0);
  for (const int label : labels) ++groups.start[static_cast<std::size_t>(label) + 1];
  for (std::size_t g = 0; g < static_cast<std::size_t>(groups.count); ++g) {
    if (groups.start[g + 1] == 0) throw Error("fold " + std::to_string(g) + " has no rows");
    groups.start[g + 1] += groups.start[g];
  }
  groups.order.resize(labels.size());
  auto next = groups.start;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto slot = next[static_cast<std::size_t>(labels[i])]++;
    groups.order[static_cast<std::size_t>(slot)] = static_cast<Index>(i);
  }
  return groups;
}

}  // namespace lass0
