#include "search/floors.hpp"

#include <algorithm>
#include <limits>

namespace lass0 {
namespace {

constexpr Index kFewColumns = 256;  // the model of all of them costs little

}  // namespace

Floors::Floors(const Moments& moments, const Budget& budget) {
  std::vector<Index> all;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) all.push_back(j);
  }
  if (std::ssize(all) > kFewColumns || std::ssize(all) >= moments.rows()) return;
  if (!fit_support(moments, all).independent) return;
  all_.emplace(moments, all, SupportState::Detail::gains, budget);
  if (all_->condition() > kIllConditioned) all_.reset();
  costs_.resize(all.size());
}

double Floors::at(Index k, Index j) {
  if (!all_ || !all_->contains(j)) return 0;
  const Index i = all_->position(j), more = all_->size() - 1 - k;
  if (more < 0) return std::numeric_limits<double>::infinity();
  const double without = all_->loss() + all_->remove_loss(i);
  return without + (more > 0 ? costs(i)[static_cast<std::size_t>(more - 1)] : 0.0);
}

const std::vector<double>& Floors::costs(Index i) {
  std::vector<double>& costs = costs_[static_cast<std::size_t>(i)];
  if (!costs.empty()) return costs;
  const Vector shift = all_->removal_shift(i);
  for (Index l = 0; l < all_->size(); ++l) {
    if (l == i) continue;
    const double b = all_->b()[l] - shift[l] * all_->b()[i];
    costs.push_back(b * b / (all_->H(l) - shift[l] * shift[l] * all_->H(i)));
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

}  // namespace lass0
