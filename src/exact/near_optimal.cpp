#include <algorithm>
#include <cmath>
#include <lass0/near_optimal.hpp>

#include "exact/least_squares_candidates.hpp"
#include "exact/near_optimal_search.hpp"
#include "search/state/support_state.hpp"

namespace lass0 {
namespace {

NearOptimal search(const Moments& moments, Columns best, std::optional<double> lambda,
                   const NearOptimalOptions& options, const Control& control) {
  const Budget budget(control);
  Status status{};
  const auto candidates = candidates_of(moments, budget, status);
  const double n = std::max(moments.weight(), static_cast<double>(moments.rows()));
  if (!candidates) {
    const double loss = fit_support(moments, best).loss * unit_of(moments);
    const double objective = 0.5 * loss + lambda.value_or(0) * static_cast<double>(best.size());
    return near_optimal_unproven(moments, best, objective,
                                 distance_within(options.within, objective, lambda, loss, n));
  }
  const double unit = candidates->unit();
  Form form{.lambda = lambda, .size = std::ssize(best), .total = candidates->total()};
  if (form.lambda) *form.lambda /= unit;
  const Incumbent at = candidates->incumbent(best);
  const double distance =
      distance_within(options.within, form.objective(at) * unit, lambda, at.loss * unit, n);
  return find_near_optimal(*candidates, form, best, distance, options, budget.remaining());
}

}  // namespace

bool NearOptimal::exact() const {
  return std::all_of(columns.begin(), columns.end(),
                     [](const ColumnPrice& one) { return one.exact; });
}

double distance_within(const Within& within, double objective, std::optional<double> lambda,
                       double loss, double n) {
  switch (within.kind) {
    case Within::Kind::objective:
      return within.value;
    case Within::Kind::share:
      return within.value * objective;
    case Within::Kind::automatic:
      break;
  }
  return lambda ? *lambda : 0.5 * loss * std::expm1(2 * kWithinLogLikelihood / n);
}

NearOptimal near_optimal_unproven(const Moments& moments, Columns best, double objective,
                                  double within) {
  NearOptimal result;
  result.within = within;
  result.count = 1;
  result.models.push_back({{best.begin(), best.end()}, objective});
  std::vector<Index> columns;
  for (Index j = 0; j < moments.cols(); ++j) {
    if (moments.eligible(j)) columns.push_back(j);
  }
  if (std::ssize(columns) > kMostColumnsOfProofs) return result;
  for (const Index j : columns) result.columns.push_back({.column = j});
  return result;
}

NearOptimal near_optimal_at_lambda(const Moments& moments, Columns best, double lambda,
                                   const NearOptimalOptions& options, const Control& control) {
  return search(moments, best, lambda, options, control);
}

NearOptimal near_optimal_of_size(const Moments& moments, Columns best,
                                 const NearOptimalOptions& options, const Control& control) {
  return search(moments, best, std::nullopt, options, control);
}

std::string_view to_string(ColumnPrice::Class kind) {
  switch (kind) {
    case ColumnPrice::Class::always:
      return "always";
    case ColumnPrice::Class::interchangeable:
      return "interchangeable";
    case ColumnPrice::Class::never:
      return "never";
    case ColumnPrice::Class::undecided:
      return "undecided";
  }
  return "";
}

}  // namespace lass0
