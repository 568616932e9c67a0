#include "search/floors.hpp"

#include <algorithm>
#include <limits>

#include "search/support_state.hpp"

namespace lass0 {
namespace {

constexpr Index kFewColumns = 256;  // the model of all of them costs little

}  // namespace

Matrix loss_floors(const Moments& moments, const Budget& budget) {
  const Index p = moments.cols();
  std::vector<Index> all;
  for (Index j = 0; j < p; ++j) {
    if (moments.eligible(j)) all.push_back(j);
  }
  const Index q = std::ssize(all);
  if (p > kFewColumns || q >= moments.rows() || !fit_support(moments, all).independent) return {};
  const SupportState state(moments, all, SupportState::Detail::gains, budget);
  if (state.condition() > kIllConditioned) return {};

  Matrix floors = Matrix::Zero(q + 1, p);
  std::vector<double> costs;
  for (Index i = 0; i < q; ++i) {
    const double without = state.loss() + state.remove_loss(i);
    const Vector shift = state.removal_shift(i);
    costs.clear();
    for (Index l = 0; l < q; ++l) {
      if (l == i) continue;
      const double b = state.b()[l] - shift[l] * state.b()[i];
      costs.push_back(b * b / (state.H(l) - shift[l] * shift[l] * state.H(i)));
    }
    std::sort(costs.begin(), costs.end());
    auto floor = floors.col(all[static_cast<std::size_t>(i)]);
    floor[q] = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < q; ++k) {
      const Index more = q - 1 - k;
      floor[k] = without + (more > 0 ? costs[static_cast<std::size_t>(more - 1)] : 0.0);
    }
  }
  return floors;
}

}  // namespace lass0
