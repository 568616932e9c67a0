// How low a support without a given column can get, from the model of all columns.
#pragma once

#include <optional>

#include "search/support_state.hpp"

namespace lass0 {

// A support of k columns without column j leaves out j and d more. Leaving out the d costs at least
// as much as leaving out the dearest of them alone, so at least the d-th least of what single ones
// cost.
class Floors {
 public:
  Floors(const Moments& moments, const Budget& budget);

  // No support of k columns without column j has a lower loss. 0 where nothing is known: columns
  // are too many, or dependent.
  double at(Index k, Index j);

 private:
  const std::vector<double>& costs(Index i);

  std::optional<SupportState> all_;
  std::vector<std::vector<double>> costs_;  // of single ones once a member is out, ascending
};

}  // namespace lass0
