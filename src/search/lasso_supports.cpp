#include "search/lasso_supports.hpp"

#include <algorithm>
#include <cstdint>
#include <lass0/lasso.hpp>
#include <set>

#include "moments/independent.hpp"
#include "search/elimination.hpp"

namespace lass0 {
namespace {

constexpr Index kFewestPoints = 10, kMostPoints = 40;

// Of the columns, in whatever order.
std::uint64_t set_hash(Columns columns) {
  std::uint64_t hash = 0;
  for (const Index j : columns) {
    std::uint64_t x = static_cast<std::uint64_t>(j) + 0x9e3779b97f4a7c15;  // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    hash += x ^ (x >> 31);
  }
  return hash;
}

}  // namespace

void visit_lasso_supports(
    const Moments& moments, Index max_k, const Budget& budget,
    const std::function<void(const std::vector<Index>&, double, bool)>& visit) {
  LassoOptions options;
  // Of few columns the path has few supports.
  options.count = static_cast<int>(std::clamp(moments.cols() / 2, kFewestPoints, kMostPoints));
  options.max_support = max_k + 10;
  options.control = budget.remaining();
  const LassoPath path = lasso_path(moments, options);
  // What is left of two supports is often the same, and then stays the same.
  std::set<std::uint64_t> seen;
  const auto visit_new = [&](const std::vector<Index>& support, double loss, bool sure) {
    if (!seen.insert(set_hash(support)).second) return false;
    if (std::ssize(support) <= max_k) visit(support, loss, sure);
    return true;
  };
  for (const LassoPoint& point : path.points) {
    const std::vector<Index>& support = point.at.support;
    if (seen.count(set_hash(support)) > 0) continue;
    budget.check();
    if (!eliminate(moments, support, visit_new))
      eliminate(moments, independent_columns(moments, support, kAliasTolerance).kept, visit_new);
  }
}

}  // namespace lass0
