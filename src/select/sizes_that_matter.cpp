#include "select/sizes_that_matter.hpp"

#include <algorithm>

#include "search/table/envelope.hpp"

namespace lass0 {
namespace {

// A full search finds lower losses than the quick one, here more, there less: by up to the price of
// this many columns.
constexpr double kMayGain = 3;
// Larger sizes lead to better rows of smaller ones, by removes: this many, or this share.
constexpr Index kFewMore = 2, kShareMore = 4;

Index size_of(const SupportTable& table, const Chosen& chosen) {
  return chosen.k ? *chosen.k : std::ssize(table.at_lambda(chosen.lambda).support);
}

Index last_at_lambda(const SupportTable& quick, double lambda) {
  const Index best = size_of(quick, {lambda});
  const auto objective = [&](Index k) {
    return 0.5 * quick.at_k(k).loss + lambda * static_cast<double>(k);
  };
  Index last = best;
  for (Index k = best + 1; k <= quick.max_k(); ++k) {
    if (objective(k) <= objective(best) + kMayGain * lambda) last = k;
  }
  for (Index k = best + 1; k <= quick.max_k(); ++k) {
    if (!quick.at_k(k).lambda_max) continue;
    last = std::max(last, k);
    break;
  }
  return last;
}

}  // namespace

Index last_size_that_matters(const SupportTable& quick, const Chosen& chosen) {
  const Index last = chosen.k ? *chosen.k : last_at_lambda(quick, chosen.lambda);
  return std::min(quick.max_k(), last + std::max(kFewMore, last / kShareMore));
}

bool decides(const SupportTable& searched, const SupportTable& quick, const Chosen& chosen) {
  const Index last = searched.max_k(), size = size_of(searched, chosen);
  if (size >= last || !searched.separated_by.empty()) return false;
  std::vector<TableRow> all = searched.rows;
  for (Index k = last + 1; k <= quick.max_k() && quick.at_k(k).loss < all.back().loss; ++k)
    all.push_back(quick.at_k(k));
  find_lambda_ranges(all);
  const TableRow &here = searched.at_k(size), &among_all = all[static_cast<std::size_t>(size)];
  return here.lambda_min == among_all.lambda_min && here.lambda_max == among_all.lambda_max;
}

}  // namespace lass0
