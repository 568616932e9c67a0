#include "select/method.hpp"

#include <algorithm>

namespace lass0 {

void Models::add(Candidate candidate) {
  sizes.push_back(std::ssize(candidate.support));
  candidates.push_back(std::move(candidate));
}

std::size_t Models::at(const Tuning& tuning, std::size_t place) const {
  if (by == By::place) return place;
  if (by == By::size) return std::min(static_cast<std::size_t>(*tuning.k), sizes.size() - 1);
  const auto value = [&](std::size_t i) {
    return 0.5 * losses[i] + tuning.lambda * static_cast<double>(sizes[i]);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < losses.size(); ++i) {
    if (value(i) < value(best)) best = i;
  }
  return best;
}

bool Models::same(std::size_t one, std::size_t other) const {
  const Candidate &a = candidates[one], &b = candidates[other];
  return a.is_fit() && b.is_fit() && a.support == b.support;
}

std::vector<double> Method::ridges(const Solver& all) const { return {all.problem().ridge}; }

Grid Method::grid(const Solver&, const Budget&) const { return {}; }

std::vector<Tuning> Method::values(const Models&, std::span<const Models* const>, int) const {
  return {};
}

Iterate model_of(const Solver& rows, const Candidate& candidate, double ridge) {
  if (candidate.model) return *candidate.model;
  if (candidate.b) return rows.moments().model(candidate.support, *candidate.b);
  return rows.at_ridge(ridge)->refit(candidate.support).at;
}

}  // namespace lass0
