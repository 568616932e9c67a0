// Ties between duplicate columns go to the first of them, also where rounding tells them apart.
#pragma once

#include <cstdint>
#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

class DuplicateColumns {
 public:
  explicit DuplicateColumns(const Moments& moments);

  // The support with members replaced by the first column they are a multiple of (unless that is a
  // member too), ascending.
  std::vector<Index> canonical(std::vector<Index> support);

 private:
  Index first_of(Index j) {
    const Index known = first_[static_cast<std::size_t>(j)];
    return known >= 0 ? known : look_for_first(j);
  }
  Index look_for_first(Index j);

  const Moments& moments_;
  std::vector<Index> first_;           // -1: not yet looked for
  std::vector<std::uint64_t> member_;  // a bit for each column, all 0 between calls
};

}  // namespace lass0
