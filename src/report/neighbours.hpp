// Which columns carry nearly the same information as the ones in a model.
#pragma once

#include <lass0/moments.hpp>

namespace lass0 {

struct Neighbour {
  Index column = 0;
  double correlation = 0;
};

// The columns of largest absolute correlation with each of `columns`, largest first, ties by
// column. `moments` are centred, without ridge and included columns: see plain_moments.
std::vector<std::vector<Neighbour>> neighbours(const Moments& moments, Columns columns);

// Moments whose Gram columns are correlations; shares those of `moments` where it can.
Moments plain_moments(const Moments& moments);

}  // namespace lass0
