#include "search/table/duplicate_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "moments/copies.hpp"
#include "util/tolerances.hpp"

namespace lass0 {

DuplicateColumns::DuplicateColumns(const Moments& moments)
    : moments_(moments),
      first_(static_cast<std::size_t>(moments.cols()), -1),
      member_(first_.size() / 64 + 1, 0) {}

std::vector<Index> DuplicateColumns::canonical(std::vector<Index> support) {
  for (Index& j : support) {
    const Index first = first_of(j);
    if (first != j && std::find(support.begin(), support.end(), first) == support.end()) j = first;
  }
  // In order, without comparing: hundreds of supports come here for every table.
  for (const Index j : support)
    member_[static_cast<std::size_t>(j / 64)] |= std::uint64_t{1} << (j % 64);
  auto at = support.begin();
  for (std::size_t w = 0; w < member_.size(); ++w) {
    for (; member_[w] != 0; member_[w] &= member_[w] - 1)
      *at++ = static_cast<Index>(64 * w) + std::countr_zero(member_[w]);
  }
  return support;
}

// A Gram column is asked for only where some column before j explains as much of the target.
Index DuplicateColumns::look_for_first(Index j) {
  Index& first = first_[static_cast<std::size_t>(j)];
  const Vector& c = moments_.xty();
  const double total = moments_.target_square();
  const auto G = [&](Index i) { return moments_.diagonal()[i] - moments_.ridge(i); };
  Vector G_j;
  for (first = 0; first < j; ++first) {
    if (!moments_.eligible(first) || !explain_the_same(G(j), G(first), c[j], c[first], total))
      continue;
    // A multiple pays another ridge where columns are not standardised: then it is not the same.
    const double ridge = moments_.ridge(j);
    if (std::abs(moments_.ridge(first) - ridge) > kSameRidge * ridge) continue;
    if (G_j.size() == 0) {
      G_j.resize(moments_.cols());
      moments_.gram_columns(Columns(&j, 1), G_j);
    }
    if (is_copy(G(j), G(first), G_j[first], c[j], c[first], total)) break;
  }
  return first;
}

}  // namespace lass0
