#include "search/twins.hpp"

#include <algorithm>

#include "moments/copies.hpp"

namespace lass0 {

Twins::Twins(const Moments& moments)
    : moments_(moments), first_(static_cast<std::size_t>(moments.cols()), -1) {}

std::vector<Index> Twins::canonical(std::vector<Index> support) {
  for (Index& j : support) {
    const Index twin = first_of(j);
    if (std::find(support.begin(), support.end(), twin) == support.end()) j = twin;
  }
  std::sort(support.begin(), support.end());
  return support;
}

Index Twins::first_of(Index j) {
  Index& twin = first_[static_cast<std::size_t>(j)];
  if (twin >= 0) return twin;
  Vector G_j(moments_.cols());
  moments_.gram_columns(Columns(&j, 1), G_j);
  const Vector& G = moments_.diagonal();
  const Vector& c = moments_.xty();
  twin = 0;
  while (twin < j && !(moments_.eligible(twin) && is_copy(G[j], G[twin], G_j[twin], c[j], c[twin],
                                                          moments_.target_square()))) {
    ++twin;
  }
  return twin;
}

}  // namespace lass0
