#include "search/tableau/pending_updates.hpp"

#include <algorithm>
#include <array>

namespace lass0 {

Vector& PendingUpdates::next() {
  if (moved_.size() == moves_.size()) moved_.emplace_back(lanes_ * kLanes);
  return moved_[moves_.size()];
}

void PendingUpdates::make(Index a, double sign, const UpToDate& at) {
  moves_.push_back({a, sign, 1 / next()[a]});
  const Vector& v = pivot_column();
  const double inverse = this->inverse(), of_y = v[at.y] * inverse;
  for (std::size_t i = 0; i < at.members.size(); ++i)
    at.h[i] -= inverse * v[at.members[i]] * v[at.members[i]];
  sweep_vectors(lanes_, v.data(), of_y, inverse, at.r, at.s);
  at.r[a] = sign * of_y;
  at.r[at.y] = std::max(0.0, at.r[at.y]);
}

void PendingUpdates::write_pivot_column(std::size_t move, double* out) const {
  const auto& [column, sign, inverse] = moves_[move];
  const double* v = moved_[move].data();
  for (Index i = 0; i < lanes_ * kLanes; ++i) out[i] = sign * inverse * v[i];
  out[column] = -inverse;
}

void PendingUpdates::write_column(Index j, const double* from, double* out) const {
  std::size_t own = moves_.size();
  while (own > 0 && moves_[own - 1].column != j) --own;
  if (own > 0) {  // its last move made it what it was then, wherever it came from
    write_pivot_column(own - 1, out);
    from = out;
  }
  if (static_cast<Index>(own) == count() && from != out) std::copy_n(from, lanes_ * kLanes, out);
  apply(static_cast<Index>(own), j, from, out);
}

// Four moves at a time, so that the column is read and written once for four.
void PendingUpdates::apply(Index first, Index j, const double* from, double* out) const {
  constexpr std::size_t kTogether = 4;
  const auto at = [&](std::size_t m) { return moved_[m].data(); };
  for (auto m = static_cast<std::size_t>(first); m < moves_.size(); m += kTogether, from = out) {
    const std::size_t some = std::min(kTogether, moves_.size() - m);
    std::array<double, kTogether> factors{};
    std::array<const double*, kTogether> v;
    v.fill(at(m));
    for (std::size_t l = 0; l < some; ++l) {
      v[l] = at(m + l);
      factors[l] = v[l][j] * moves_[m + l].inverse;
    }
    subtract_four(lanes_, from, factors.data(), v.data(), out);
    for (std::size_t l = 0; l < some; ++l) {
      const Index a = moves_[m + l].column;
      out[a] = moves_[m + l].sign * factors[l];
      for (std::size_t later = l + 1; later < some; ++later) out[a] -= factors[later] * v[later][a];
    }
  }
}

}  // namespace lass0
