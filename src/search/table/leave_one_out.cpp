#include "search/table/leave_one_out.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "search/state/support_state.hpp"
#include "search/table/small_inverse.hpp"
#include "util/cholesky.hpp"

namespace lass0 {
namespace {

// A way down ends where the log-likelihood is this much below the row's: it hardly ever comes back.
constexpr double kFarAbove = 8;

}  // namespace

void eliminate_without_each(
    const Moments& moments, Index max_k, const std::function<double(Index k)>& row_loss,
    const std::function<void(const std::vector<Index>& support, double loss)>& offer) {
  std::vector<Index> all;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) all.push_back(j);
  }
  const Index q = std::ssize(all);
  // About q^4 / 3 multiplications: more columns would take longer than the table itself.
  if (q < 3 || q > SmallInverse::kMost || q >= moments.rows()) return;
  Matrix G(q, q);
  moments.gram_block(all, all, G);
  const Cholesky factor(std::move(G));
  if (!factor.positive_definite()) return;
  const Matrix H = factor.inverse();
  const Vector squares = moments.squares()(all), c = moments.xty()(all);
  if (!(H.diagonal().array() * squares.array() < kIllConditioned).all()) return;
  const Vector b = factor.solve(c);
  const SmallInverse whole(H, b, std::max(0.0, moments.yty() - c.dot(b)));

  const double far = std::exp(2 * kFarAbove / static_cast<double>(moments.rows()));
  using Set = std::uint64_t;  // a bit for each column of `all`
  static_assert(SmallInverse::kMost < 64);
  // From one support there is one way on: what was seen before need not be followed again.
  std::vector<std::vector<Set>> seen(static_cast<std::size_t>(q));
  std::vector<int> column(static_cast<std::size_t>(q));  // of `all`, by place
  std::vector<Index> support;
  for (Index out = 0; out < q; ++out) {
    SmallInverse at = whole;
    std::iota(column.begin(), column.end(), 0);
    Set members = (Set{1} << q) - 1;
    const auto remove = [&](Index place) {
      const auto gone = static_cast<std::size_t>(place);
      members &= ~(Set{1} << column[gone]);
      column[gone] = column[static_cast<std::size_t>(at.size - 1)];
      at.remove(place);
    };
    for (remove(out); at.size > 1; remove(at.least())) {
      auto& same_size = seen[static_cast<std::size_t>(at.size)];
      if (std::find(same_size.begin(), same_size.end(), members) != same_size.end()) break;
      same_size.push_back(members);
      if (at.size > max_k) continue;
      const double row = row_loss(at.size);
      if (at.loss > far * row) break;
      if (!(at.loss < row)) continue;
      support.clear();
      for (Set bits = members; bits != 0; bits &= bits - 1)
        support.push_back(all[static_cast<std::size_t>(std::countr_zero(bits))]);
      offer(support, at.loss);
    }
  }
}

}  // namespace lass0
