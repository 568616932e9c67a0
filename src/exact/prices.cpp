#include "exact/prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact/branch_and_bound.hpp"
#include "util/parallel.hpp"

namespace lass0 {
namespace {

// All searches get this many nodes, then those that are not done start again with more: when time
// runs out, all of them have had the same share of it.
constexpr std::int64_t kFirstNodes = 1 << 14;
constexpr std::int64_t kMoreNodes = 8;

Subproblem root_of(const Candidates& candidates, const PriceSearch& search) {
  Subproblem root = candidates.everything();
  std::erase(root.free, search.column);
  root.lower.pop_back();
  if (search.forced_in) root.in.push_back(search.column);
  return root;
}

struct Part {
  std::int64_t nodes = 0;
  bool stopped = false;
};

Part run(const Candidates& candidates, const Form& form, std::int64_t max_nodes,
         const Budget& budget, PriceSearch& search) {
  Part part;
  BranchAndBound tree(candidates.search(), form.goal(search.upper, candidates),
                      root_of(candidates, search), 1, budget);
  try {
    tree.run(max_nodes);
  } catch (const Stop&) {
    part.stopped = true;
  }
  part.nodes = tree.nodes();
  search.upper = form.objective(form.lambda ? tree.goal().best() : tree.goal().best(form.size));
  const double lower = form.lambda ? tree.lower_bound() : 0.5 * tree.lower_bound(form.size);
  search.exact = tree.finished();
  search.lower =
      search.exact ? search.upper : std::min(search.upper, std::max(search.lower, lower));
  return part;
}

}  // namespace

double Form::objective(const Incumbent& at) const {
  return 0.5 * at.loss + lambda.value_or(0) * static_cast<double>(at.support.size());
}

Goal Form::goal(double objective, const Candidates& candidates) const {
  const Incumbent known{{}, 2 * objective};
  if (lambda) return Goal::at_lambda(*lambda, known, candidates.count(), total);
  std::vector<Incumbent> by_size(static_cast<std::size_t>(size) + 1);
  by_size.back() = known;
  return Goal::at_sizes(std::move(by_size), std::max(size, candidates.count()), total);
}

double best_single_change(const Candidates& candidates, const Form& form, const Incumbent& best,
                          const PriceSearch& search) {
  double least = 0.5 * kNoLoss;
  const auto consider = [&](std::vector<Index> support) {
    std::sort(support.begin(), support.end());
    Incumbent at{std::move(support), 0};
    at.loss = candidates.loss(at.support);
    least = std::min(least, form.objective(at));
  };
  std::vector<Index> changed = best.support;
  if (search.forced_in) {
    changed.push_back(search.column);
    if (form.lambda) consider(changed);
    for (const Index i : best.support) {
      std::vector<Index> swapped = changed;
      std::erase(swapped, i);
      consider(std::move(swapped));
    }
    return least;
  }
  std::erase(changed, search.column);
  if (form.lambda) consider(changed);
  for (Index j = 0; j < candidates.count(); ++j) {
    if (std::binary_search(best.support.begin(), best.support.end(), j)) continue;
    std::vector<Index> swapped = changed;
    swapped.push_back(j);
    consider(std::move(swapped));
  }
  return least;
}

void bound_prices(const Candidates& candidates, const Form& form, double end,
                  std::vector<PriceSearch>& searches, const Budget& budget) {
  const auto bounds = candidates.one_sided_bounds(form.goal(end, candidates), budget);
  if (bounds.empty()) return;
  for (PriceSearch& search : searches) {
    const OneSidedBounds& sides = bounds[static_cast<std::size_t>(search.column)];
    const std::vector<double>& lower = search.forced_in ? sides.with : sides.without;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t size = 0; size < lower.size(); ++size) {
      if (!form.lambda && static_cast<Index>(size) != form.size) continue;
      least =
          std::min(least, 0.5 * lower[size] + form.lambda.value_or(0) * static_cast<double>(size));
    }
    search.lower = std::min(search.upper, std::max(search.lower, least));
    search.exact = search.lower >= search.upper;
  }
}

std::int64_t find_prices(const Candidates& candidates, const Form& form,
                         std::vector<PriceSearch>& searches, const Control& control) {
  Control silent = control;
  silent.progress = {};  // the searches run side by side
  const Budget budget(silent), messages(control);
  std::int64_t nodes = 0;
  for (std::int64_t max_nodes = kFirstNodes;; max_nodes *= kMoreNodes) {
    std::vector<PriceSearch*> open;
    for (PriceSearch& one : searches)
      if (!one.exact) open.push_back(&one);
    if (open.empty()) return nodes;
    const std::size_t done = searches.size() - open.size();
    messages.progress(fmt::format("prices of columns: {} of {}", done, searches.size()),
                      static_cast<double>(done) / static_cast<double>(searches.size()));
    std::vector<Part> parts(open.size());
    for_each_block(std::ssize(open), control.threads, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      parts[at] = run(candidates, form, max_nodes, budget, *open[at]);
    });
    bool stopped = false;
    for (const Part& part : parts) {
      nodes += part.nodes;
      stopped = stopped || part.stopped;
    }
    if (stopped) return nodes;
  }
}

}  // namespace lass0
