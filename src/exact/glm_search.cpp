#include "exact/glm_search.hpp"

#include <algorithm>

namespace lass0 {
namespace {

constexpr std::int64_t kNodesPerSubproblem = 200;
// Twice the nodes for each this many open subproblems: the deeper the search, the fewer it leaves.
constexpr std::size_t kManyOpen = 4000;

}  // namespace

std::vector<Index> GlmSearch::columns_of(const std::vector<Index>& candidates) const {
  std::vector<Index> columns;
  for (const Index r : candidates) columns.push_back(columns_[static_cast<std::size_t>(r)]);
  return columns;
}

class GlmSearch::Tree {
 public:
  Tree(const GlmSearch& all, Goal& goal, const Budget& budget, std::int64_t max_nodes,
       SearchOutcome& outcome)
      : all_(all), goal_(goal), budget_(budget), max_nodes_(max_nodes), outcome_(outcome) {}

  // `finite_in`: this many of sub.in are known not to separate the classes.
  void visit(Subproblem sub, const GlmStart* start, std::size_t finite_in) {
    if (outcome_.nodes >= max_nodes_) {
      outcome_.open.push_back(std::move(sub));
      return;
    }
    budget_.check();
    ++outcome_.nodes;
    std::vector<Index> support = sub.in;
    support.insert(support.end(), sub.free.begin(), sub.free.end());
    std::sort(support.begin(), support.end());
    const BoundedFit at = all_.bounds_.fit(all_.columns_of(support), start);
    for (double& lower : sub.lower) lower = std::max(lower, at.lower);
    if (at.fit.fitted() && at.fit.loss < goal_.threshold(std::ssize(support))) offer(support);
    if (sub.free.empty() || !smaller_ones_matter(sub)) return;
    if (at.fit.state == GlmFit::State::dependent) {
      if (branch_on_dependency(sub, finite_in)) return;
    } else if (at.fit.state == GlmFit::State::separated && sub.in.size() > finite_in) {
      std::vector<Index> in = sub.in;
      std::sort(in.begin(), in.end());
      if (!all_.bounds_.fit_alone(all_.columns_of(in)).fitted()) return;
      finite_in = sub.in.size();
    }
    branch(sub, at, support, finite_in);
  }

 private:
  bool smaller_ones_matter(const Subproblem& sub) const {
    for (std::size_t s = 0; s < sub.free.size(); ++s) {
      if (sub.lower[s] < goal_.threshold(static_cast<Index>(sub.in.size() + s))) return true;
    }
    return false;
  }

  // The fit is that of the support alone, from no start: so an answer does not depend on the way to
  // it, and whether it is a model is what the table thinks.
  void offer(const std::vector<Index>& support) {
    const GlmFit alone = all_.bounds_.fit_alone(all_.columns_of(support));
    if (alone.fitted()) goal_.offer({support, alone.loss});
  }

  void branch(Subproblem& sub, const BoundedFit& at, const std::vector<Index>& support,
              std::size_t finite_in) {
    const std::size_t f = sub.free.size();
    // The free columns, those that are worth most first, and their places in the support.
    std::vector<Index> place(f);
    for (std::size_t i = 0; i < f; ++i)
      place[i] = std::lower_bound(support.begin(), support.end(), sub.free[i]) - support.begin();
    std::sort(place.begin(), place.end(), [&](Index a, Index b) {
      return at.order[a] != at.order[b] ? at.order[a] > at.order[b] : a < b;
    });
    for (std::size_t i = 0; i < f; ++i) sub.free[i] = support[static_cast<std::size_t>(place[i])];

    // What supports have that keep s of the free columns, and so lack f - s of them.
    std::vector<double> worth, share;
    for (const Index i : place) {
      worth.push_back(at.worth[i]);
      share.push_back(at.share[i]);
    }
    std::sort(share.begin(), share.end());
    double sum = 0;
    for (std::size_t s = f; s-- > 0;) {
      sum += share[f - s - 1];
      sub.lower[s] = std::max(sub.lower[s], at.lower + std::max(worth[s], sum));
    }

    Subproblem child{sub.in, sub.free, {}, {}, -1};
    for (std::size_t t = 0; t < f; ++t) {
      child.free.erase(child.free.begin());
      child.lower.assign(sub.lower.begin() + static_cast<Index>(t), sub.lower.end() - 1);
      for (double& lower : child.lower) lower = std::max(lower, at.lower + worth[t]);
      if (promise(child, goal_) > 0) {
        if (at.regular) {
          const GlmStart start = at.start_without(place[t]);
          visit(child, &start, finite_in);
        } else {
          visit(child, nullptr, finite_in);
        }
      }
      child.in.push_back(sub.free[t]);
    }
  }

  // Not all columns of a dependency can be in: child t leaves out the t-th of them and keeps the
  // ones before it. (Nearly dependent ones can: the last child keeps all.) False: none is found.
  bool branch_on_dependency(const Subproblem& sub, std::size_t finite_in) {
    const Dependency found =
        find_dependency(all_.panel_, all_.columns_of(sub.in), all_.columns_of(sub.free));
    if (found.none) return false;
    Subproblem child{sub.in, sub.free, sub.lower, {}, -1};
    for (std::size_t t = 0; t <= found.columns.size() && !found.columns.empty(); ++t) {
      const bool last = t == found.columns.size();
      if (last) {
        child.lower.assign(sub.lower.begin() + static_cast<Index>(t), sub.lower.end());
        visit(child, nullptr, finite_in);
        break;
      }
      const Index candidate =
          std::lower_bound(all_.columns_.begin(), all_.columns_.end(), found.columns[t]) -
          all_.columns_.begin();
      std::erase(child.free, candidate);
      child.lower.assign(sub.lower.begin() + static_cast<Index>(t), sub.lower.end() - 1);
      if (promise(child, goal_) > 0) visit(child, nullptr, finite_in);
      child.in.push_back(candidate);
    }
    return true;
  }

  const GlmSearch& all_;
  Goal& goal_;
  const Budget& budget_;
  const std::int64_t max_nodes_;
  SearchOutcome& outcome_;
};

void GlmSearch::search(Subproblem sub, std::size_t open, Goal& goal, const Budget& budget,
                       SearchOutcome& outcome) const {
  const auto doublings = std::min<std::size_t>(20, open / kManyOpen);
  Tree(*this, goal, budget, kNodesPerSubproblem << doublings, outcome)
      .visit(std::move(sub), nullptr, 0);
}

}  // namespace lass0
