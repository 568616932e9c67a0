// Ties between copies of a column go to the first of them, also where rounding tells them apart.
#pragma once

#include <lass0/moments.hpp>
#include <vector>

namespace lass0 {

class Twins {
 public:
  explicit Twins(const Moments& moments);

  // The support with members replaced by the first column they are a multiple of (unless that is a
  // member too), ascending.
  std::vector<Index> canonical(std::vector<Index> support);

 private:
  Index first_of(Index j);

  const Moments& moments_;
  std::vector<Index> first_;  // -1: not yet looked for
};

}  // namespace lass0
